"""A real language model, small and with random weights, as a judge: `lm:` is opened with the model's languages and asked."""

from __future__ import annotations

import math

import pytest

import mtprobe
from mtprobe.methods.question.position import sample_bias
from tests.engine.lm.models import make
from tests.methods.question.judges import SUITE, Fair

pytest.importorskip("torch")
pytest.importorskip("transformers")


@pytest.mark.slow
def test_its_answers_are_those_of_the_model_in_both_orders(tmp_path):
    path = tmp_path / "people.mt.yaml"
    own = 'question: "{translation} {choices}"\n'  # it reads few tokens
    path.write_text(SUITE + own, encoding="utf-8")
    folder = make(tmp_path / "lm", "grouped queries").folder
    spec = f"lm:{folder}"
    store = tmp_path / "store.db"
    run = mtprobe.run(path, Fair(), evaluator=spec, take=6, store=store, counterfactuals=0).suites[0]
    assert run.evaluator.fingerprint.startswith("lm:")
    from mtprobe.backends import ChatPrompt, Question, open_model

    model = open_model(spec, source="en", target="pt").backend
    for result in run.results:
        assert result.verdict.outcome.value in ("correct", "incorrect", "undecided")
        prompts = [
            ChatPrompt.of(f"{result.translation} A) {one}\nB) {other}")
            for one, other in (("masculine", "feminine"), ("feminine", "masculine"))
        ]
        first, second = model.answer_scores([Question(prompt, ("A", "B")) for prompt in prompts])
        odds = [sum(scores[0]) - sum(scores[1]) for scores in (first, second)]
        right = 1 if result.category == "male" else -1
        assert result.verdict.margin == pytest.approx(right * (odds[0] - odds[1]) / 2, abs=1e-4)
        bias = sum(2 / (1 + math.exp(-one)) - 1 for one in odds) / 2
        assert sample_bias(result.verdict.evidence) == pytest.approx(bias, abs=2e-3)
        same = odds[0] * odds[1] < 0  # the other letter in the other order
        assert (result.verdict.outcome.value != "undecided") == same


def test_one_that_samples_is_asked_with_the_next_seeds(tmp_path):
    path = tmp_path / "people.mt.yaml"
    path.write_text(SUITE + 'question: {text: "{translation} {choices}", answer: words}\n', encoding="utf-8")
    folder = make(tmp_path / "lm", "grouped queries").folder
    spec = f"lm:{folder}?sample=true&temperature=1.5&seed=3"
    options = {"take": 3, "counterfactuals": 0, "store": tmp_path / "store.db", "judge_repeat": 3}
    first, second = (mtprobe.run(path, Fair(), evaluator=spec, **options).suites[0] for _ in range(2))
    assert [result.verdict for result in first.results] == [result.verdict for result in second.results]
    assert first.procedure.endswith("answers in words, mean of 3 answers")
    from mtprobe.backends import ChatPrompt, open_model

    model = open_model(spec, source="en", target="pt").backend
    prompt = ChatPrompt.of("Which?\nA) masculine\nB) feminine")
    repeats = [ChatPrompt(prompt.messages, repeat) for repeat in range(4)]
    answers = model.complete(repeats, max_tokens=6)
    assert len(set(answers)) == 4
    assert [model.complete([repeat], max_tokens=6)[0] for repeat in repeats] == answers
    later = open_model(spec.replace("seed=3", "seed=5"), source="en", target="pt").backend
    assert later.complete(repeats[:2], max_tokens=6) == answers[2:]
    prints = {model.completing_fingerprint, later.completing_fingerprint, model.answering_fingerprint}
    assert len(prints) == 3
    assert later.answering_fingerprint == model.answering_fingerprint


def test_one_whose_log_probabilities_are_read_is_asked_once_even_if_it_samples(tmp_path):
    path = tmp_path / "people.mt.yaml"
    path.write_text(SUITE + 'question: "{translation} {choices}"\n', encoding="utf-8")
    folder = make(tmp_path / "lm", "grouped queries").folder
    runs = [
        mtprobe.run(path, Fair(), evaluator=f"lm:{folder}{rest}", take=3, counterfactuals=0, judge_repeat=n)
        for rest, n in (("?sample=true", 5), ("", 5), ("", 1))
    ]
    verdicts = [[result.verdict for result in run.suites[0].results] for run in runs]
    assert verdicts[0] == verdicts[1] == verdicts[2]
    assert [any("called only once" in note for note in run.suites[0].notes) for run in runs] == [
        True,
        True,
        False,
    ]
