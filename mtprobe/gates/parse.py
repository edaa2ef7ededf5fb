"""Parses gates (`accuracy[female] @ lexicon: ">= 0.60 @95%"`) and checks them against their suite."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from mtprobe.errors import MOST_PROBLEMS, MtprobeError, Place, Problem, SuiteError, did_you_mean
from mtprobe.language import tags
from mtprobe.metrics import METRICS, Metric, Selector, SelectorError
from mtprobe.metrics.selectors import split_brackets
from mtprobe.statistics.measure import at_least
from mtprobe.suite.sample import GateText, Suite, Xfail

_KEY = re.compile(
    r"^(?P<metric>[A-Za-z][A-Za-z0-9_-]*)(?:\[(?P<brackets>[^\]]*)\])?(?:\s*@\s*(?P<method>[\w-]+))?$"
)
_BOUND = re.compile(
    r"^\s*(?P<sign>>=|<=|>|<|≥|≤)\s*(?P<number>-?(?:\d+(?:\.\d*)?|\.\d+))\s*(?P<percent>%)?"
    r"(?:\s*@\s*(?P<level>\d+(?:\.\d+)?)\s*%)?\s*$"
)
_SLIPS = (  # in a bound, and what is meant
    (re.compile(r"=\s*([<>])"), r"\1="),
    (re.compile(r"(\d),(\d)"), r"\1.\2"),
    (re.compile(r"@\s*(\d+(?:\.\d+)?)\s*$"), r"@\1%"),
)
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">=": at_least,
    "<=": lambda value, bound: at_least(bound, value),
    ">": lambda value, bound: not at_least(bound, value),
    "<": lambda value, bound: not at_least(value, bound),
}
_IN_ASCII = {"≥": ">=", "≤": "<="}


class KeyParts(NamedTuple):
    """The texts of a gate's key: a metric, what it covers, and the method whose verdicts it reads; unchecked."""

    metric: str
    brackets: str | None
    method: str | None


@dataclass(frozen=True, slots=True)
class Bound:
    """A comparison; with a level, it is decided on the confidence interval."""

    sign: str  # >=, <=, > or <
    value: float
    level: float | None = None

    def __str__(self) -> str:
        level = f" @{self.level * 100:g}%" if self.level else ""
        exact = f"{self.value:.2f}" if round(self.value, 2) == self.value else f"{self.value:.6g}"
        return f"{self.sign} {exact}{level}"

    def holds(self, value: float) -> bool:
        """Every comparison with a bound is this one: it forgives the rounding of binary fractions (`TOLERANCE`)."""
        return _COMPARE[self.sign](value, self.value)

    @property
    def wants_more(self) -> bool:
        return self.sign in (">=", ">")

    def is_reversed(self, metric: Metric) -> bool:
        """Whether it passes a metric for being bad, which is meant in a control suite and a mistake elsewhere."""
        return metric.higher_is_better is (not self.wants_more)


@dataclass(frozen=True, slots=True)
class Gate:
    """A metric, a comparison and a bound."""

    key: str  # as written
    metric: Metric
    selector: Selector
    bound: Bound
    place: Place
    xfail: Xfail | None = None
    method: str | None = None  # whose verdicts it reads; None: the first that the model allows


def reversed_gates(suite: Suite) -> Iterator[Problem]:
    """Warnings about bounds in the wrong direction, for all target languages."""
    for text in suite.gates:
        try:
            gate = read_gate(text, suite)
        except GateError:
            continue
        if gate.bound.is_reversed(gate.metric):
            yield Problem(text.place, f"gates.{text.key}: {reversal(gate.metric, gate.bound)}")


def idle_gates(suite: Suite) -> Iterator[Problem]:
    """Warnings about gates for a language that the suite is not written for."""
    reported = set()
    for text in suite.gates:
        if text.language is None or suite.targets is None or text.language in reported:
            continue
        if not any(tags.fits(text.language, target) for target in suite.targets):
            reported.add(text.language)
            yield Problem(
                text.place,
                f"gates.{text.language}: never used; the suite is for models into {', '.join(suite.targets)}",
            )


def reversal(metric: Metric, bound: Bound) -> str:
    """Why a bound in the wrong direction is suspicious."""
    better, wanted = ("higher", "lower") if metric.higher_is_better else ("lower", "higher")
    sign = ">=" if metric.higher_is_better else "<="
    return (
        f'"{bound}" demands a {wanted} {metric.name}, but {better} is better: '
        f'write "{sign} …", unless this is a control'
    )


class GateError(ValueError):
    """A gate that cannot be read."""


