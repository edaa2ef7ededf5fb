"""Several methods combined: the first that decides a sample gives its verdict (`combine: first-decided`).

A method that asks no model decides where it can, and a later one the rest. A method that knows the reading of a
translation has decided, even if that reading is neither right nor wrong (*the cleaning staff* has no gender). Later
methods also judge a fixed set of samples that are decided already: their opinions there show how far they can be
believed elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mtprobe.methods.method import Ask, Method, Preparation, Scores, Translated
from mtprobe.methods.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from mtprobe.backends.scorer import ScorePair
    from mtprobe.methods.audit_pairs.measure import Audited
    from mtprobe.methods.conditioning.noise import NoiseFloor
    from mtprobe.methods.verdict import Result
    from mtprobe.suite.sample import Sample, Suite

SEPARATOR = ", "  # between the names of combined methods
ALSO_ASKED = 200  # samples that every method judges
_NO_DECISION = (Outcome.UNDECIDED, Outcome.ERROR)


def names_in(method: str) -> list[str]:
    """The methods of a combination that a record names, or the only one."""
    return method.split(SEPARATOR)


class FirstDecided(Method):
    """Methods that judge translations, in the order in which they are asked."""

    about = "several methods in order: the first that decides gives the verdict"

    def __init__(self, methods: Sequence[Method], also_asked: frozenset[str] = frozenset()) -> None:
        self.methods = tuple(methods)
        self.name = SEPARATOR.join(method.name for method in methods)
        self.scored_by = next((method.scored_by for method in methods if method.scored_by), None)
        self.asks_for = frozenset().union(*(method.asks_for for method in methods if method.scored_by))
        self.reads_senses = any(method.reads_senses for method in methods)
        scored = next((method for method in methods if method.scored_by), self.methods[0])
        found = next((method for method in methods if not method.scored_by), self.methods[0])
        self.scored_evidence, self.found_evidence = scored.scored_evidence, found.found_evidence
        self._also_asked = also_asked  # ids

    @property
    def procedure(self) -> str:
        return f"first-decided: {'; '.join(method.procedure for method in self.methods)}"

    @property
    def details(self) -> str:
        return "; ".join(f"{method.name}: {method.details}" for method in self.methods if method.details)

    @property
    def audited(self) -> Audited | None:
        return next((method.audited for method in self.methods if method.audited), None)

    @property
    def noise(self) -> tuple[NoiseFloor, ...]:
        return tuple(floor for method in self.methods for floor in method.noise)

    def fitted_on(self, suite: Suite) -> Sequence[Sample]:
        return [sample for method in self.methods for sample in method.fitted_on(suite)]

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:
        lacks = [(method, method.lacks(sample, target)) for method in self.methods]
        if not all(lack for _, lack in lacks):
            return None
        return "; ".join(f"{method.name} {lack}" for method, lack in lacks)

    def needs_back(self, sample: Sample) -> bool:
        able = [method for method in self.methods if not method.lacks(sample)]
        return bool(able) and all(method.needs_back(sample) for method in able)

    def prepare(self, preparation: Preparation) -> FirstDecided:
        chosen = preparation.suite.take(ALSO_ASKED).samples
        return FirstDecided(
            [method.prepare(preparation) for method in self.methods],
            frozenset(sample.id for sample in chosen),
        )

    def notes(self, results: Sequence[Result]) -> Sequence[str]:
        decided = Counter(result.verdict.by for result in results if result.verdict.by)
        shares = "; ".join(f"by {method.name} {decided[method.name]:,}" for method in self.methods)
        each = [note for method in self.methods for note in method.notes(results)]
        return [f"decided {shares} of {len(results):,} samples", *each]

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:
        answers = [_Answers() for _ in samples]
        for method in self.methods:
            asked = [
                (translated, given)
                for translated, given in zip(samples, answers, strict=True)
                if (not given.decided or translated.sample.id in self._also_asked)
                and not method.lacks(translated.sample, ask.languages.target)
            ]
            # Scores are those of the evaluator; a method that wants the model's own gets none.
            own = ask if method.scored_by else replace(ask, scores=_no_scores)
            verdicts = method.judge([translated for translated, _ in asked], own)
            for (_, given), verdict in zip(asked, verdicts, strict=True):
                given.by_method[method.name] = verdict
        return [given.verdict() for given in answers]


def _no_scores(_pairs: Sequence[ScorePair]) -> Scores:
    return {}


@dataclass(slots=True)
class _Answers:
    """The verdicts of the methods on one sample, in their order."""

    by_method: dict[str, Verdict] = field(default_factory=dict)

    @property
    def decided(self) -> bool:
        return any(map(_decides, self.by_method.values()))

    def verdict(self) -> Verdict:
        opinions = {name: verdict.outcome for name, verdict in self.by_method.items()}
        for name, verdict in self.by_method.items():
            if _decides(verdict):
                return replace(verdict, by=name, opinions=opinions)
        return _no_decision(self.by_method, opinions)


def _decides(verdict: Verdict) -> bool:
    return verdict.outcome not in _NO_DECISION or verdict.reading is not None


def _no_decision(by_method: Mapping[str, Verdict], opinions: Mapping[str, Outcome]) -> Verdict:
    """Nobody decided: an error if a method could not judge at all, with everything that is known."""
    failed = any(verdict.outcome is Outcome.ERROR for verdict in by_method.values())
    return Verdict(
        Outcome.ERROR if failed else Outcome.UNDECIDED,
        "; ".join(f"{name}: {verdict.reason or verdict.outcome}" for name, verdict in by_method.items()),
        evidence=tuple(item for verdict in by_method.values() for item in verdict.evidence),
        compared=next((verdict.compared for verdict in by_method.values() if verdict.compared), ()),
        margin=next((verdict.margin for verdict in by_method.values() if verdict.withheld), None),
        opinions=opinions,
    )
