"""The samples that fit on one screen: the worst of each suite with a failed gate, one line each, none twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from mtprobe.gates import Decision, GateResult
from mtprobe.methods import method_named
from mtprobe.methods.further import AGAINST, BACK, SOURCE
from mtprobe.methods.verdict import Outcome, Result
from mtprobe.metrics import MetricContext, answered, tally
from mtprobe.metrics.regression import Flip
from mtprobe.records import SuiteRun
from mtprobe.report.failure import marked
from mtprobe.report.screen.diff import word_diff
from mtprobe.report.screen.table import column_names
from mtprobe.report.wrongness import confidence

_PER_SUITE = 3
_ROOM = 12  # of all suites together; each of the first twelve gets one
_LONGEST = 160  # characters of a sentence


def worst_lines(suites: Sequence[SuiteRun]) -> Iterator[str]:
    """The worst samples of suites with a failed gate; more suites mean fewer samples of each."""
    failing = [(suite, gates) for suite in suites if (gates := failed_gates(suite))]
    each = max(1, min(_PER_SUITE, _ROOM // max(1, len(failing))))
    names = dict(zip(map(id, suites), column_names(suites), strict=True))
    seen: set[tuple[str, str, str, str]] = set()
    for suite, gates in failing[:_ROOM]:
        where = (suite.path, suite.model.name, suite.target)
        blamed = _once(
            (result, flip) for result, flip in _blamed(suite, gates) if (*where, result.id) not in seen
        )
        for result, flip in _varied(blamed, each):
            seen.add((*where, result.id))
            name = names[id(suite)]
            yield (f"{name}: " if name else "") + _line(suite, result, flip)
    if len(failing) > _ROOM:
        yield f"and {len(failing) - _ROOM} more suites with failed gates"


def _once(samples: Iterable[tuple[Result, Flip | None]]) -> Iterator[tuple[Result, Flip | None]]:
    """Each sample the first time: several gates may blame it."""
    met: set[str] = set()
    for result, flip in samples:
        if result.id not in met:
            met.add(result.id)
            yield result, flip


def _varied(samples: Iterable[tuple[Result, Flip | None]], most: int) -> Iterator[tuple[Result, Flip | None]]:
    """The first ones; among equally wrong ones, those of templates and clusters that were not shown yet."""
    shown: Counter[str] = Counter()
    for _, group in groupby(samples, key=_how_wrong):
        candidates = list(group)
        while candidates and most:
            place = min(range(len(candidates)), key=lambda place: _repeated(candidates[place][0], shown))
            result, flip = candidates.pop(place)
            shown.update(_origins(result))
            most -= 1
            yield result, flip
        if not most:
            return


def _how_wrong(sample: tuple[Result, Flip | None]) -> tuple[bool, Outcome, float | None]:
    result, flip = sample
    return flip is None, result.verdict.outcome, confidence(result)


def _repeated(result: Result, shown: Counter[str]) -> tuple[int, ...]:
    return tuple(shown[origin] for origin in _origins(result))


def _origins(result: Result) -> tuple[str, str]:
    """The template and the cluster of a sample."""
    return f"template {result.id.partition('/')[0]}", f"cluster {result.cluster}"


def failed_gates(suite: SuiteRun) -> list[GateResult]:
    """The gates that make a run red."""
    return [
        gate
        for gate in suite.gates
        if gate.status in (Decision.FAILED.value, Decision.UNDECIDED.value, Decision.EMPTY.value)
    ]


def _blamed(suite: SuiteRun, gates: Sequence[GateResult]) -> Iterator[tuple[Result, Flip | None]]:
    """Regressed samples first: they were right before."""
    results = {(result.id, result.repeat): result for result in suite.results}
    for gate in gates:
        for flip in gate.regression.regressed if gate.regression else ():
            if (flip.id, flip.repeat) in results:
                yield results[flip.id, flip.repeat], flip
    context = MetricContext(
        tally(suite.results, suite.seed, suite.variants), answered(suite.categories, suite.results)
    )
    for gate in gates:
        if gate.metric is None or gate.regression is not None or gate.parsed_bound is None:
            continue
        is_lower = gate.parsed_bound.wants_more
        blamed = gate.metric.blamed_samples(context, gate.selector, is_lower=is_lower)
        yield from ((result, None) for result in blamed)


def _line(suite: SuiteRun, result: Result, flip: Flip | None) -> str:
    category = f" [{result.category}]" if result.category else ""
    reason = f" ({result.verdict.reason})" if result.verdict.reason else ""
    source = _clipped(marked(result.source, result.focus))
    answer = _then_and_now(result, flip) if flip else _preferred(suite, result) or _text(result.translation)
    answer += _further(result)
    return f"{result.place}{category} {source} → {answer}{reason}"


def _further(result: Result) -> str:
    """The additional text for a translation: that of another source, or the back-translation."""
    pieces = [item for item in result.verdict.evidence if item.side in (AGAINST, BACK)]
    return "".join(
        f"; {item.side} {_clipped(str(item.attributes.get(SOURCE, '')))} → {_clipped(item.text)}"
        if item.side == AGAINST
        else f"; {item.side} → {_clipped(item.text)}"
        for item in pieces[:1]
    )


def _then_and_now(result: Result, flip: Flip) -> str:
    now, before = result.translation, flip.translation
    if now == before:
        return _text(now)
    return word_diff(before or "", now or "") or f"{_text(now)} (before: {_text(before)})"


def _preferred(suite: SuiteRun, result: Result) -> str:
    """For given targets: the wrong one that scored best, shown by its difference from the best right one."""
    method = method_named(suite.method)
    if method is None or method.judges == "translations":
        return ""
    sides = [
        [item for item in result.verdict.evidence if item.side == side and item.score is not None]
        for side in ("correct", "incorrect")
    ]
    if not all(sides):
        return ""
    right, wrong = (max(items, key=lambda item: item.score or 0.0).text for items in sides)
    return f"prefers {word_diff(right, wrong) or _clipped(wrong)}"


def _text(text: str | None) -> str:
    return "–" if text is None else _clipped(text) or '""'


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
