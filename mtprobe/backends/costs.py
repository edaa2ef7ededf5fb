"""Estimates the cost of a run before it starts; stored results cost nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mtprobe.backends.ensemble import Ensemble
from mtprobe.backends.guard import guarded
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import Estimate, Priced, Request, as_request, inputs_for
from mtprobe.backends.scorer import PricedScorer, holds_budget
from mtprobe.backends.stored import stored_translations
from mtprobe.errors import ModelError
from mtprobe.store import Store

_ROUNDING = 1e-9  # dollars: ten times 0.10 is 1.00


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one model of a run, for one target."""

    model: str  # its title
    estimate: Estimate

    def __str__(self) -> str:
        dollars = self.estimate.dollars
        amount = "at an unknown price" if dollars is None else f"about {_money(dollars)}"
        return f"{self.model}: {self.estimate.characters:,} characters, {amount} ({self.estimate.basis})"


def costs_of(asked: Iterable[tuple[Model, Sequence[str | Request]]], store: Store | None) -> list[Cost]:
    """The cost of each model that may cost something, over everything that it is asked."""
    sources: dict[tuple[str, str], tuple[Model, dict[Request, None]]] = {}
    for model, texts in asked:
        requests = sources.setdefault((model.name, model.into), (model, {}))[1]
        requests.update(dict.fromkeys(map(as_request, texts)))
    costs = (_cost(model, list(texts), store) for model, texts in sources.values())
    return [cost for cost in costs if cost is not None]


def _cost(model: Model, sources: Sequence[Request], store: Store | None) -> Cost | None:
    backend = model.backend
    if not isinstance(backend, Priced):
        return None
    keys = [request.key for request in sources]
    known = stored_translations(model.backend, keys, store) if store is not None else {}
    missing = [request for request in sources if request.key not in known]
    if not missing:
        return None
    with guarded(backend):
        estimate = backend.estimate(inputs_for(backend, missing))
    if estimate is None:
        return None
    dollars = estimate.dollars
    if dollars is not None and not (math.isfinite(dollars) and dollars >= 0):  # NaN exceeds no budget
        raise ModelError(f"{model.name} estimates a cost of {dollars} US dollars, which is not an amount")
    return Cost(model.title, estimate)


class Purse:
    """The rest of a budget, for suites that are processed in blocks."""

    def __init__(self, dollars: float | None = None) -> None:
        self._dollars = dollars  # None: no limit

    def allows(self, costs: Sequence[Cost]) -> bool:
        return self._dollars is None or _total(costs) <= self._dollars + _ROUNDING

    def pay(self, costs: Sequence[Cost]) -> None:
        if self._dollars is not None:
            self._dollars -= _total(costs)


def purse_of(
    budget: float | None, at_once: Sequence[Cost], in_blocks: Sequence[Cost], shares: int = 1
) -> Purse:
    """The rest of the budget after everything requested at once; an error if that exceeds the budget, or if a price is unknown.

    It is divided between processes that do not know of each other.
    """
    check_budget(at_once, budget)
    if budget is None:
        return Purse()
    if any(cost.estimate.dollars is None for cost in in_blocks):
        check_budget(in_blocks, budget)
    return Purse((budget - _total(at_once)) / shares)


def _total(costs: Sequence[Cost]) -> float:
    return sum(cost.estimate.dollars or 0.0 for cost in costs)


def check_budget(costs: Sequence[Cost], budget: float | None) -> None:
    """Refuses a run that may cost more than it should; without a budget, nothing is refused."""
    if budget is None or not costs:
        return
    listed = "".join(f"\n  {cost}" for cost in costs)
    if any(cost.estimate.dollars is None for cost in costs):
        raise ModelError(
            f"the budget of {_money(budget)} cannot be held, since a price is not known:{listed}"
        )
    total = _total(costs)
    if total > budget + _ROUNDING:
        raise ModelError(
            f"the run would cost about {_money(total)}, more than the budget of {_money(budget)}; "
            f"nothing was sent:{listed}"
        )


def hold_budget(
    models: Iterable[Model], costs: Sequence[Cost], budget: float | None, workers: int = 1
) -> None:
    """Gives scorers that cost money what translations leave of the budget, in equal shares.

    What they will score is known only when there are translations, so each of them watches its own share.
    """
    if budget is None:
        return
    scorers = {id(scorer): scorer for model in models for scorer in _scorers(model)}
    left = max(0.0, budget - sum(cost.estimate.dollars or 0.0 for cost in costs))
    for scorer in scorers.values():
        with guarded(scorer):
            scorer.hold_budget(left / len(scorers) / workers)


def _scorers(model: Model) -> list[PricedScorer]:
    backend = model.backend
    members: Sequence[object] = backend.members if isinstance(backend, Ensemble) else (backend,)
    return [member for member in members if holds_budget(member)]


def _money(dollars: float) -> str:
    return f"{dollars:,.2f} USD" if dollars >= 0.1 or dollars == 0 else f"{dollars:.2g} USD"
