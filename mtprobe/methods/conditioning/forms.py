"""`cues: best`: the cue form that an evaluator understands best, and the samples on which this is measured.

An evaluator that hears *the woman nurse* may be deaf to *the nurse (a woman)*, and another the other way round. So the
form is chosen by how well the verdicts with it agree with what is known about the same translations, on one half of the
words: the other half shows what the choice is worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from mtprobe.store import Store
from mtprobe.suite.labels import half_of
from mtprobe.suite.sample import Sample, Suite

FEWEST = 10  # samples of a category with a known answer; with fewer there is no best
_PER_CATEGORY = 100  # samples that a form is tried on
_PER_ANSWER = 5  # samples with the same answer that make a share of their own
_VERSION = "1"  # of the way in which a form is chosen


@dataclass(frozen=True, slots=True)
class ChosenForm:
    """The form with the best agreement."""

    name: str
    truth: str  # what it agrees with: labels, or a witness
    samples: int  # that were compared
    agreement: Mapping[str, float]  # by form

    def __str__(self) -> str:
        others = ", ".join(
            f"{form} {share:.2f}" for form, share in self.agreement.items() if form != self.name
        )
        return (
            f"cues {self.name}, the best of {len(self.agreement)} forms for this evaluator: its verdicts agree with "
            f"{self.truth} in {self.agreement[self.name]:.2f}, balanced over categories (n = {self.samples:,}, one half "
            f"of the words; {others})"
        )


def samples_for_choice(suite: Suite) -> list[Sample]:
    """A fixed set from one half of the words: labelled samples first, then those with the smallest hash."""
    if not suite.chooses_form:
        return []
    labelled = {label.source for lines in suite.labels.values() for label in lines if label.label}
    by_category: dict[str | None, list[Sample]] = {}
    for sample in suite.samples:
        if suite.served_by_forms(sample) and half_of(sample.cluster) == "tuning":
            by_category.setdefault(sample.category, []).append(sample)
    return [
        sample
        for samples in by_category.values()
        for sample in sorted(samples, key=lambda one: (one.source not in labelled, suite.rank(one)))[
            :_PER_CATEGORY
        ]
    ]


def balanced_agreement(
    samples: Sequence[Sample], answers: Mapping[str, str | None], truth: Mapping[str, str]
) -> float:
    """How often answers are the true ones: within a category the mean over true answers, then over categories.

    So a form that always hears the more frequent reading gains nothing by it.
    """
    cells: dict[str | None, dict[str, list[bool]]] = {}
    for sample in samples:
        if sample.id in truth:
            right = answers.get(sample.id) == truth[sample.id]
            cells.setdefault(sample.category, {}).setdefault(truth[sample.id], []).append(right)
    return fmean(map(_balanced, cells.values()))


def _balanced(by_answer: Mapping[str, Sequence[bool]]) -> float:
    large = [right for right in by_answer.values() if len(right) >= _PER_ANSWER]
    return fmean(map(fmean, large)) if large else fmean(one for right in by_answer.values() for one in right)


def enough(samples: Sequence[Sample], truth: Mapping[str, str]) -> bool:
    """Whether every category has enough samples whose answer is known."""
    known = dict.fromkeys((sample.category for sample in samples), 0)
    for sample in samples:
        known[sample.category] += sample.id in truth
    return bool(known) and min(known.values()) >= FEWEST


def stored_form(store: Store | None, evaluator: str, suite: Suite, target: str) -> ChosenForm | None:
    """The form that was chosen before; None if there is none, or if the store has something else there."""
    value = store.choice(evaluator, *_key(suite, target)) if store is not None else None
    match value:
        case {"form": str(form), "truth": str(truth), "samples": int(n), "agreement": {**agreement}}:
            known = {str(form): float(share) for form, share in agreement.items() if isinstance(share, float)}
            if form in known and [*known] == [*suite.cue_forms]:
                return ChosenForm(form, truth, n, known)
    return None


def store_form(store: Store | None, evaluator: str, suite: Suite, target: str, chosen: ChosenForm) -> None:
    if store is not None:
        value = {
            "form": chosen.name,
            "truth": chosen.truth,
            "samples": chosen.samples,
            "agreement": dict(chosen.agreement),
        }
        store.add_choice(evaluator, _key(suite, target), value)


def _key(suite: Suite, target: str) -> tuple[str, ...]:
    return "cue form", _VERSION, suite.digest, target