def gates_for(suite: Suite, target: str | None) -> tuple[Gate, ...]:
    """The suite's gates for a model into `target`: those for its language replace the general ones.

    Every gate is read, so that mistakes in gates for other languages are reported too.
    """
    general: dict[str, Gate] = {}
    special: dict[str, Gate] = {}
    problems = []
    for text in suite.gates:
        try:
            gate = read_gate(text, suite)
        except GateError as error:
            problems.append(Problem(text.place, f"gates.{text.key}: {error}"))
            if len(problems) == MOST_PROBLEMS:
                break
            continue
        if text.language is None:
            general[text.key] = gate
        elif target is not None and tags.fits(text.language, target):
            special[text.key] = gate
    if problems:
        raise SuiteError(problems)
    return tuple({**general, **special}.values())


def split_key(key: str) -> KeyParts | None:
    """None where the text is no key."""
    match = _KEY.match(key)
    return KeyParts(match["metric"], match["brackets"], match["method"]) if match else None


@lru_cache(maxsize=1024)
def parse_key(key: str) -> tuple[Metric | None, Selector]:
    """Metric and selector of a recorded gate; no metric where no installed package defines it."""
    parts = split_key(key)
    if parts is None or parts.metric not in METRICS:
        return None, Selector()
    try:
        metric = METRICS[parts.metric]
    except MtprobeError:  # a report does without the package that measured
        return None, Selector()
    return metric, metric.select(split_brackets(parts.brackets))


def read_gate(text: GateText, suite: Suite) -> Gate:
    """Reads a gate, or raises a `GateError` that says what is wrong with it."""
    parts = split_key(text.key)
    if parts is None:
        hint = _meant_key(text.key) or f"write a metric, as in accuracy[female]: {', '.join(METRICS)}"
        raise GateError(f"cannot be read; {hint}")
    if parts.metric not in METRICS:
        hint = did_you_mean(parts.metric, METRICS) or f"; available: {', '.join(METRICS)}"
        raise GateError(f'unknown metric "{parts.metric}"{hint}')
    metric = METRICS[parts.metric]
    try:
        selector = metric.read_selector(parts.brackets, suite)
    except SelectorError as error:
        raise GateError(str(error)) from None
    if parts.method is not None and parts.method not in suite.methods:
        raise GateError(
            f'the suite is not judged by "{parts.method}"{did_you_mean(parts.method, suite.methods)}'
        )
    if parts.method is not None and suite.combine is not None:
        raise GateError(f"the suite combines its methods: write it without @{parts.method}")
    bound = read_bound(text.bound, share=metric.is_share)
    if metric.no_lower_bound and bound.wants_more:
        raise GateError(f'"{text.bound}" {metric.no_lower_bound}')
    return Gate(text.key, metric, selector, bound, text.place, text.xfail, parts.method)


def _meant_key(key: str) -> str | None:
    """`minimum accuracy` and `accuracy(female)`, as they have to be written."""
    name, _, rest = key.partition("(")
    metric = "_".join(name.split())
    brackets = f"[{rest.rstrip(')').strip()}]" if rest else ""
    return f'write "{metric}{brackets}"' if metric in METRICS else None


def _meant_bound(text: str) -> str | None:
    """`=> 0,60 @95`, as it has to be written."""
    meant = text
    for slip, right in _SLIPS:
        meant = slip.sub(right, meant)
    if _BOUND.match(meant):
        return f'write "{meant}"'
    if _BOUND.match(f">= {meant}"):
        return f'begin with the comparison, as in ">= {meant.strip()}"'
    return None


def read_bound(text: str, *, share: bool = True) -> Bound:
    """`>= 0.60`, `<= 5%`, `>= 0.60 @95%`; a share is at most 1."""
    match = _BOUND.match(text)
    if not match:
        hint = _meant_bound(text) or 'write for example ">= 0.60" or ">= 0.60 @95%"'
        raise GateError(f'cannot read the bound "{text}"; {hint}')
    value = float(match["number"]) / (100 if match["percent"] else 1)
    if share and value > 1:
        raise GateError(
            f'"{text}" is more than 1; write "{match["sign"]} {match["number"]}%" or a number from 0 to 1'
        )
    if share and value < 0:
        raise GateError(f'"{text}" is less than 0, which a share never is')
    level = float(match["level"]) / 100 if match["level"] else None
    if level is not None and not 0.5 <= level < 1:
        raise GateError(f'"{text}": the confidence level must be between 50 % and 100 %')
    return Bound(_IN_ASCII.get(match["sign"], match["sign"]), value, level)
