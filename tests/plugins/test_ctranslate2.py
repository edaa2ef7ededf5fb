"""`ct2:`: what CTranslate2's own converter makes of a model gives the numbers of that model."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from mtprobe.backends.protocols import LanguagePair, OpenRequest
from mtprobe.backends.scorer import ScorePair
from mtprobe.engine.hf import open_hf
from mtprobe.errors import Failure, ModelError
from mtprobe.testing import SOURCES, BackendConformance
from tests.engine.checkpoints.lines import lines
from tests.engine.hf_models import make, train_vocabularies

ctranslate2 = pytest.importorskip("ctranslate2")
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from mtprobe_ctranslate2 import open_ct2  # noqa: E402 - it needs what is looked for above

REQUEST = OpenRequest(source="en", target="pt", threads=1)
SENTENCES = [line[:60] for line in lines("en")][:16]
TARGETS = [line[:60] for line in lines("pt")][:16]
PAIRS = [ScorePair(source, target) for source, target in zip(SENTENCES, TARGETS, strict=True)]


@pytest.fixture(scope="module")
def models(tmp_path_factory) -> Path:
    """`marian` and `nllb` as transformers has them, and converted: `ct2-marian`, `ct2-nllb`."""
    root = tmp_path_factory.mktemp("models")
    vocabularies = train_vocabularies(root)
    for kind in ("marian", "nllb"):
        model = _like_a_real_one(make(kind, root / kind, vocabularies).model)
        model.save_pretrained(root / kind)
        files = ["source.spm", "target.spm"] if kind == "marian" else None
        converter = ctranslate2.converters.TransformersConverter(str(root / kind), copy_files=files)
        converter.convert(str(root / f"ct2-{kind}"))
    return root


def _like_a_real_one(model: Any) -> Any:
    """Other random weights: as many heads on both sides as CTranslate2 wants, and translations that end."""
    config = model.config
    config.decoder_attention_heads = config.encoder_attention_heads
    config.forced_eos_token_id = None
    torch.manual_seed(6)
    made = type(model)(config).eval()
    with torch.no_grad():
        for name, values in made.named_parameters():
            if values.ndim == 2 and "embed_positions" not in name:
                values.normal_(0, 0.4)
        if config.model_type == "marian":
            # The padding token starts the decoder as a zero, and its own probability does not count:
            # CTranslate2 has no such token.
            made.model.shared.weight[config.pad_token_id] = 0
            made.final_logits_bias[0, config.pad_token_id] = -1e4
            made.final_logits_bias[0, config.eos_token_id] = 3
    settings = made.generation_config
    settings.max_length, settings.num_beams, settings.early_stopping = 24, 4, True
    settings.forced_eos_token_id = None
    return made


def both(models: Path, kind: str, beams: int = 1) -> tuple[Any, Any]:
    """The model by `ct2:` and by `hf:`; one counts the decoder's start as a token."""
    named = f"&tokenizer={models / kind}" if kind != "marian" else ""
    ours = open_ct2(f"{models / f'ct2-{kind}'}?beams={beams}&max_length=23{named}", REQUEST)
    return ours, open_hf(f"{models / kind}?beams={beams}", REQUEST)


@pytest.mark.parametrize("kind", ["marian", "nllb"])
def test_scores_are_those_of_hf(models, kind):
    ours, theirs = both(models, kind)
    for one, other in zip(ours.score(PAIRS), theirs.score(PAIRS), strict=True):
        assert list(one) == pytest.approx(list(other), abs=1e-4)


@pytest.mark.parametrize("beams", [1, 4])
@pytest.mark.parametrize("kind", ["marian", "nllb"])
def test_translations_are_those_of_hf(models, kind, beams):
    ours, theirs = both(models, kind, beams)
    made = ours.translate(SENTENCES)
    assert made == theirs.translate(SENTENCES)
    assert len(set(made)) > 4


def test_the_tokenizer_in_the_folder_and_the_one_that_is_named_are_the_same(models):
    folder = models / "ct2-marian"
    own = open_ct2(f"{folder}?beams=2", REQUEST)
    named = open_ct2(f"{folder}?beams=2&tokenizer={models / 'marian'}", REQUEST)
    assert own.score(PAIRS) == named.score(PAIRS)
    assert own.translate(SENTENCES) == named.translate(SENTENCES)


def test_a_named_tokenizer_tells_the_languages(models):
    named = open_ct2(f"{models / 'ct2-marian'}?tokenizer={models / 'marian'}", OpenRequest())
    assert named.languages == LanguagePair("en", "pt")
    with pytest.raises(ModelError, match="translates into pt, not de"):
        open_ct2(f"{models / 'ct2-marian'}?tokenizer={models / 'marian'}", OpenRequest(target="de"))
    with pytest.raises(ModelError, match="give `target`"):
        open_ct2(str(models / "ct2-marian"), OpenRequest())


def test_what_is_longer_than_the_positions_fails_alone(models):
    model = open_ct2(str(models / "ct2-marian"), REQUEST)
    failed, fine, longer = model.translate(["the " * 300, SENTENCES[0], "the " * 2000])
    assert isinstance(failed, Failure)
    assert "positions >= 96" in failed.reason
    assert isinstance(longer, Failure)
    assert "at most 1024" in longer.reason
    assert [fine] == model.translate(SENTENCES[:1])
    scored = model.score([PAIRS[0], ScorePair(SENTENCES[0], "the " * 300), PAIRS[1]])
    assert isinstance(scored[1], Failure)
    assert [scored[0], scored[2]] == model.score(PAIRS[:2])


