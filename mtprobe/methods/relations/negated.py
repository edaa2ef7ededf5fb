"""Negated: one of two sources negates the other, and so must its translation."""

from __future__ import annotations

from mtprobe.language.comparison import Reading, compare
from mtprobe.methods.relations.relation import Case, Finding, Relation
from mtprobe.methods.verdict import Outcome


class Negated(Relation):
    name = "negated"
    about = "one source negates the other (*agree*, *disagree*; *is*, *is not*), and so does its translation"

    def judge(self, case: Case) -> Finding:
        lexicon = case.reader.lexicon
        if not lexicon.negation:
            return Finding(Outcome.UNDECIDED, f"no words of negation are known for {case.languages.target}")
        one, other = case.first, case.second
        if case.source.negations(case.words[0]) and not case.source.negations(case.words[1]):
            one, other = other, one  # the second source is the one that affirms
        spans = ((" ".join(case.first.negations), " ".join(case.second.negations)),)
        if other.negations and not one.negations:
            return Finding.holds()
        if one.negations and other.negations:
            return Finding(Outcome.INCORRECT, f"both translations are negated (“{one.negations[0]}”)", spans)
        if one.negations:
            return Finding(Outcome.INCORRECT, "the translation of the other source is negated", spans)
        return self._without_negation(case, one, other)

    def _without_negation(self, case: Case, one: Reading, other: Reading) -> Finding:
        """Neither is negated by a word of its own; then by a prefix or by the choice of words."""
        comparison = compare(one, other, lambda mine, theirs: bool(mine.forms & theirs.forms))
        if any(
            case.reader.lexicon.are_opposites(mine.forms, theirs.forms)
            for mine in comparison.first
            for theirs in comparison.second
        ):
            return Finding.holds()
        if set(other.nearly) - set(one.nearly):
            return Finding.holds()
        if not comparison.segments:
            return Finding(
                Outcome.INCORRECT,
                "the negation is lost: both translations say the same",
                ((case.first.text, case.second.text),),
            )
        reason = f"negated by other words, or not at all: {comparison.segments[0]}"
        return Finding(Outcome.UNDECIDED, reason)
