"""Question: a language model answers which reading a translation conveys.

It chooses between readings that are named by letters, in every order; see `decide.py`. Where it gives log-probabilities they
are compared, otherwise its answer in words is read. A judge that samples may be asked repeatedly; see `repeats.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mtprobe.methods.method import Ask, Method, MethodOptions, Obstacle, Preparation, Translated
from mtprobe.methods.question import position, repeats
from mtprobe.methods.question.answers import Judge
from mtprobe.methods.question.decide import verdict_on
from mtprobe.methods.question.keys import METHOD, QuestionKeys
from mtprobe.methods.question.readings import LACKS, Readings, readings_of
from mtprobe.methods.question.wording import Wording, genders, orders
from mtprobe.methods.verdict import Result, Verdict
from mtprobe.suite.sample import Sample, Suite


class QuestionMethod(Method):
    name = METHOD
    about = "a language model answers which reading the translation conveys, averaged over all orders of the choices"
    scored_by = "evaluator"
    asks_for = frozenset({"answers"})
    scored_evidence = "choices of the judge"
    found_evidence = "choices of the judge"
    keys = QuestionKeys

    def __init__(
        self, suite: Suite | None = None, judge: Judge | None = None, judge_repeats: int = 1
    ) -> None:
        self._suite = suite  # that it is prepared for
        self._judge = judge
        self._judge_repeats = judge_repeats  # as the user wants

    @property
    def procedure(self) -> str:
        if self._suite is None or self._judge is None:
            return super().procedure
        how = "".join(f", {part}" for part in self._how())
        return f"{super().procedure}, wording {Wording.of(self._suite).name}{how}"

    @property
    def details(self) -> str:
        return ", ".join(self._how())

    def _how(self) -> Iterator[str]:
        if self._judge and not self._judge.gives_probabilities:
            yield "answers in words"
        if self._judge and (count := self._judge.repeats_made) > 1:
            yield f"mean of {count} answers"

    def configured(self, options: MethodOptions) -> QuestionMethod:
        return QuestionMethod(self._suite, self._judge, options.judge_repeats)

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:  # noqa: ARG002
        """Before it is prepared, a category may be one that the suite describes."""
        if self._suite is not None:
            return None if _readings(sample, self._suite) else LACKS
        return None if sample.category or sample.cues or sample.sources else LACKS

    def obstacle(self, suite: Suite, target: str) -> Obstacle | None:  # noqa: ARG002
        if any(_readings(sample, suite) for sample in suite.samples):
            return None
        return Obstacle(f"{self.name} {LACKS}")

    def prepare(self, preparation: Preparation) -> QuestionMethod:
        if preparation.judge is None:
            return self
        wording = Wording.of(preparation.suite)
        judge = Judge(
            preparation.judge,
            preparation.store,
            preparation.progress,
            wording.read,
            wording.asks_for_words,
            self._judge_repeats,
        )
        return QuestionMethod(preparation.suite, judge, self._judge_repeats)

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:
        if self._judge is None:
            raise ValueError("the method must be prepared first")
        wording = Wording.of(ask.suite)
        readings = [_known(_readings(sample, ask.suite)) for sample, _ in samples]
        questions = [
            [
                (question, [reading.text for reading in order])
                for question, order in zip(
                    wording.questions(translated, found, ask.languages), orders(found.each), strict=True
                )
            ]
            for translated, found in zip(samples, readings, strict=True)
        ]
        answers = iter(self._judge.ask([question for several in questions for question in several]))
        return [
            verdict_on(found.each, [next(answers) for _ in several])
            for found, several in zip(readings, questions, strict=True)
        ]

    def notes(self, results: Sequence[Result]) -> Sequence[str]:
        return [*position.notes(results), *repeats.notes(results)]


def _readings(sample: Sample, suite: Suite) -> Readings | None:
    found = readings_of(sample, suite, genders())
    return found if found is not None and Wording.of(suite).asks_about(sample, found) else None


def _known(readings: Readings | None) -> Readings:
    if readings is None:
        raise ValueError(f"a sample {LACKS}")
    return readings
