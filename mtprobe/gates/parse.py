"""Reads gates: `accuracy[female]: ">= 0.60 @95%"`, checked against the suite that they stand in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from mtprobe.errors import MOST_PROBLEMS, Place, Problem, SuiteError, did_you_mean
from mtprobe.language import tags
from mtprobe.metrics import METRICS, UNBOUNDED, Selector
from mtprobe.metrics.f1 import ANTI, FEMALE, MALE, PRO, STEREOTYPE
from mtprobe.metrics.groups import DEGREE, RANK
from mtprobe.suite.sample import GateText, Suite, Xfail

_KEY = re.compile(
    r"^(?P<metric>[A-Za-z][A-Za-z0-9_-]*)(?:\[(?P<selector>[^\]]*)\])?(?:\s*@\s*(?P<method>[\w-]+))?$"
)
_BOUND = re.compile(
    r"^\s*(?P<sign>>=|<=|>|<|≥|≤)\s*(?P<number>-?(?:\d+(?:\.\d*)?|\.\d+))\s*(?P<percent>%)?"
    r"(?:\s*@\s*(?P<level>\d+(?:\.\d+)?)\s*%)?\s*$"
)
_SIGNS: dict[str, Literal[">=", "<=", ">", "<"]] = {
    ">=": ">=",
    "<=": "<=",
    ">": ">",
    "<": "<",
    "≥": ">=",
    "≤": "<=",
}


@dataclass(frozen=True, slots=True)
class Bound:
    """A comparison; with a level it is decided on the confidence interval."""

    sign: Literal[">=", "<=", ">", "<"]
    value: float
    level: float | None = None

    def __str__(self) -> str:
        level = f" @{self.level * 100:g}%" if self.level else ""
        exact = f"{self.value:.2f}" if round(self.value, 2) == self.value else f"{self.value:.6g}"
        return f"{self.sign} {exact}{level}"

    def holds(self, value: float) -> bool:
        match self.sign:
            case ">=":
                return value >= self.value
            case "<=":
                return value <= self.value
            case ">":
                return value > self.value
        return value < self.value

    @property
    def wants_more(self) -> bool:
        return self.sign in (">=", ">")


@dataclass(frozen=True, slots=True)
class Gate:
    """A metric, a comparison and a bound."""

    key: str  # as written
    metric: str
    selector: Selector
    bound: Bound
    place: Place
    xfail: Xfail | None = None
    method: str | None = None  # whose verdicts it reads; None: those of the first that the model allows


class GateError(ValueError):
    """A gate that cannot be read."""


def gates_for(suite: Suite, target: str | None) -> tuple[Gate, ...]:
    """The suite's gates for a model into `target`: those for its language take the place of the general ones.

    Every gate is read, so that a mistake in one for another language is found too.
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


def read_gate(text: GateText, suite: Suite) -> Gate:
    """One gate, or a `GateError` that says what is wrong with it."""
    found = _KEY.match(text.key)
    if not found:
        raise GateError(f"cannot be read; write a metric, as in accuracy[female]: {', '.join(METRICS)}")
    metric = found["metric"]
    if metric not in METRICS:
        raise GateError(f'unknown metric "{metric}"{did_you_mean(metric, METRICS)}')
    selector = _selector(metric, found["selector"], suite)
    method = found["method"]
    if method is not None and method not in suite.methods:
        raise GateError(f'the suite is not judged by "{method}"{did_you_mean(method, suite.methods)}')
    bound = read_bound(text.bound, share=metric not in UNBOUNDED)
    if metric == "regression" and bound.wants_more:
        raise GateError(f'"{text.bound}" asks for a loss; write the largest that is allowed, as in "<= 0.02"')
    return Gate(text.key, metric, selector, bound, text.place, text.xfail, method)


def read_bound(text: str, *, share: bool = True) -> Bound:
    """`>= 0.60`, `<= 5%`, `>= 0.60 @95%`; a share is at most 1."""
    found = _BOUND.match(text)
    if not found:
        raise GateError(f'cannot read the bound "{text}"; write for example ">= 0.60" or ">= 0.60 @95%"')
    value = float(found["number"]) / (100 if found["percent"] else 1)
    if share and value > 1:
        raise GateError(
            f'"{text}" asks for more than 1; write "{found["sign"]} {found["number"]}%" or a share of 1'
        )
    if share and value < 0:
        raise GateError(f'"{text}" speaks of less than 0, and a share of 1 never is')
    level = float(found["level"]) / 100 if found["level"] else None
    if level is not None and not 0.5 <= level < 1:
        raise GateError(f'"{text}": the level of confidence lies between 50 % and 100 %')
    return Bound(_SIGNS[found["sign"]], value, level)


def _selector(metric: str, written: str | None, suite: Suite) -> Selector:
    if metric.startswith("minimum"):
        if written is not None:
            raise GateError(f"{metric} is taken over all categories and has no [{written}]")
        if not suite.answered:
            raise GateError(f"{metric} needs `categories` in the suite{_all_open(suite)}")
        return Selector()
    if metric == "gap":
        return _over(written, suite)
    if metric == "audit_accuracy":
        return _over_pairs(written, suite)
    if metric == "bias":
        return _over_variants(written, suite)
    if metric == "group_error":
        return _over_groups(written, suite)
    _check_senses(metric, suite)
    names, attributes = _parts(written, suite)
    if metric == "chosen":
        return Selector(choice=_choice(names, suite), attributes=attributes)
    for name in names:
        if name not in suite.categories:
            raise GateError(_no_category(name, suite))
    _check_readings(metric, names, suite)
    for name in names:
        if name in suite.open and (metric.endswith("accuracy") or metric == "regression"):
            raise GateError(
                f'no answer is right in the open category "{name}"; gate {_example(suite)} instead'
            )
    return Selector(names[-1] if names else None, attributes)


