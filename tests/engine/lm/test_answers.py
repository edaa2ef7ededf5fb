"""Questions with given answers: the numbers of torch, alone as among others, and read from the store the next time."""

from __future__ import annotations

import numpy as np
import pytest

from mtprobe.backends import ChatPrompt, Question, answer_all, can_answer, can_complete
from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.errors import Failure
from mtprobe.progress import Silent
from mtprobe.store import Store
from tests.engine.lm.models import SmallLm

CHOICES = ("A", "B", " one two", "infirmière")
PROMPTS = [
    ChatPrompt.of("Which one is right? (A) a man (B) a woman"),
    ChatPrompt.of("Which one is right? (A) a woman (B) a man"),
    ChatPrompt.of("Où ?", system="Answer with one letter."),
]


@pytest.fixture(scope="module")
def model(small_lm: SmallLm):
    return open_backend(ModelSpec.parse(f"lm:{small_lm.folder}"), OpenRequest("en", "fr", threads=1))


def test_scores_are_those_of_torch(model, small_lm: SmallLm):
    questions = [Question(prompt, CHOICES) for prompt in PROMPTS]
    tokenizer = model.asking.tokenizer
    for question, scores in zip(questions, model.answer_scores(questions), strict=True):
        begins = "".join(f"<|{role}|>{content}<|end|>" for role, content in question.prompt.messages)
        prompt = tokenizer.ids(f"{begins}<|assistant|>", special=False)
        for choice, actual in zip(CHOICES, scores, strict=True):
            expected = small_lm.logprobs(prompt, tokenizer.ids(choice, special=False))
            np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-4)
        (alone,) = model.answer_scores([question])
        assert [sum(one) for one in alone] == pytest.approx([sum(one) for one in scores], abs=1e-5)


def test_what_cannot_be_asked_fails_alone(model):
    questions = [
        Question(ChatPrompt.of("\ud800"), CHOICES),
        Question(PROMPTS[0], ("A", "")),
        Question(ChatPrompt.of("word " * 400), CHOICES),
        Question(PROMPTS[0], CHOICES),
    ]
    results = model.answer_scores(questions)
    assert [isinstance(result, Failure) for result in results] == [True, True, True, False]


def test_it_answers_in_words(model, small_lm: SmallLm):
    tokenizer = model.asking.tokenizer
    text = f"<|user|>{PROMPTS[0].messages[0].content}<|end|><|assistant|>"
    expected = tokenizer.text(small_lm.generate(tokenizer.ids(text, special=False), 5)).strip()
    assert model.complete(PROMPTS[:1], max_tokens=5) == [expected]


def test_answers_are_asked_once(model, tmp_path, monkeypatch):
    questions = [Question(prompt, CHOICES) for prompt in (*PROMPTS, PROMPTS[0])]
    assert can_answer(model)
    assert can_complete(model)
    with Store(tmp_path / "store.db") as store:
        first = answer_all(model, questions, store, Silent())
        monkeypatch.setattr(model, "answer_scores", lambda _: pytest.fail("it was asked again"))
        again = answer_all(model, questions, store, Silent())
    assert len(first) == 3
    for question, scores in first.items():
        for one, other in zip(scores, again[question], strict=True):
            assert one == pytest.approx(other, abs=1e-6)
