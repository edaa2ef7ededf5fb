"""Same: the sources differ in case, punctuation, a typo, a contraction or a name, and the translations may differ only there."""

from __future__ import annotations

from mtprobe.methods.relations.agreement import disagreement
from mtprobe.methods.relations.changes import changed_runs
from mtprobe.methods.relations.outside import judge_outside
from mtprobe.methods.relations.relation import Case, Finding, Relation
from mtprobe.methods.verdict import Outcome


class Same(Relation):
    name = "same"
    about = "the translations differ only where the sources do: case, final stop, a typo, another name, a contraction"

    def judge(self, case: Case) -> Finding:
        runs = changed_runs(case)
        finding = judge_outside(case, runs)
        names = [word for run in runs for side in run for word in side]
        if finding.outcome is Outcome.CORRECT and (disagreeing := disagreement(case, names)):
            return disagreeing
        return finding
