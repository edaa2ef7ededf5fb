"""Symmetric: two names are swapped in the source, and must be swapped in the translation."""

from __future__ import annotations

from collections.abc import Sequence

from mtprobe.language.comparison import Reading, Word
from mtprobe.language.comparison.reading import without_accents
from mtprobe.language.match import fold
from mtprobe.methods.relations.agreement import disagreement
from mtprobe.methods.relations.outside import judge_outside
from mtprobe.methods.relations.relation import Case, Finding, Relation
from mtprobe.methods.verdict import Outcome
from mtprobe.suite.sample import Sample


class Symmetric(Relation):
    name = "symmetric"
    about = "two `names` are swapped in the source; the translation swaps them too and is otherwise unchanged"

    def lacks(self, sample: Sample) -> str | None:
        if len(sample.names) != 2:
            return "needs two `names`, those that are exchanged, for `relation: symmetric`"
        if not all(name in text for name in sample.names for text in sample.sentences):
            return "needs both `names` in the source and in `against`, for `relation: symmetric`"
        return super().lacks(sample)

    def judge(self, case: Case) -> Finding:
        names = [without_accents(fold(name)) for name in case.sample.names]
        order = [_order(reading, names) for reading in (case.first, case.second)]
        found = [set(places) for places in order]
        for name, written in zip(names, case.sample.names, strict=True):
            if (name in found[0]) != (name in found[1]):
                which = "second" if name in found[0] else "first"
                spans = (written, "") if name in found[0] else ("", written)
                return Finding(
                    Outcome.INCORRECT,
                    f"the name “{written}” is missing from the {which} translation",
                    (spans,),
                )
        if found[0] != set(names):
            return _other_forms(case)
        finding = judge_outside(case, ())
        exchanged = [names[1 - names.index(name)] for name in order[0]]
        if finding.outcome is Outcome.CORRECT and exchanged != order[1]:
            if len(order[0]) != 2 or len(order[1]) != 2:
                return Finding(Outcome.UNDECIDED, "a name occurs more than once")
            return Finding(
                Outcome.INCORRECT,
                "the names are not exchanged in the translations",
                ((" … ".join(order[0]), " … ".join(order[1])),),
            )
        if finding.outcome is Outcome.CORRECT and (disagreeing := disagreement(case, names)):
            return disagreeing
        return finding


def _other_forms(case: Case) -> Finding:
    """Names that a language writes in its own way, *Londres* and *Pedro*: two words exchange their places, or none does."""
    first, second = case.first.content, case.second.content
    moved = [
        (one, other) for one, other in zip(first, second, strict=False) if not case.reader.same(one, other)
    ]
    alike = len(first) == len(second) and bool(case.first.negations) == bool(case.second.negations)
    if alike and len(moved) in (0, 2) and all(_are_names(pair) for pair in moved):
        if not moved:
            return Finding(
                Outcome.INCORRECT,
                "the names are not exchanged in the translations",
                ((case.first.text, case.second.text),),
            )
        if all(case.reader.same(one, other) for one, other in zip(moved[0], reversed(moved[1]), strict=True)):
            return Finding.holds()
    return Finding(Outcome.UNDECIDED, "the names are not in the translations as they are written")


def _are_names(pair: Sequence[Word]) -> bool:
    return all(word.text[:1].isupper() for word in pair)


def _order(reading: Reading, names: Sequence[str]) -> list[str]:
    return [word for word in reading.bare if word in names]
