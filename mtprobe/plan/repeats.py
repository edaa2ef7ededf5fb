"""How often each sentence is translated and each question is asked: as requested, unless repeats cannot change anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mtprobe.backends.model import Model
from mtprobe.backends.protocols import is_deterministic
from mtprobe.methods import Method
from mtprobe.methods.question.answers import repeats_of_judge
from mtprobe.methods.question.wording import Wording
from mtprobe.methods.scoring import scoring_for
from mtprobe.plan.suite import SuitePlan
from mtprobe.settings import Settings
from mtprobe.suite.sample import Suite


def repeats_for(wanted: int, model: Model, methods: Sequence[Method]) -> int:
    """Once where the model always gives the same translation, or where no method reads translations."""
    return 1 if any(unrepeated(wanted, model, methods)) else wanted


def unrepeated(wanted: int, model: Model, methods: Sequence[Method]) -> Iterator[str]:
    """A note on why sentences are translated once, although the user wants repeats."""
    if wanted < 2:
        return
    if is_deterministic(model.backend):
        yield f"repeats change nothing: {model.name} always gives the same translation, so it is called only once"
    elif not any(method.judges == "translations" for method in methods):
        yield "repeats change nothing: the method judges given targets, not the model's translations"


def asked_once(
    wanted: int, suite: Suite, model: Model, evaluator: Model | None, methods: Sequence[Method]
) -> Iterator[str]:
    """A note on why a judge is asked each question once, although the user wants repeats."""
    if wanted < 2:
        return
    for method in methods:
        scoring = scoring_for(method, model, evaluator) if _asks_a_judge(method) else None
        if scoring is None or scoring.judge is None:
            continue
        if repeats_of_judge(wanted, scoring.judge, words=Wording.of(suite).asks_for_words) == 1:
            yield (
                f"judge repeats change nothing: {scoring.model.name} always gives the same answer, "
                "so it is called only once"
            )


def unneeded_repeats(plans: Sequence[SuitePlan], settings: Settings) -> Iterator[str]:
    """Notes on repeats that change nothing in these suites."""
    asks = False
    for plan in plans:
        if plan.model is not None:
            yield from unrepeated(settings.repeat, plan.model, plan.methods)
            yield from asked_once(settings.judge_repeat, plan.suite, plan.model, plan.evaluator, plan.methods)
            asks = asks or any(map(_asks_a_judge, plan.methods))
    if plans and settings.judge_repeat > 1 and not asks:
        yield "judge repeats change nothing: no suite of this run is judged by the method question"


def _asks_a_judge(method: Method) -> bool:
    return "answers" in method.asks_for
