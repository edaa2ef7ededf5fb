"""Agreement with names: exchanging two names of the same gender leaves other words unchanged."""

from __future__ import annotations

from collections.abc import Sequence

from mtprobe.language.comparison import Reading, compare
from mtprobe.language.comparison.reading import without_accents
from mtprobe.language.perturbations.name_swap import given_gender
from mtprobe.methods.relations.relation import Case, Finding
from mtprobe.methods.verdict import Outcome


def disagreement(case: Case, names: Sequence[str]) -> Finding | None:
    """An alarm if a word changes its gender although all names are of one; None where that is not known."""
    genders = {given_gender(name) for name in names}
    if len(genders) != 1 or None in genders:
        return None
    starts = [_first_name(reading, names) for reading in (case.first, case.second)]
    for one, other in compare(case.first, case.second, case.reader.same).pairs:
        follows = (
            one.start > starts[0] and other.start > starts[1]
        )  # *o professor pediu a Hannah* is another person
        if follows and case.reader.lexicon.differ_in_gender(one.folded, other.folded):
            reason = (
                f"“{one.text}” and “{other.text}” differ in gender, although all names are {genders.pop()}"
            )
            return Finding(Outcome.INCORRECT, reason, ((one.text, other.text),))
    return None


def _first_name(reading: Reading, names: Sequence[str]) -> int:
    bare = {without_accents(name.casefold()) for name in names}
    return min(
        (word.start for word in reading.words if without_accents(word.folded) in bare),
        default=len(reading.text),
    )
