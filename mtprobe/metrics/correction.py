"""Accuracies corrected by labels: verdicts on all samples, and labels of the drawn ones.

The accuracy that is estimated is that of all samples whose label would be clear, also of those that the method left
undecided. A degenerate output is wrong without a label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from mtprobe.methods.labelled import missing_labels
from mtprobe.methods.verdict import Outcome
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.clustered import correlation_of
from mtprobe.statistics.corrected import Corrected, Stratum, corrected
from mtprobe.statistics.extremes import LargestGap, Lowest
from mtprobe.statistics.intervals import Mask
from mtprobe.statistics.measure import Estimated
from mtprobe.suite.labels import CORRECT, INCORRECT

# A stratum without labels is taken at its word.
_GUESSES = {Outcome.CORRECT: 1.0, Outcome.INCORRECT: 0.0, Outcome.UNDECIDED: 0.5, Outcome.DEGENERATE: 0.0}


def corrected_share(tally: Tally, mask: Mask) -> Estimated | None:
    """The accuracy of some samples; None where none of them was drawn."""
    inside = tally.answered & mask
    if not (tally.drawn[inside] > 0).any():
        return None
    if note := _missing(tally, inside):
        return Estimated.nothing(note)
    estimate = corrected([*_strata(tally, inside)])
    if estimate is None:
        return Estimated.nothing("no label is clear")
    labels = int((_labelled(tally) & inside).sum())
    return Estimated(estimate, labels, f"{labels:,} labels")


def corrected_minimum(tally: Tally, masks: Mapping[str, Mask]) -> Estimated | None:
    """The lowest of several groups."""
    groups = _groups(tally, masks)
    if not isinstance(groups, dict):
        return groups
    values = {name: estimate.value for name, (estimate, _) in groups.items()}
    lowest = Lowest(tuple(estimate for estimate, _ in groups.values()))
    return _over(groups, lowest, min(values, key=lambda name: values[name]))


def corrected_gap(tally: Tally, masks: Mapping[str, Mask]) -> Estimated | None:
    """The largest difference between groups; correlations that would narrow it are not believed."""
    present = {name: mask for name, mask in masks.items() if (mask & tally.answered).any()}
    groups = _groups(tally, present)
    if not isinstance(groups, dict):
        return groups
    if len(groups) < 2:
        return Estimated.nothing("only one group with labels")
    estimates = [estimate for estimate, _ in groups.values()]
    correlations = correlation_of([estimate.influences for estimate in estimates]).clip(max=0.0)
    names = sorted(groups, key=lambda name: groups[name][0].value)
    return _over(groups, LargestGap(tuple(estimates), correlations), f"{names[-1]} over {names[0]}")


def _missing(tally: Tally, inside: Mask) -> str:
    """Why there is no corrected number; empty if there is one."""
    drawn = (tally.drawn > 0) & inside
    waiting = drawn & (tally.labels == "") & (tally.outcomes != Outcome.DEGENERATE)
    return missing_labels(int(waiting.sum()), int(drawn.sum())) if waiting.any() else ""


Groups = dict[str, tuple[Corrected, int]]


def _groups(tally: Tally, masks: Mapping[str, Mask]) -> Groups | Estimated | None:
    """Each group's estimate with its number of labels; or the first that has none."""
    groups: Groups = {}
    shares = {name: corrected_share(tally, mask) for name, mask in masks.items()}
    if not any(shares.values()):
        return None
    for name, share in shares.items():
        if share is None:
            return Estimated.nothing(f"no sample of {name} was drawn for labels")
        if not isinstance(share.estimate, Corrected):
            return share
        groups[name] = share.estimate, share.n
    return groups


def _over(groups: Groups, estimate: Lowest | LargestGap, note: str) -> Estimated:
    labels = sum(n for _, n in groups.values())
    return Estimated(estimate, labels, f"{note}; {labels:,} labels")


def _labelled(tally: Tally) -> Mask:
    labelled: Mask = (tally.drawn > 0) & (tally.labels != "")
    return labelled


def _strata(tally: Tally, inside: Mask) -> Iterator[Stratum]:
    weights = np.where(_labelled(tally), tally.drawn, 0.0)
    clear, right = np.isin(tally.labels, [CORRECT, INCORRECT]), tally.labels == CORRECT
    for outcome, guess in _GUESSES.items():
        yield Stratum.of(
            tally.clusters,
            weights,
            clear,
            right,
            guess,
            inside=inside & (tally.outcomes == outcome),
            known=outcome is Outcome.DEGENERATE,
            repeats=tally.repeats,
        )
