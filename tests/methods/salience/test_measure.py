"""Salience of words, through the models that a user names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.engine.demo import open_demo
from mtprobe.engine.export import export
from mtprobe.engine.hf import open_hf
from mtprobe.engine.onnx import open_onnx
from mtprobe.errors import Failure
from mtprobe.methods.salience.measure import measure
from mtprobe.methods.salience.outcome import SalienceQuestion
from tests.engine import hf_models

REQUEST = OpenRequest(source="en", target="pt", threads=1)


def asked(
    source: str, target: str, word: str, triggers: str = "", focus: str = "", wrong: str = ""
) -> SalienceQuestion:
    def span(text: str, part: str):
        start = text.index(part)
        return start, start + len(part)

    return SalienceQuestion(
        id="q",
        source=source,
        target=target,
        word=span(target, word),
        wrong=target.replace(word, wrong),
        wrong_word=span(target.replace(word, wrong), wrong) if wrong else None,
        triggers=(span(source, triggers),) if triggers else (),
        focus=span(source, focus) if focus else None,
        cluster="q",
    )


TIRED = asked(
    "The woman is tired.",
    "A mulher está cansada.",
    "cansada",
    triggers="woman",
    focus="tired",
    wrong="cansado",
)


@pytest.fixture(scope="module")
def demo():
    return open_demo("", REQUEST)


def test_the_demo_model_looks_at_who_is_tired_for_the_gender_of_the_word(demo):
    (found,) = measure(demo, [TIRED])
    by_word = {word.text: word for word in found.words}
    assert [word.kind for word in found.words] == ["other", "trigger", "other", "focus", "sign"]
    assert found.probability > 0.5
    assert by_word["tired"].salience > by_word["woman"].salience > 0.2
    assert abs(by_word["The"].salience) < 0.2


SHE = asked("She is tired.", "Está cansada.", "cansada", triggers="She", wrong="cansado")


def test_the_choice_rests_on_who_is_tired_and_not_on_the_word_that_is_translated(demo):
    (found,) = measure(demo, [SHE])
    by_word = {word.text: word for word in found.words}
    assert by_word["She"].choice > 0.2
    assert by_word["tired"].salience > by_word["She"].salience
    assert by_word["She"].choice > by_word["tired"].choice


def test_the_share_is_of_the_two_words_alone(demo):
    (found,) = measure(demo, [SHE])
    (other,) = measure(demo, [replace(SHE, target=SHE.wrong, word=SHE.wrong_word)])
    p, q = found.probability, other.probability
    assert found.share == pytest.approx(p / (p + q))
    (without,) = measure(demo, [replace(SHE, wrong_word=None)])
    assert without.share is None
    assert {word.choice for word in without.words} == {None}
    assert [word.salience for word in without.words] == pytest.approx(
        [word.salience for word in found.words], abs=1e-6
    )


def test_probabilities_are_those_that_the_model_scores(demo):
    found, again = measure(demo, [TIRED, TIRED])
    assert found == again
    logprobs = demo.score([(TIRED.source, TIRED.target)])[0]
    tokens = demo.engine.target_spans(TIRED.target)
    inside = [
        place
        for place, span in enumerate(tokens)
        if span and span[0] >= TIRED.word[0] and span[1] <= TIRED.word[1]
    ]
    assert found.probability == pytest.approx(np.exp(sum(logprobs[place] for place in inside)), abs=1e-6)


def test_a_sentence_is_the_same_alone_and_among_others(demo):
    others = [
        asked(
            "The doctor left because she was ill.",
            "A médica saiu porque estava doente.",
            "médica",
            triggers="she",
        ),
        asked("I saw the old house near the harbour.", "Vi a velha casa perto do porto.", "velha"),
    ]
    together = measure(demo, [*others, TIRED])[-1]
    (alone,) = measure(demo, [TIRED])
    assert [word.salience for word in together.words] == pytest.approx(
        [word.salience for word in alone.words], abs=1e-5
    )


def test_what_cannot_be_read_fails_alone(demo):
    long = asked("word " * 600, "A casa.", "casa")
    failed, fine = measure(demo, [long, TIRED])
    assert isinstance(failed, Failure)
    assert "this model reads at most" in failed.reason
    assert not isinstance(fine, Failure)


@pytest.fixture(scope="module", params=["marian", "nllb"])
def made(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return hf_models.make(request.param, folder / "m", hf_models.train_vocabularies(folder))


SOURCE, TARGET = "The children are playing in the garden.", "As crianças brincam no jardim."


def test_words_have_the_mean_of_their_tokens_as_torch_computes_them(made):
    torch = pytest.importorskip("torch")
    model = open_hf(str(made.folder), REQUEST)
    question = asked(SOURCE, TARGET, "brincam")
    (found,) = measure(model, [question])

    engine = model.engine
    source, target = engine.source_tokens(SOURCE), engine.target_tokens(TARGET)
    prefix = model._tokenizer.prefix
    start, end = question.word
    places = [
        at
        for at, span in enumerate(engine.target_spans(TARGET))
        if span and span[0] < end and start < span[1]
    ]

    def chance(without: int | None) -> float:
        def occlude(_, given, embedded):
            if without is None or given[0].tolist() != [list(source)]:
                return embedded
            embedded = embedded.clone()
            embedded[0, without] = 0
            return embedded

        hook = made.model.get_encoder().embed_tokens.register_forward_hook(occlude)
        with torch.no_grad():
            logits = made.model(
                input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([[*prefix, *target[:-1]]])
            ).logits[0, len(prefix) - 1 :]
        hook.remove()
        logprobs = logits.log_softmax(-1)
        return float(torch.exp(sum(logprobs[at, target[at]] for at in places)))

    spans = engine.source_spans(SOURCE)
    whole = chance(None)
    assert found.probability == pytest.approx(whole, abs=1e-4)
    for word in found.words:
        tokens = [at for at, span in enumerate(spans) if span and span[0] < word.end and word.start < span[1]]
        expected = np.mean([whole - chance(at) for at in tokens])
        assert word.salience == pytest.approx(expected, abs=1e-4)


def test_an_exported_model_gives_the_same(made, tmp_path):
    export("m", open_hf(str(made.folder), REQUEST), tmp_path / "saved")
    question = asked(SOURCE, TARGET, "brincam")
    before = measure(open_hf(str(made.folder), REQUEST), [question])
    assert measure(open_onnx(str(tmp_path / "saved"), REQUEST), [question]) == before
