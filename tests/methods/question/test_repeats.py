"""A judge that samples is asked repeatedly: the mean of its answers decides, and how far they differ is measured."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mtprobe
from mtprobe.backends import ChatPrompt, samples_answers
from mtprobe.errors import Failure, MtprobeError
from mtprobe.methods import Outcome
from mtprobe.methods.question.answers import Judge as Asked
from mtprobe.methods.question.decide import DEPENDS, FIRST, UNREADABLE, verdict_on
from mtprobe.methods.question.readings import Reading
from mtprobe.methods.question.repeats import DIVIDED, REPEATS, SAME, Unreadable, sample_agreement, votes
from mtprobe.progress import Silent
from tests.methods.question.judges import (
    SUITE,
    Fair,
    InWords,
    Judge,
    choices_in,
    hears,
    named,
    translation_in,
)
from tests.methods.question.test_decide import TWO

NOTHING = Unreadable("It depends.")


class Drawn(InWords):
    """Names the right letter with this probability: by chance, but the same one when a repeat is asked again."""

    def __init__(self, right=0.7):
        super().__init__(named)
        self.right = right

    def complete(self, prompts, max_tokens=64):  # noqa: ARG002
        self.asked += prompts
        return [self._letter(prompt) for prompt in prompts]

    def _letter(self, prompt):
        letter = named(translation_in(prompt), choices_in(prompt))[-2]
        luck = random.Random(f"{prompt.messages} {prompt.repeat}").random()
        return letter if luck < self.right else {"A": "B", "B": "A"}[letter]


class Noisy(Judge):
    """Gives log-probabilities that differ from one time to the next."""

    samples_answers = True

    def _scores(self, question):
        luck = random.Random(f"{question.prompt.messages} {question.prompt.repeat}")
        return tuple((sum(tokens) - luck.random() * 3,) for tokens in super()._scores(question))


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "people.mt.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return path


def judged(path, judge, **options):
    (run,) = mtprobe.run(path, Fair(), evaluator=judge, counterfactuals=0, **options).suites
    return run


def verdicts(run):
    return [result.verdict for result in run.results]


def decided(*orders):
    """The verdict on answers in words, in both orders."""
    return verdict_on(TWO, [votes(answers, 2) for answers in orders])


# -- the mean --


def test_the_share_of_answers_is_the_probability_of_a_choice():
    verdict = decided([0, 0, 0, 1], [1, 1, 1, 1])  # the second order has feminine last
    assert (verdict.outcome, verdict.probability) == (Outcome.CORRECT, pytest.approx(7 / 8))
    right, wrong = verdict.evidence
    assert (right.attributes[FIRST], wrong.attributes[FIRST]) == (0.75, 0.0)
    assert (right.attributes[REPEATS], right.attributes[SAME]) == (4, 0.75)
    assert right.score is None


def test_a_tie_is_undecided_and_so_is_an_answer_that_depends_on_the_order():
    verdict = decided([0, 1], [1, 1])
    assert (verdict.outcome, verdict.reason) == (Outcome.UNDECIDED, DIVIDED)
    verdict = decided([0, 0, 1], [0, 0, 0])
    assert (verdict.outcome, verdict.reason) == (Outcome.UNDECIDED, DEPENDS)


def test_an_answer_that_names_no_choice_counts_for_none():
    assert decided([0, 0, NOTHING], [1, 1, 1]).outcome is Outcome.CORRECT
    for answers in ([0, NOTHING], [0, 1, NOTHING, NOTHING], [NOTHING, NOTHING]):
        verdict = decided(answers, [1, 1])
        assert verdict.outcome is Outcome.UNDECIDED
        assert verdict.reason == f"{UNREADABLE}: “It depends.”"
    assert sample_agreement(decided([0, 0, NOTHING], [1, 1, 1]).evidence) == pytest.approx(0.667)
    assert sample_agreement(decided([NOTHING, NOTHING], [1, 1]).evidence) == 1


def test_a_repeat_that_fails_is_an_error_of_the_sample():
    verdict = decided([0, Failure("the server is down")], [1, 1])
    assert verdict.outcome is Outcome.ERROR
    assert "the server is down" in verdict.reason


@given(st.lists(st.sampled_from([0, 1, 2, NOTHING]), min_size=1, max_size=12), st.randoms())
def test_the_order_of_repeats_does_not_matter(answers, luck):
    shuffled = luck.sample(answers, len(answers))
    assert votes(answers, 3) == votes(shuffled, 3)
    readings = tuple(Reading(f"choice {number}", f"text {number}") for number in range(3))
    assert verdict_on(readings, [votes(answers, 3)] * 3) == verdict_on(readings, [votes(shuffled, 3)] * 3)


@given(st.integers(0, 1), st.integers(0, 1), st.integers(2, 9))
def test_equal_answers_decide_like_one(first, second, count):
    once, often = verdict_on(TWO, [first, second]), decided([first] * count, [second] * count)
    assert (often.outcome, often.reason, often.reading) == (once.outcome, once.reason, once.reading)
    assert sample_agreement(often.evidence) == 1
    assert sample_agreement(once.evidence) is None


@given(st.permutations(range(4)))
def test_the_order_of_log_probabilities_does_not_matter(places):
    class Permuted(Noisy):
        def _scores(self, question):
            return super()._scores(question.again(places[question.prompt.repeat]))

    question = _question()
    assert _asked(Permuted(), question, 4) == _asked(Noisy(), question, 4)


def _question():
    from mtprobe.backends import Question

    text = "It translates “A médica vendeu a casa.”\nA) masculine\nB) feminine"
    return Question(ChatPrompt.of(text), ("A", "B"))


def _asked(judge, question, repeats):
    asked = Asked(judge, None, Silent(), ["letter"], repeats=repeats)
    return asked.ask([(question, ["masculine", "feminine"])])


# -- runs --


def test_each_question_is_asked_so_often_in_every_order(path):
    judge = Drawn()
    run = judged(path, judge, judge_repeat=5)
    times = Counter(prompt.messages for prompt in judge.asked)
    assert len(times) == 2 * 36
    assert set(times.values()) == {5}
    assert {prompt.repeat for prompt in judge.asked} == {0, 1, 2, 3, 4}
    assert all(item.attributes[REPEATS] == 5 for verdict in verdicts(run) for item in verdict.evidence)
    assert run.procedure.endswith(", answers in words, mean of 5 answers")
    assert run.details == "answers in words, mean of 5 answers"


def test_more_repeats_decide_more_samples_rightly(path):
    right = [
        sum(
            verdict.outcome is Outcome.CORRECT
            for verdict in verdicts(judged(path, Drawn(), judge_repeat=count))
        )
        for count in (1, 25)
    ]
    assert right[0] < 25
    assert right[1] > 33


def test_the_share_of_samples_whose_answers_differ_is_a_note_beside_the_position_bias(path):
    run = judged(path, Drawn(0.97), judge_repeat=4)
    agreements = [sample_agreement(verdict.evidence) for verdict in verdicts(run)]
    differ = sum(agreement < 1 for agreement in agreements)
    assert 0 < differ < 36
    position, note = run.notes
    assert position.startswith("position bias")
    assert note.startswith(
        f"unstable judge: it was asked 4 times, and its answers differ in {differ} of 36 samples ({differ / 36:.2f}, 95% "
    )
    (note,) = judged(path, Drawn(1.0), judge_repeat=4).notes[1:]
    assert note == "the judge was asked 4 times: it gave the same answers for all 36 samples"


def test_one_answer_is_the_run_without_repeats(path):
    for judge in (Drawn, Noisy, Judge):
        assert verdicts(judged(path, judge(), judge_repeat=1)) == verdicts(judged(path, judge()))
    assert not any(SAME in item.attributes for v in verdicts(judged(path, Drawn())) for item in v.evidence)


def test_repeats_are_stored_and_a_later_run_asks_only_for_more(path, tmp_path):
    store = tmp_path / "store.db"
    for judge in (Drawn, Noisy):
        asked = []
        for repeats in (1, 3, 5, 5, 2):
            fresh = judge()
            judged(path, fresh, judge_repeat=repeats, store=store)
            asked.append(len(fresh.asked))
        assert asked == [72, 2 * 72, 2 * 72, 0, 0]


def test_an_interrupted_run_continues(path, tmp_path):
    store = tmp_path / "store.db"

    class Ends(Drawn):
        def complete(self, prompts, max_tokens=64):
            if len(self.asked) >= 128:
                raise KeyboardInterrupt
            return super().complete(prompts, max_tokens)

    first, second = Ends(), Drawn()
    with pytest.raises(KeyboardInterrupt):
        judged(path, first, judge_repeat=3, store=store)
    run = judged(path, second, judge_repeat=3, store=store)
    assert len(first.asked) == 128
    assert len(second.asked) == 3 * 72 - 128
    assert verdicts(run) == verdicts(judged(path, Drawn(), judge_repeat=3))


def test_log_probabilities_are_averaged(path):
    run = judged(path, Noisy(lambda *heard: 2 * hears(*heard)), judge_repeat=6)
    verdict = verdicts(run)[0]
    assert verdict.outcome is Outcome.CORRECT
    assert verdict.margin is not None
    assert run.procedure.endswith(", mean of 6 answers")
    margins = [verdicts(judged(path, Noisy(), judge_repeat=count))[0].margin for count in (1, 400)]
    assert abs(margins[1] - 2) < 0.2 < abs(margins[0] - 2)


@pytest.mark.parametrize("words", ["", "question: {answer: words}\n"])
def test_a_judge_that_always_gives_the_same_answer_is_asked_once_and_says_so(path, words):
    class Greedy(Judge, InWords):
        deterministic = True

        def __init__(self):
            Judge.__init__(self)
            self.answer = named

    path.write_text(SUITE + words, encoding="utf-8")
    judge = Greedy()
    run = judged(path, judge, judge_repeat=5)
    assert len(judge.asked) == 72
    note = "judge repeats change nothing: Greedy always gives the same answer, so it is called only once"
    assert note in run.notes
    once = judged(path, Greedy())
    assert verdicts(run) == verdicts(once)
    assert (run.procedure, run.details) == (once.procedure, once.details)
    assert ("answers in words" in run.procedure) == bool(words)


def test_what_a_judge_says_of_itself_counts():
    assert samples_answers(InWords(named), in_words=True)
    assert not samples_answers(Judge(), in_words=False)
    assert samples_answers(Noisy(), in_words=False)
    talker = InWords(named)
    talker.samples_answers = False
    assert not samples_answers(talker, in_words=True)


def test_of_several_judges_only_those_that_sample_are_asked_again(path):
    class Scored:
        def score(self, pairs):
            return [(-1.0,) for _ in pairs]

    class Sampling(Scored, Noisy):
        fingerprint = answering_fingerprint = "sampling"

    class Still(Scored, Judge):
        fingerprint = answering_fingerprint = "still"

    sampling, still = Sampling(), Still()
    run = judged(path, [sampling, still], judge_repeat=3)
    assert (len(sampling.asked), len(still.asked)) == (3 * 72, 72)
    assert run.procedure.endswith("mean of 3 answers")
    assert any("judge" in note and "3 times" in note for note in run.notes)
    path.write_text(SUITE + "question: {answer: words}\n", encoding="utf-8")
    with pytest.raises(MtprobeError, match="cannot answer questions in words: several evaluators together"):
        judged(path, [Sampling(), Still()])


def test_translations_and_answers_are_repeated_independently(path):
    class Sampler(Fair):
        takes_requests = True

        def translate(self, requests):
            return [f"{self._translation(one.text)[:-1]} {one.repeat}." for one in requests]

    judge = Drawn()
    (run,) = mtprobe.run(path, Sampler(), evaluator=judge, repeat=2, judge_repeat=3, counterfactuals=0).suites
    assert len(run.results) == 2 * 36
    assert len(judge.asked) == 2 * 3 * 72


def test_combined_with_the_grammar_the_judge_is_asked_repeatedly(path):
    path.write_text(
        SUITE.replace("method: question", "methods: [gender-morphology, question]\ncombine: first-decided"),
        encoding="utf-8",
    )
    judge = Drawn()
    run = judged(path, judge, judge_repeat=3)
    assert len(judge.asked) == 3 * 72  # 36 samples are all among those that every method judges
    assert run.procedure.endswith("mean of 3 answers")


def test_a_sequential_run_asks_no_repeat_twice(path):
    path.write_text(SUITE.replace('">= 0.5"', '">= 0.5 @95%"'), encoding="utf-8")
    judge = Drawn(0.99)
    judged(path, judge, judge_repeat=3, sequential=True)
    assert len(judge.asked) == len(set(judge.asked)) <= 3 * 72
    assert len(judge.asked) % 3 == 0


def test_a_bad_number_is_an_error(path):
    for bad in (0, -1, "two", 1.5, True):
        with pytest.raises(MtprobeError, match=r"^judge-repeat: .* is not a number of repeats"):
            judged(path, Drawn(), judge_repeat=bad)
    path.write_text(SUITE + "question: {answer: speech}\n", encoding="utf-8")
    with pytest.raises(MtprobeError, match=r"people.mt.yaml:\d+:\d+: question.answer: "):
        judged(path, Drawn())
