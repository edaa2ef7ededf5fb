"""The text of a failing gate: the value, its interval, the bound, and the samples that failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mtprobe.gates import Decision, Gate, GateResult
from mtprobe.methods.further import AGAINST, BACK, SOURCE
from mtprobe.methods.verdict import Evidence, Result
from mtprobe.metrics import MetricContext, answered, tally
from mtprobe.metrics.regression import Regression
from mtprobe.printable import printable
from mtprobe.records import SuiteRun
from mtprobe.report.audit import audit_warning, evaluator_decided
from mtprobe.report.corrected import beside, needed
from mtprobe.report.numbers import interval, share, with_interval
from mtprobe.report.screen.diff import then_and_now
from mtprobe.suite.shipped import shown_path

_SHOWN = 3
_FLIPS_SHOWN = 10


def describe_gate(result: GateResult, gate: Gate, run: SuiteRun, comparison: str = "") -> str:
    """The text under a failed gate, printable; `comparison` is the command that shows all flips since the baseline."""
    return "\n".join(map(printable, _lines(result, gate, run, comparison)))


def _lines(result: GateResult, gate: Gate, run: SuiteRun, comparison: str) -> Iterator[str]:
    yield headline(result, gate, run)
    itself = "judged by itself" if run.judges_itself and evaluator_decided(run) else ""
    judge = f"evaluator {run.evaluator.name}" if run.evaluator else itself
    partial = "only some of the samples" if run.partial else ""
    facts = [f"model {run.model.name} ({run.source}→{run.target})", judge, partial]
    yield f"{', '.join(fact for fact in facts if fact)}; {shown_path(result.path)}:{result.line}"
    if warning := audit_warning(run):
        yield f"warning: {warning}"
    if result.regression is not None:
        yield from _flips(result.regression, run, comparison)
        return
    context = MetricContext(tally(run.results, run.seed, run.variants), answered(run.categories, run.results))
    samples = gate.metric.blamed_samples(context, gate.selector, is_lower=gate.bound.wants_more)
    if samples:
        yield ""
        yield f"the {gate.metric.blamed_as} {min(_SHOWN, len(samples))} of {len(samples)} samples:"
        for sample in samples[:_SHOWN]:
            yield ""
            yield from ("  " + line for line in describe_sample(sample))


def _flips(regression: Regression, run: SuiteRun, comparison: str) -> Iterator[str]:
    """The first samples that regressed, each with its translation in the baseline and its present one."""
    results = {(result.id, result.repeat): result for result in run.results}
    regressed = [flip for flip in regression.regressed if (flip.id, flip.repeat) in results]
    if not regressed and not regression.fixed:
        return
    yield ""
    were = "sample was" if len(regressed) == 1 else "samples were"
    yield f"{len(regressed)} {were} right in the baseline ({regression.baseline}) but no longer:"
    for flip in regressed[:_FLIPS_SHOWN]:
        result = results[flip.id, flip.repeat]
        first, source, _, *others = describe_sample(result)
        changes = then_and_now(flip.translation, result.translation)
        yield ""
        yield from (f"  {line}" for line in (first, source, *(f"  {change}" for change in changes), *others))
    rest = [
        *([f"{len(regressed) - _FLIPS_SHOWN:,} more regressed"] if len(regressed) > _FLIPS_SHOWN else []),
        *([f"{len(regression.fixed):,} fixed"] if regression.fixed else []),
    ]
    if rest:
        yield ""
        yield f"and {', '.join(rest)}{f'; to see all: {comparison}' if comparison else ''}"


def headline(result: GateResult, gate: Gate, run: SuiteRun) -> str:
    """The measured value and its bound."""
    level = f"{(gate.bound.level or 0.95) * 100:g}%"
    name = f"{run.suite}: {result.key}"
    if result.decision is Decision.EMPTY:
        return f"{name} could not be measured: {result.reason}; it must be {result.bound}"
    notes = "; ".join(filter(None, (result.measure.note, beside(result))))
    note = f" [{notes}]" if notes else ""
    value = f"{name} = {with_interval(result.measure, level, gate.bound)}{note}"
    if result.decision is Decision.UNDECIDED and result.reason:
        return f"{value} is undecided: {result.reason}; it must be {result.bound}"
    if result.decision is Decision.UNDECIDED:
        return f"{value} is undecided: it must be {result.bound}, and the interval spans the bound; {_needed(result)}"
    if result.decision is Decision.FAILED and result.reason:  # the number itself may be within the bound
        return f"{value}, and must be {result.bound}: {result.reason}"
    return f"{value}, {'but' if result.decision is Decision.FAILED else 'and'} must be {result.bound}"


def one_line(result: GateResult) -> str:
    """The number, its interval and the bound, without what else is known; for a list of gates."""
    if result.decision is Decision.EMPTY:
        return f"could not be measured: {result.reason}; must be {result.bound}"
    bound = result.parsed_bound
    measure = result.measure
    note = measure.note.partition(";")[0]
    value = f"{share(measure.value, bound.value if bound else None)} ({interval(measure, bound)}, n = {measure.n:,})"
    value += f" [{note}]" if note else ""
    if result.decision is Decision.UNDECIDED:
        why = result.reason or needed(result)
        return f"{value}, undecided: must be {result.bound}{f'; {why}' if why else ''}"
    return f"{value}, must be {result.bound}{f': {result.reason}' if result.reason else ''}"


def _needed(result: GateResult) -> str:
    """What would decide an undecided gate."""
    if result.n_to_decide:
        return needed(result)
    if result.measure.bounds is not None:
        return "it depends on the undecided samples, so no number of samples would decide it"
    return "it lies on the bound, so no number of samples would decide it"


def describe_sample(result: Result) -> list[str]:
    """A sample's location, source, translation and verdict with its evidence, as printable lines."""
    return list(map(printable, _about_sample(result)))


