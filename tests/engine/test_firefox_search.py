"""Beam search, and models with separate vocabularies, with `firefox:` and `demo`."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.scorer import ScorePair
from mtprobe.cli import main
from mtprobe.engine.demo import open_demo
from mtprobe.engine.export import export
from mtprobe.engine.firefox import open_firefox
from mtprobe.engine.onnx import open_onnx
from mtprobe.engine.tokenizers.sentencepieces import SentencePieceVocabulary
from mtprobe.errors import Failure, ModelError
from tests.engine.reference import Reference
from tests.engine.tiny import INTGEMM8, Shape, random_tensors, train_vocabulary, write_bin, write_npz

SENTENCES = Path(__file__).with_name("sentences.txt").read_text(encoding="utf-8").splitlines()[:40]
TEXTS = ["bab dek", "mil", "tos van rik bab", ""]


@pytest.fixture(scope="module")
def searching():
    return open_demo("?beams=4", OpenRequest(threads=1))


@pytest.fixture
def folder(tmp_path):
    """A small random model with two vocabularies: `folder(shape)`."""

    def make(shape: Shape) -> tuple[Path, Reference]:
        stored = write_bin(tmp_path / "model.xxyy.bin", random_tensors(shape), shape.config(), INTGEMM8)
        train_vocabulary(tmp_path / "srcvocab.xxyy.spm", shape.source_vocabulary)
        train_vocabulary(tmp_path / "trgvocab.xxyy.spm", shape.vocabulary)
        return tmp_path, Reference(stored, shape.heads, shape.activation)

    return make


# -- beams on the demo model --


@pytest.mark.slow
def test_beams_find_likelier_translations_than_greed(searching):
    greedy = open_demo("", OpenRequest(threads=1))
    pairs = [
        (mean_of(greedy, source, one), mean_of(greedy, source, other))
        for source, one, other in zip(
            SENTENCES, searching.translate(SENTENCES), greedy.translate(SENTENCES), strict=True
        )
    ]
    assert math.fsum(beam for beam, _ in pairs) > math.fsum(greed for _, greed in pairs)
    assert sum(beam > greed + 1e-4 for beam, greed in pairs) >= 3


def mean_of(model, source: str, translation: str) -> float:
    (scores,) = model.score([ScorePair(source, translation)])
    return math.fsum(scores) / len(scores)


def test_beams_translate_well(searching):
    assert searching.translate(["She sat on the bank of the river.", "Hello."]) == [
        "Ela sentou-se na margem do rio.",
        "Olá.",
    ]


def test_one_beam_of_a_search_is_greedy():
    greedy = open_demo("?beams=1", OpenRequest(threads=1))
    tokens = [greedy.engine.source_tokens(sentence) for sentence in SENTENCES[:12]]
    assert [
        hypotheses[0].tokens for hypotheses in greedy.engine.search(tokens, 1)
    ] == greedy.engine.translate(tokens)


@pytest.mark.parametrize("penalty", [0.0, 0.6, 1.0, 2.0])
def test_a_score_is_the_sum_over_the_length_to_the_power_of_the_penalty(penalty):
    engine = open_demo(f"?beams=3&length_penalty={penalty}", OpenRequest(threads=1)).engine
    source = engine.source_tokens("The cat sleeps on the sofa.")
    (hypotheses,) = engine.search([source], 3)
    assert len(hypotheses) == 3
    for hypothesis in hypotheses:
        (scores,) = engine.score([(source, (*hypothesis.tokens, *engine.target_tokens("")))])
        assert hypothesis.score == pytest.approx(scores.sum() / len(scores) ** penalty, abs=1e-3)


def test_a_translation_is_not_longer_than_it_may_be():
    for spec in ("?beams=2&max_length=5", "?max_length=5"):
        engine = open_demo(spec, OpenRequest(threads=1)).engine
        sources = [engine.source_tokens(sentence) for sentence in SENTENCES]
        assert max(map(len, engine.translate(sources))) == 5


# -- the description of the search --


def test_greedy_is_the_default_and_has_its_old_fingerprint():
    plain, said = open_demo("", OpenRequest()), open_demo("?beams=1", OpenRequest())
    assert plain.fingerprint.endswith(":greedy:max=256:fp32:v1")
    assert (plain.fingerprint, plain.decoding) == (said.fingerprint, "greedy, max 256 tokens")


def test_the_search_is_part_of_the_fingerprint():
    specs = ["", "?beams=4", "?beams=5", "?beams=4&length_penalty=0.6", "?beams=4&max_length=100"]
    models = [open_demo(spec, OpenRequest()) for spec in specs]
    assert len({model.fingerprint for model in models}) == len(specs)
    assert ":beam=4:lp=0.6:max=256:" in models[3].fingerprint
    assert models[3].decoding == "beam 4, length penalty 0.6, max 256 tokens"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("?beam=4", 'unknown option "beam"; did you mean "beams"?'),
        ("?beams=0", "beams=0 is not a positive number"),
        ("?beams=many", "beams=many is not a positive number"),
        ("?length_penalty=nan", "length_penalty=nan is not a number"),
        ("?length_penalty=long", "length_penalty=long is not a number"),
        ("?max_length=513", "at most 512"),
    ],
)
def test_options_that_mean_nothing_are_refused_at_once(options, message):
    with pytest.raises(ModelError) as caught:
        open_demo(options, OpenRequest())
    assert message in str(caught.value)


def test_a_path_that_holds_a_question_mark_is_a_path(tmp_path):
    shape = Shape(vocabulary=60, heads=8)
    folder = tmp_path / "what?beams=2"
    folder.mkdir()
    write_bin(folder / "model.xxyy.bin", random_tensors(shape), config=None)
    train_vocabulary(folder / "vocab.xxyy.spm", shape.vocabulary)
    assert "greedy" in open_firefox(str(folder), OpenRequest()).decoding
    assert "beam 3" in open_firefox(f"{folder}?beams=3", OpenRequest()).decoding


# -- separate vocabularies, and self-attention decoders --


@pytest.mark.parametrize("attends", [False, True], ids=["ssru", "attending"])
def test_each_side_has_its_own_vocabulary(folder, attends):
    path, reference = folder(Shape(vocabulary=70, source_vocabulary=60, attends=attends))
    source_pieces, target_pieces = (
        SentencePieceVocabulary(path / "srcvocab.xxyy.spm"),
        SentencePieceVocabulary(path / "trgvocab.xxyy.spm"),
    )
    model = open_firefox(str(path), OpenRequest(threads=1))
    sources = [(*source_pieces.encode(text), source_pieces.end) for text in TEXTS]
    targets = [(*target_pieces.encode(text), target_pieces.end) for text in reversed(TEXTS)]
    scored = model.score([ScorePair(*pair) for pair in zip(TEXTS, reversed(TEXTS), strict=True)])
    for source, target, scores in zip(sources, targets, scored, strict=True):
        assert list(scores) == pytest.approx(reference.judge(source, target)[0].tolist(), abs=1e-4)
    short = open_firefox(f"{path}?max_length=12", OpenRequest(threads=1))
    assert short.translate(TEXTS) == [
        target_pieces.decode(reference.greedy(source, target_pieces.end, limit=12)) for source in sources
    ]


def test_vocabularies_that_were_swapped_are_named(folder):
    path, _ = folder(Shape(vocabulary=70, source_vocabulary=60))
    (path / "srcvocab.xxyy.spm").rename(path / "other.spm")
    (path / "trgvocab.xxyy.spm").rename(path / "srcvocab.xxyy.spm")
    (path / "other.spm").rename(path / "trgvocab.xxyy.spm")
    with pytest.raises(ModelError, match=r"srcvocab\.xxyy\.spm.*70 entries.*60"):
        open_firefox(str(path), OpenRequest()).translate(["bab"])


def test_either_vocabulary_is_part_of_the_fingerprint(folder):
    path, _ = folder(Shape(vocabulary=70, source_vocabulary=60))
    prints = {open_firefox(str(path), OpenRequest()).fingerprint}
    for name in ("srcvocab.xxyy.spm", "trgvocab.xxyy.spm"):
        (path / name).write_bytes(b"something else")
        prints.add(open_firefox(str(path), OpenRequest()).fingerprint)
    assert len(prints) == 3


@pytest.mark.parametrize("attends", [False, True], ids=["ssru", "attending"])
def test_an_exported_model_keeps_its_vocabularies_and_its_search(folder, attends, tmp_path):
    path, _ = folder(Shape(vocabulary=70, source_vocabulary=60, attends=attends))
    model = open_firefox(f"{path}?beams=3&length_penalty=0.5&max_length=12", OpenRequest(threads=1))
    export("mine", model, tmp_path / "exported")
    again = open_onnx(str(tmp_path / "exported"), OpenRequest(threads=1))
    assert again.decoding == model.decoding == "beam 3, length penalty 0.5, max 12 tokens"
    assert again.n_best(TEXTS, 3) == model.n_best(TEXTS, 3)
    assert "greedy" in open_onnx(f"{tmp_path / 'exported'}?beams=1", OpenRequest()).decoding


def test_a_model_as_marian_trains_it_is_a_model_too(tmp_path):
    shape = Shape(vocabulary=60, attends=True)
    write_npz(tmp_path / "model.npz", random_tensors(shape), config=None)
    (tmp_path / "model.npz.yml").write_text("transformer-heads: 4\ntransformer-ffn-activation: relu\n")
    train_vocabulary(tmp_path / "vocab.spm", shape.vocabulary)
    model = open_firefox(f"{tmp_path}?max_length=9", OpenRequest(source="en", target="de", threads=1))
    pieces, reference = (
        SentencePieceVocabulary(tmp_path / "vocab.spm"),
        Reference(random_tensors(shape), shape.heads),
    )
    source = (*pieces.encode("bab dek"), pieces.end)
    assert model.translate(["bab dek"]) == [pieces.decode(reference.greedy(source, pieces.end, limit=9))]


# -- n-best lists --


def test_the_best_few_come_best_first(searching):
    (candidates,) = searching.n_best(["The cat sleeps on the sofa."], 4)
    scores = [candidate.score for candidate in candidates]
    assert len({candidate.text for candidate in candidates}) == 4
    assert scores == sorted(scores, reverse=True)
    assert candidates[0].text == searching.translate(["The cat sleeps on the sofa."])[0]


def test_more_than_there_are_beams_is_refused(searching):
    with pytest.raises(ModelError, match=r"\?beams=5"):
        searching.n_best(["Hello."], 5)


def test_a_sentence_that_fails_has_no_best(searching):
    fine, failed = searching.n_best(["Hello.", "word " * 600], 2)
    assert not isinstance(fine, Failure)
    assert isinstance(failed, Failure)


def test_the_command_line_writes_number_translation_and_score(monkeypatch, capsys, tmp_path):
    (tmp_path / "in").write_text("Hello.\nThe cat sleeps.\n", encoding="utf-8")
    with (tmp_path / "in").open(encoding="utf-8") as lines:
        monkeypatch.setattr(sys, "stdin", lines)
        assert main(["translate", "demo?beams=3", "--n-best", "2"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [row[0] for row in rows] == ["1", "1", "2", "2"]
    assert rows[0][1] == "Olá."
    assert all(float(row[2]) < 0 for row in rows)


def test_models_that_give_one_translation_have_no_best_few(monkeypatch, capsys, tmp_path):
    (tmp_path / "in").write_text("Hello.\n", encoding="utf-8")
    with (tmp_path / "in").open(encoding="utf-8") as lines:
        monkeypatch.setattr(sys, "stdin", lines)
        assert main(["translate", "cmd:cat", "--n-best", "2", "--target", "pt"]) != 0
    assert "one translation only" in capsys.readouterr().err