def _check_readings(metric: str, names: Sequence[str], suite: Suite) -> None:
    """What F1, ΔG and ΔS need of the suite."""
    if metric.startswith("f1") and len(names) != 1:
        raise GateError(
            f"{metric} is asked of one category: {metric}[{', '.join(suite.answered[:1]) or 'female'}]"
        )
    if metric.startswith("f1") and names[0] in suite.open:
        raise GateError(f'no answer is right in the open category "{names[0]}"')
    if metric.startswith("delta") and names:
        raise GateError(f"{metric} is taken over all categories and has no [{names[0]}]")
    if metric.startswith("delta_g") and not {MALE, FEMALE} <= set(suite.answered):
        raise GateError(f"{metric} needs the categories {MALE} and {FEMALE} in the suite")
    if metric == "delta_s" and not {PRO, ANTI} <= set(map(str, suite.attributes.get(STEREOTYPE, ()))):
        raise GateError(f"{metric} needs samples with the attribute {STEREOTYPE}, both {PRO} and {ANTI}")


def _over_pairs(written: str | None, suite: Suite) -> Selector:
    if written is not None:
        raise GateError(f"audit_accuracy is taken over all audit pairs and has no [{written}]")
    if not suite.audit:
        raise GateError("audit_accuracy needs `audit` pairs in the suite")
    return Selector()


def _over_variants(written: str | None, suite: Suite) -> Selector:
    named = {
        name
        for sample in suite.samples
        for targets in (sample.targets or {}).values()
        for name in targets.variants
    }
    if written is None:
        raise GateError(f"bias is asked of an attribute of targets: bias[{min(named, default='gender')}]")
    if written not in named:
        raise GateError(
            f'no target has the attribute "{written}" in `variants`{did_you_mean(written, named)}'
        )
    return Selector(over=written)


def _over_groups(written: str | None, suite: Suite) -> Selector:
    if written is None:
        raise GateError("group_error is asked of an attribute: group_error[pos]")
    if written not in suite.attributes:
        raise GateError(f'there is no attribute "{written}"{did_you_mean(written, suite.attributes)}')
    return Selector(over=written)


def _check_senses(metric: str, suite: Suite) -> None:
    """What a metric of senses asks of a suite's samples."""
    needed = {"sfii": RANK, "spdi": DEGREE, "mfs": RANK, "mfs_plus": RANK}.get(metric)
    if needed is not None and needed not in suite.attributes:
        raise GateError(f"{metric} needs samples with `senses`, or with the attribute {needed}")
    if metric.startswith("mfs") and not any(sample.senses for sample in suite.samples):
        raise GateError(f"{metric} needs samples with `senses`, and bad lemmas that stand by sense")


def _parts(written: str | None, suite: Suite) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """What stands in brackets: bare names, and attributes with their values."""
    names, attributes = [], []
    for part in (part.strip() for part in (written.split(",") if written is not None else ())):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if equals:
            _check_attribute(name, value, suite)
            attributes.append((name, value))
        else:
            names.append(part)
    return names, tuple(attributes)


def _choice(names: Sequence[str], suite: Suite) -> str:
    if not suite.open:
        raise GateError(
            "the suite has no open category: one whose cues name choices, not correct and incorrect"
        )
    if len(names) != 1:
        raise GateError(f"chosen is asked of one choice: {_example(suite)}")
    if names[0] not in suite.choices:
        raise GateError(f'"{names[0]}" is not a choice{did_you_mean(names[0], suite.choices)}')
    return names[0]


def _example(suite: Suite) -> str:
    return f"chosen[{suite.choices[0]}]"


def _all_open(suite: Suite) -> str:
    return " in which an answer is right" if suite.open else ""


def _over(written: str | None, suite: Suite) -> Selector:
    if written is None or written == "category":
        if len(suite.answered) < 2:
            raise GateError(
                f"gap needs at least two `categories` in the suite{_all_open(suite)}, or an attribute: gap[stereotype]"
            )
        return Selector()
    if written not in suite.attributes:
        raise GateError(f'there is no attribute "{written}"{did_you_mean(written, suite.attributes)}')
    return Selector(over=written)


def _check_attribute(name: str, value: str, suite: Suite) -> None:
    if name not in suite.attributes:
        raise GateError(f'there is no attribute "{name}"{did_you_mean(name, suite.attributes)}')
    known = sorted(str(held) for held in suite.attributes[name])
    if value not in known:
        raise GateError(f'no sample has {name} "{value}"{did_you_mean(value, known)}')


def _no_category(written: str, suite: Suite) -> str:
    return f'category "{written}" is not declared{did_you_mean(written, _known(suite))}'


def _known(suite: Suite) -> Iterable[str]:
    return [*suite.categories, *(f"{name}=…" for name in suite.attributes)]