def _about_sample(result: Result) -> Iterator[str]:
    verdict = result.verdict
    sure = f", p = {verdict.probability:.3f}" if verdict.probability is not None else ""
    reason = f": {verdict.reason}" if verdict.reason else ""
    outcome = f"chose {verdict.choice}" if verdict.choice else verdict.outcome.value
    category = result.category or "no category"
    by = f" by {verdict.by}" if verdict.by else ""
    yield f"{result.place} {result.name} [{category}] {outcome}{by}{sure}{reason}"
    yield f"  source       {marked(result.source, result.focus)}"
    yield f"  translation  {result.translation if result.translation is not None else '–'}"
    if result.label:
        yield f"  label        {result.label}"
    if result.compared:
        yield f"  compared     {result.compared}"
    for item in _best_of_each_side(result):
        offset = f" less {item.offset:+.3f}" if item.offset else ""
        score = f"{item.score:+.3f}{offset}" if item.score is not None else ""
        yield f"  {item.side:<11}  {score}  {item.text}{_lemma(item)}{_translated(item)}"


def _lemma(evidence: Evidence) -> str:
    """The lemma that matched, and its sense."""
    names = [str(evidence.attributes[name]) for name in ("lemma", "sense") if name in evidence.attributes]
    return f" ({': '.join(names)})" if "lemma" in evidence.attributes else ""


def _translated(evidence: Evidence) -> str:
    """The origin of a further translation: another source, or the translation that was translated back."""
    source = evidence.attributes.get(SOURCE)
    return f"  ← {source}" if source and evidence.side in (AGAINST, BACK) else ""


def marked(source: str, focus: Sequence[int] | None) -> str:
    """The source with its focus marked."""
    if focus is None:
        return source
    return f"{source[: focus[0]]}<{source[focus[0] : focus[1]]}>{source[focus[1] :]}"


def _best_of_each_side(result: Result) -> Iterator[Evidence]:
    for side in dict.fromkeys(item.side for item in result.verdict.evidence):
        items = [item for item in result.verdict.evidence if item.side == side]
        yield max(items, key=lambda item: item.score if item.score is not None else float("-inf"))
