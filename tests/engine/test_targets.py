"""A multilingual model for several targets: each has its own language token, and all share one loaded network."""

from __future__ import annotations

import gc
import weakref

import pytest

import mtprobe
from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.scorer import ScorePair
from mtprobe.engine.export import export
from mtprobe.engine.hf import open_hf
from mtprobe.engine.onnx import open_onnx
from mtprobe.errors import ModelError
from tests.engine.checkpoints.lines import lines
from tests.engine.hf_models import make

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
SENTENCES = [line[:40] for line in lines("en")][:4]
SUITE = """\
mtprobe: 1
name: pairs
about: Which of two targets does the model prefer?
languages: {source: en, targets: any}
method: minimal-pairs
gates: {accuracy: ">= 0.00"}
samples:
  - id: a
    source: Good morning to you.
    targets:
      de: {correct: [Guten Morgen.], incorrect: [Gute Morgen.]}
      fr: {correct: [Bonjour.], incorrect: [Bonsoir.]}
      pt: {correct: [Bom dia.], incorrect: [Boa dia.]}
"""


@pytest.fixture(scope="module", params=["m2m100", "nllb", "mbart50"])
def multilingual(request, tmp_path_factory, vocabularies):
    return make(request.param, tmp_path_factory.mktemp("multilingual") / request.param, vocabularies)


def opened(folder, target, open_model=open_hf):
    return open_model(str(folder), OpenRequest(source="en", target=target, threads=1, device="cpu"))


def test_targets_share_the_network_and_differ_in_what_they_say(multilingual):
    models = [opened(multilingual.folder, target) for target in ("de", "fr", "pt")]
    translations = [model.translate(SENTENCES) for model in models]
    assert len({id(model.engine.network) for model in models}) == 1
    assert len({tuple(texts) for texts in translations}) == 3
    assert len({model.fingerprint for model in models}) == 3


def test_a_shared_network_gives_the_numbers_of_one_of_its_own(multilingual):
    pairs = [ScorePair(sentence, "Guten Morgen.") for sentence in SENTENCES]
    first = opened(multilingual.folder, "fr")
    first.score(pairs)
    shared = opened(multilingual.folder, "de").score(pairs)
    del first
    gc.collect()
    assert opened(multilingual.folder, "de").score(pairs) == shared


def test_the_network_is_freed_with_its_last_model(multilingual):
    models = [opened(multilingual.folder, target) for target in ("de", "fr")]
    for model in models:
        model.translate(SENTENCES[:1])
    network = weakref.ref(models[0].engine.network)
    models.pop()
    del model
    assert network() is not None
    models.clear()
    gc.collect()
    assert network() is None


def test_an_exported_model_shares_its_network_too(multilingual, tmp_path):
    export("m", opened(multilingual.folder, "de"), tmp_path / "saved")
    models = [opened(tmp_path / "saved", target, open_onnx) for target in ("de", "fr")]
    assert [len(model.translate(SENTENCES)) for model in models] == [4, 4]
    assert models[0].engine.network is models[1].engine.network


def test_a_run_has_one_result_per_target(multilingual, tmp_path):
    (tmp_path / "pairs.mt.yaml").write_text(SUITE, encoding="utf-8")
    run = mtprobe.run(
        tmp_path,
        f"many=hf:{multilingual.folder}",
        source="en",
        target="de,fr,pt",
        record=tmp_path / "r.jsonl",
    )
    assert [(suite.model.name, suite.target) for suite in run.suites] == [
        ("many", "de"),
        ("many", "fr"),
        ("many", "pt"),
    ]
    assert len({suite.model.fingerprint for suite in run.suites}) == 3
    rows = mtprobe.read_run(tmp_path / "r.jsonl").to_rows()
    assert [(row["source_language"], row["target_language"]) for row in rows] == [
        ("en", "de"),
        ("en", "fr"),
        ("en", "pt"),
    ]


def test_a_language_that_the_model_lacks_is_named(multilingual, tmp_path):
    (tmp_path / "pairs.mt.yaml").write_text(SUITE, encoding="utf-8")
    with pytest.raises(
        ModelError, match=r"many cannot be run for the target tlh: .* not a language of this model"
    ):
        mtprobe.run(tmp_path, f"many=hf:{multilingual.folder}", source="en", target=["de", "tlh"])


def test_a_bilingual_model_whose_files_do_not_say_so_cannot_have_several_targets(tmp_path, vocabularies):
    small = make("marian", tmp_path / "bilingual", vocabularies)
    settings = small.folder / "tokenizer_config.json"
    settings.write_text(
        settings.read_text().replace('"source_lang"', '"_a"').replace('"target_lang"', '"_b"')
    )
    (tmp_path / "pairs.mt.yaml").write_text(SUITE, encoding="utf-8")
    with pytest.raises(ModelError, match="it ignores the target language"):
        mtprobe.run(tmp_path / "pairs.mt.yaml", f"hf:{small.folder}", source="en", target="de,fr")
