"""What a run is asked to do: the same settings, checked in the same way, for pytest and for Python.

Light: the pytest plugin reads it before anybody knows whether there is a suite.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.printable import printable_lines

if TYPE_CHECKING:
    from mtprobe.backends.registry import ModelSpec
    from mtprobe.gates import Consequence

DEFAULT_STORE = Path(".mtprobe") / "store.sqlite"
DTYPES = ("fp32", "fp16", "int8")
UNFIT = ("undecided", "fail", "warn")
UNAUDITED = ("warn", "undecided", "fail")
COUNTERFACTUALS = 200
NO_BASELINE = "none"  # regression gates are skipped
_LONGEST_SECONDS = 1e7  # longer waits overflow


class SettingError(MtprobeError):
    """A setting that cannot be used; `name` is the option's, as in `take` or `data-root`."""

    def __init__(self, name: str, reason: object) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = printable_lines(reason)


class Override(NamedTuple):
    """Another bound for a gate."""

    suite: str
    gate: str
    bound: str


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that decides what a run does. `read_settings` makes one from what a user wrote."""

    models: tuple[ModelSpec, ...] = ()
    evaluators: tuple[
        ModelSpec, ...
    ] = ()  # several score together; none: a model that can score judges itself
    source: str | None = None  # language tags, where a model does not say
    target: str | None = None
    method: str | None = None  # judge by this one only
    lemmatizer: str = "auto"
    alignment: str | None = None  # None: the built-in aligner
    take: int | None = None  # samples per suite; None: all
    salience: int | None = None  # minimal pairs per suite; None: none
    unfit: Consequence = "undecided"  # what gates come to whose verdicts an audit finds wrong too often
    unaudited: Consequence = "warn"  # … and those about whose verdicts nothing else is known
    counterfactuals: int = COUNTERFACTUALS  # translations per suite that are exchanged for an audit; 0: none
    overrides: tuple[Override, ...] = ()
    data_root: Path | None = None
    store: Path | None = None  # None: nothing is kept
    baseline: Path | str | None = None  # a record; NO_BASELINE: regression gates are skipped
    device: str = "auto"
    dtype: str = "fp32"
    threads: int | None = None
    executor: str | None = None  # None: models run in this process
    budget: float | None = None  # US dollars that services may cost; None: no limit
    timeout: float = 3600.0  # seconds of one call of a function or a program; 0: no limit


def read_settings(**given: Any) -> Settings:
    """Settings from Python values or from text; what is None or "" keeps its default."""
    known = {field.name for field in fields(Settings)}
    for name in given:
        if name not in known:
            raise SettingError(name, f"unknown setting{did_you_mean(name, known)}")
    values = {
        name: _READERS[name](name.replace("_", "-"), value) if name in _READERS else value
        for name, value in given.items()
        if value is not None and value not in ("", [], ())
    }
    return Settings(**values)


def read_override(text: str) -> Override:
    """`SUITE:GATE=BOUND`."""
    suite, colon, rest = text.partition(":")
    bracket = "]" if "]=" in rest else ""
    gate, equals, bound = rest.partition(f"{bracket}=")
    if not colon or not equals:
        raise SettingError("set", f"cannot read '{text}'; write 'SUITE:GATE=>= 0.7'")
    return Override(suite.strip(), gate.strip() + bracket, bound.strip())


def _count(name: str, value: Any) -> int:
    text = str(value)
    if (
        isinstance(value, bool)
        or not (text.isascii() and text.isdigit() and len(text) <= 18)
        or int(text) < 1
    ):
        raise SettingError(name, f"{text} is not a number of samples")
    return int(text)


def _count_or_none(name: str, value: Any) -> int:
    return 0 if str(value) == "0" else _count(name, value)


def _dollars(name: str, value: Any) -> float:
    try:
        dollars = float(value)
    except (TypeError, ValueError):
        dollars = math.nan
    if not (math.isfinite(dollars) and dollars >= 0):
        raise SettingError(name, f"{value} is not an amount of US dollars, such as 2.50")
    return dollars


def _seconds(name: str, value: Any) -> float:
    try:
        seconds = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        seconds = math.nan
    if not 0 <= seconds <= _LONGEST_SECONDS:
        raise SettingError(name, f"{value} is not a number of seconds, such as 600; 0 is no limit")
    return seconds


def _one_of(*choices: str) -> Callable[[str, Any], str]:
    def read(name: str, value: Any) -> str:
        if value not in choices:
            raise SettingError(name, f"{value} is not {', '.join(choices[:-1])} or {choices[-1]}")
        return str(value)

    return read


def _language(name: str, value: Any) -> str:
    from mtprobe.language import tags

    if not isinstance(value, str) or not tags.is_language(value):
        raise SettingError(
            name, f'"{value}" is not a language tag; write BCP 47, for example en, pt or pt-BR'
        )
    return tags.standard(value)


def _lemmatizer(name: str, value: Any) -> str:
    if value != "auto":
        from mtprobe.language.lemmatizers import check_lemmatizer

        try:
            check_lemmatizer(value)
        except MtprobeError as error:
            raise SettingError(name, error) from None
    return str(value)


def _method(name: str, value: Any) -> str:
    from mtprobe.methods import METHODS

    if value not in METHODS:
        raise SettingError(name, f'unknown method "{value}"; there is {", ".join(METHODS)}')
    return str(value)


def _models(name: str, value: Any) -> tuple[ModelSpec, ...]:
    specs = [value] if isinstance(value, str) else list(value)
    return tuple(_spec(name, spec) for spec in specs)


def _spec(_name: str, value: Any) -> ModelSpec:
    from mtprobe.backends.registry import ModelSpec

    return value if isinstance(value, ModelSpec) else ModelSpec.parse(value)


def _overrides(_name: str, value: Any) -> tuple[Override, ...]:
    if isinstance(value, Mapping):
        texts: Iterable[str] = (f"{gate}={bound}" for gate, bound in value.items())
    else:
        texts = [value] if isinstance(value, str) else value
    return tuple(text if isinstance(text, Override) else read_override(text) for text in texts)


def _path(_name: str, value: str | PathLike[str]) -> Path:
    return Path(value)


def _baseline(_name: str, value: str | PathLike[str]) -> Path | str:
    return NO_BASELINE if value == NO_BASELINE else Path(value)


_READERS: dict[str, Callable[[str, Any], Any]] = {
    "models": _models,
    "evaluators": _models,
    "source": _language,
    "target": _language,
    "method": _method,
    "lemmatizer": _lemmatizer,
    "take": _count,
    "salience": _count,
    "counterfactuals": _count_or_none,
    "overrides": _overrides,
    "data_root": _path,
    "store": _path,
    "baseline": _baseline,
    "dtype": _one_of(*DTYPES),
    "unfit": _one_of(*UNFIT),
    "unaudited": _one_of(*UNAUDITED),
    "budget": _dollars,
    "timeout": _seconds,
}
