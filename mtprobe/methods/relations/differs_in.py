"""Differs-in: one word is replaced, and the rest of the translation stays (structure-invariant testing, He et al., 2020)."""

from __future__ import annotations

from mtprobe.language.comparison import compare
from mtprobe.methods.relations.changes import changed_runs
from mtprobe.methods.relations.outside import judge_outside
from mtprobe.methods.relations.relation import Case, Finding, Relation
from mtprobe.methods.verdict import Outcome


class DiffersIn(Relation):
    name = "differs-in"
    about = "a word is replaced: only its translation and words that agree with it may change"

    def judge(self, case: Case) -> Finding:
        finding = judge_outside(case, changed_runs(case))
        if (
            finding.outcome is Outcome.CORRECT
            and not compare(case.first, case.second, case.reader.same).segments
        ):
            return Finding(Outcome.UNDECIDED, "the translations do not differ, although the sources do")
        return finding