def test_everything_that_changes_outputs_is_in_the_fingerprint(models, tmp_path):
    folder = models / "ct2-marian"
    options = ("", "?beams=2", "?beams=2&length_penalty=0.5", "?max_length=9", "?compute_type=int8")
    options += (f"?tokenizer={models / 'marian'}",)
    marks = {open_ct2(f"{folder}{option}", REQUEST).fingerprint for option in options}
    assert len(marks) == len(options)
    assert open_ct2(f"{folder}?threads=2&device=cpu", REQUEST).fingerprint in marks
    other = shutil.copytree(folder, tmp_path / "other")
    assert open_ct2(str(other), REQUEST).fingerprint in marks
    (other / "target.spm").write_bytes((models / "unigram.model").read_bytes())
    assert open_ct2(str(other), REQUEST).fingerprint not in marks


def test_int8_is_asked_for_by_the_run_or_by_the_spec(models):
    folder = models / "ct2-marian"
    run = open_ct2(str(folder), OpenRequest(source="en", target="pt", dtype="int8"))
    spec = open_ct2(f"{folder}?compute_type=int8", REQUEST)
    assert run.fingerprint == spec.fingerprint
    assert run.dtype == "int8"
    assert run.score(PAIRS) == spec.score(PAIRS) != open_ct2(str(folder), REQUEST).score(PAIRS)
    assert run.provider.startswith("CTranslate2 ")
    with pytest.raises(ModelError, match="give only one"):
        open_ct2(f"{folder}?compute_type=int16", OpenRequest(target="pt", dtype="int8"))


@pytest.mark.skipif(ctranslate2.get_cuda_device_count() > 0, reason="there is CUDA here")
@pytest.mark.parametrize("option", ["device=cuda", "compute_type=float16"])
def test_what_the_machine_cannot_do_is_reported(models, option):
    model = open_ct2(f"{models / 'ct2-marian'}?{option}", REQUEST)
    with pytest.raises(ModelError, match="CTranslate2 cannot load it"):
        model.translate(["A house."])


def test_a_model_into_several_languages_is_reported_which(models, tmp_path):
    folder = shutil.copytree(models / "ct2-marian", tmp_path / "several")
    path = folder / "shared_vocabulary.json"
    words = json.loads(path.read_text(encoding="utf-8"))
    words[-2:] = [">>por<<", ">>deu<<"]
    path.write_text(json.dumps(words))
    model = open_ct2(str(folder), REQUEST)
    assert model._tokens.source("the")[0] == ">>por<<"
    german = open_ct2(str(folder), OpenRequest(source="en", target="de", threads=1))
    assert german._tokens.source("the")[0] == ">>deu<<"
    with pytest.raises(ModelError, match="fi is not a language of this model"):
        open_ct2(str(folder), OpenRequest(source="en", target="fi")).translate(["the"])


def test_one_sentencepiece_model_serves_both_sides(models, tmp_path):
    folder = shutil.copytree(models / "ct2-nllb", tmp_path / "one")
    shutil.copy(models / "nllb" / "sentencepiece.bpe.model", folder)
    model = open_ct2(f"{folder}?max_length=20", REQUEST)
    assert model._tokens.source("the house")[-1] != "</s>"
    assert all(isinstance(one, str) for one in model.translate(SENTENCES[:3]))


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ("", "needs the folder of a model"),
        ("{nothing}", "there is no model.bin"),
        ("{folder}?beems=3", 'unknown option "beems"; did you mean "beams"'),
        ("{folder}?compute_type=int9", "CTranslate2 has no compute_type=int9"),
        ("{folder}?device=tpu", "unknown device"),
        ("{folder}?threads=none", "threads=none is not a positive number"),
        ("{nllb}", "there is no SentencePiece model"),
    ],
)
def test_a_spec_that_cannot_be_opened_is_reported(models, tmp_path, rest, said):
    rest = rest.format(nothing=tmp_path, folder=models / "ct2-marian", nllb=models / "ct2-nllb")
    with pytest.raises(ModelError) as error:
        open_ct2(rest, REQUEST)
    assert said in str(error.value)


class TestConformance(BackendConformance):
    test_a_stream_gives_each_translation_once = None  # it has none
    test_context_and_repeats_are_answered = None  # it takes strings
    opening = REQUEST
    sources = tuple(source[:50] for source in SOURCES)
    fails_on = ("the " * 300, "half \ud83d a character")

    @pytest.fixture
    def spec(self, models):
        return f"ct2:{models / 'ct2-marian'}?beams=2&max_length=10"


class TestConformanceWithANamedTokenizer(BackendConformance):
    test_a_stream_gives_each_translation_once = None
    test_context_and_repeats_are_answered = None
    opening = REQUEST
    sources = tuple(source[:50] for source in SOURCES)
    fails_on = ("half \ud83d a character",)

    @pytest.fixture
    def spec(self, models):
        return f"ct2:{models / 'ct2-nllb'}?max_length=10&tokenizer={models / 'nllb'}"
