"""The samples of a sequential run: a fixed random order, processed in growing blocks."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from mtprobe.backends.costs import Cost, Purse, costs_of
from mtprobe.backends.model import Model
from mtprobe.errors import ModelError
from mtprobe.gates import Decision, Gate, Population
from mtprobe.methods import Method
from mtprobe.methods.judge import as_if_decided
from mtprobe.methods.scoring import scoring_for
from mtprobe.metrics import Since
from mtprobe.plan.suite import SuitePlan
from mtprobe.records import EarlyStop, SuiteRun
from mtprobe.store import Store
from mtprobe.suite.sample import Sample, Suite

_FIRST = 24  # samples
_GROWTH = 1.4  # each block ends at so many times as many samples as the one before


@dataclass(frozen=True, slots=True)
class Block:
    """The first samples of a suite, in the order in which they are asked."""

    plan: SuitePlan  # with only these samples
    order: tuple[Sample, ...]  # all samples of the suite
    asked: int
    is_last: bool = False  # no more will be asked
    over_budget: bool = False  # since the budget ends here
    # By method; all blocks of a suite share them.
    populations: dict[str, Population] = field(default_factory=dict, repr=False, compare=False)

    @property
    def is_complete(self) -> bool:
        return self.asked == len(self.order)

    def population(self, method: Method, target: str, complete: Suite) -> Population:
        """The samples that the method can judge, in order; `complete` has them with the cues that the run uses."""
        if method.name not in self.populations:
            samples = {sample.id: sample for sample in complete.samples}
            ordered = (samples[sample.id] for sample in self.order)
            judged = [sample for sample in ordered if not method.lacks(sample, target)]
            self.populations[method.name] = Population([as_if_decided(sample, target) for sample in judged])
        return self.populations[method.name]

    def compared(self, since: Since) -> Since:
        """The baseline without samples that were not asked yet."""
        if isinstance(since.results, str):
            return since
        unasked = {sample.id for sample in self.order[self.asked :]}
        return replace(since, results=[result for result in since.results if result.id not in unasked])

    def decides(self, runs: Sequence[SuiteRun]) -> bool:
        """Whether every gate that has to be decided is; one that cannot be judged will not be with more samples either."""
        keys = {gate.key for gate in wanted(self.plan) if gate.metric.of_samples}
        final = (Decision.PASSED, Decision.FAILED, Decision.ERROR)
        return all(gate.decision in final for run in runs for gate in run.gates if gate.key in keys)

    @property
    def undecided(self) -> str | None:
        """Why gates stay undecided; None as long as more samples may decide them."""
        if not self.is_last:
            return None
        why = (
            "the budget ended" if self.over_budget else "the run stopped when the selected gates were decided"
        )
        return f"{why}, after {self.asked:,} of {len(self.order):,} samples"

    def early_stop(self, plan: SuitePlan, *, translated: bool) -> EarlyStop:
        """For the record."""
        gates = sum(len(plan.gates_of(method)) for method in plan.methods)
        decided = f"every {'' if len(wanted(plan)) == gates else 'selected '}gate was decided"
        keys = {sample.key for sample in plan.suite.samples}
        fitted = {sample.key for sample in plan.fitted_on()} - keys if translated else ()
        reason = "the budget ended" if self.over_budget else decided
        return EarlyStop(self.asked, len(self.order), reason, len(fitted))


def blocks_of(plan: SuitePlan, model: Model, store: Store | None, purse: Purse) -> Iterator[Block]:
    """Growing blocks; the last has all samples, or as many as can be paid. Each is paid when it is drawn."""
    order, why = ordered(plan.suite), asks_all(plan)
    count = len(order)
    populations: dict[str, Population] = {}
    for size in (*(() if why else sizes(count)), count):
        affordable = _affordable(plan, model, order[:size], store, purse)
        if affordable < size:
            last = _block_of(plan, order, affordable)
            yield replace(last, is_last=True, over_budget=True, populations=populations)
            return
        if size < count:
            yield replace(_block_of(plan, order, size), populations=populations)
    note = f"sequential: all {count:,} samples were asked: {why or 'fewer samples did not decide every gate'}"
    yield Block(replace(plan, notes=(*plan.notes, note)), order, count, is_last=True)


def ordered(suite: Suite) -> tuple[Sample, ...]:
    """Ordered by a hash of seed and id, which is independent of all properties of samples.

    It is another order than that of `Suite.rank`, by which the samples are chosen that something is fitted on.
    """

    def place(sample: Sample) -> bytes:
        return hashlib.blake2b(f"sequential\0{suite.seed}\0{sample.id}".encode(), digest_size=16).digest()

    return tuple(sorted(suite.samples, key=place))


def _block_of(plan: SuitePlan, order: tuple[Sample, ...], count: int) -> Block:
    """Everything fitted is fitted on the complete suite, as with `take`."""
    kept = {sample.id for sample in order[:count]}
    samples = tuple(sample for sample in plan.suite.samples if sample.id in kept)
    suite = replace(plan.suite, samples=samples)
    return Block(replace(plan, suite=suite, partial=True, complete=plan.complete or plan.suite), order, count)


def sizes(samples: int) -> Iterator[int]:
    """The sizes of all blocks but the last."""
    size = float(_FIRST)
    while size < samples:
        yield int(size)
        size *= _GROWTH


def _affordable(
    plan: SuitePlan, model: Model, samples: tuple[Sample, ...], store: Store | None, purse: Purse
) -> int:
    """How many of the samples can be paid; they are."""

    def costs(count: int) -> list[Cost]:
        requests = _block_of(plan, samples, count).plan.requests() if count else {}
        return costs_of([(model, list(requests.values()))], store)

    count = len(samples)
    if not purse.allows(costs(count)):
        count = bisect_left(range(count), True, key=lambda fewer: not purse.allows(costs(fewer))) - 1
    purse.pay(costs(count))
    return count


def asks_all(plan: SuitePlan) -> str:
    """Why all samples have to be asked at once; empty if gates may be decided before."""
    gates = wanted(plan)
    if plan.suite.each:
        return "each of them is a separate test (`expect: each`)"
    if not gates:
        return "there is no gate to decide"
    if needy := [gate.key for gate in gates if not gate.metric.sequential]:
        return f"{', '.join(needy)} {'needs' if len(needy) == 1 else 'need'} all of them"
    if plan.suite.corrected and any(gate.metric.corrects for gate in gates):
        return "gates are decided on values corrected by labels"
    if any(_by_place(plan, method) for method in plan.methods):
        return "the scores of a file follow the order of all of them"
    return ""


def wanted(plan: SuitePlan) -> list[Gate]:
    """The gates that have to be decided."""
    return [
        gate
        for method in plan.methods
        for gate in plan.gates_of(method)
        if plan.selected is None or gate.key in plan.selected
    ]


def _by_place(plan: SuitePlan, method: Method) -> bool:
    if plan.model is None:
        return False
    try:
        scoring = scoring_for(method, plan.model, plan.evaluator)
    except ModelError:
        return False
    return scoring is not None and hasattr(scoring.scorer, "for_suite")
