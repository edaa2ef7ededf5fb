"""Plans for suites that let the run choose the cue form (`cues: best`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mtprobe.audit.forms import best_form, form_judge, parts_of
from mtprobe.backends.model import Model
from mtprobe.errors import Failure
from mtprobe.methods import Preparation
from mtprobe.methods.scoring import scoring_for
from mtprobe.plan.suite import SuitePlan
from mtprobe.progress import Progress
from mtprobe.store import Store


def with_best_form(
    plan: SuitePlan,
    model: Model,
    translations: Mapping[str, str | Failure],
    store: Store | None,
    progress: Progress,
) -> SuitePlan:
    """The plan with the cue form that its evaluator understands best; unchanged if there is nothing to choose."""
    judge = form_judge(plan.suite, plan.methods)
    scoring = scoring_for(judge, model, plan.evaluator) if judge else None
    if judge is None or scoring is None:
        return plan
    languages = model.languages.with_source(plan.suite.source)
    scorer = scoring.for_suite(plan.suite, languages.target)
    preparation = Preparation(
        plan.suite, model, languages, translations, scorer, store, progress, plan.complete
    )
    witnesses = [method for method in parts_of(plan.methods) if method.is_witness]
    chosen = best_form(judge, [*witnesses, *plan.witnesses], preparation)
    return replace(
        plan,
        suite=plan.suite.with_form(chosen.name),
        complete=plan.complete.with_form(chosen.name) if plan.complete else None,
        notes=(*plan.notes, str(chosen)),
    )
