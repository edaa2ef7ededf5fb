"""Which form of the cues an audit recommends"""

from __future__ import annotations

from types import SimpleNamespace

from mtprobe.audit.fitness import CategoryFitness
from mtprobe.audit.outcome import InPlaceAudit
from mtprobe.methods.audit_pairs.outcome import Fitness
from mtprobe.methods.verdict import Outcome
from mtprobe.statistics.measure import Measure
from mtprobe.studies.evaluator import EvaluatorAudit, FormAudit
from tests.report.factory import a_sample, a_suite


def form(name, *, decided, agreement, bias):
    """Of ten samples so many are decided."""
    results = [
        a_sample(str(number), Outcome.CORRECT if number < decided else Outcome.UNDECIDED)
        for number in range(10)
    ]
    same = Measure(agreement, agreement, agreement, decided)
    row = CategoryFitness(
        "male", Fitness.UNKNOWN, "gender-morphology", same, same, Measure(bias, bias, bias, decided), same
    )
    return FormAudit(name, judged=a_suite(*results, in_place=InPlaceAudit((row,))))


def test_a_form_that_decides_little_is_not_the_best_although_it_is_hardly_biased():
    careful = form("careful", decided=6, agreement=1.0, bias=0.0)
    bold = form("bold", decided=10, agreement=0.9, bias=0.04)
    audit = EvaluatorAudit(SimpleNamespace(), SimpleNamespace(), None, (careful, bold))
    assert audit.best is bold
    assert (careful.decided("male"), careful.usefulness.right) == (0.6, 0.6)


def test_of_equally_useful_forms_the_one_in_use_stays():
    forms = tuple(form(name, decided=9, agreement=0.9, bias=0.0) for name in ("used", "other"))
    assert EvaluatorAudit(SimpleNamespace(), SimpleNamespace(), None, forms).best is forms[0]
