"""The settings of a run, checked in the same way for pytest and Python.

Light: the pytest plugin reads it before anybody knows whether there is a suite.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
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
NO_STORE = "none"  # nothing is kept
NO_BASELINE = "none"  # regression gates are skipped
_LONGEST_SECONDS = 1e7  # longer waits overflow
_GIVEN_AS = {"targets": "target"}  # a setting that users know by another name
_TAG = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*")
_OVERRIDE = re.compile(
    r"(?:(?P<suite>[^:]*):)?(?P<gate>[^\[=<>≥≤]+(?:\[[^\]]*\])?[^\[=<>≥≤]*)(?:=(?P<equal>)|(?=[<>≥≤]))(?P<bound>.*)",
    re.DOTALL,
)
_LIKE_A_NAME = 3  # letters of a tag: most such codes exist


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


class EvaluatorSpec(NamedTuple):
    """An evaluator as the user names it."""

    spec: ModelSpec
    target: str | None = None  # the only target language that it scores for; None: it scores for all


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that decides what a run does. `read_settings` makes one from what a user wrote."""

    models: tuple[ModelSpec, ...] = ()
    # Several for one target score together; none: a model that can score judges itself.
    evaluators: tuple[EvaluatorSpec, ...] = ()
    back: tuple[
        ModelSpec, ...
    ] = ()  # second models, which translate back; each for the directions that it can reverse
    source: str | None = None  # a language tag, where a model does not say
    targets: tuple[str, ...] = ()  # every model is run once per target; none: the model's own
    method: tuple[str, ...] = ()  # judge by these only, each by itself; empty: as each suite says
    lemmatizer: str = "auto"
    alignment: str | None = None  # None: the built-in aligner
    take: int | None = None  # samples per suite; None: all
    repeat: int = 1  # translations of each sentence, by models that sample
    judge_repeat: int = 1  # answers to each question, by judges that sample
    sequential: bool | None = None  # ask samples until the gates are decided; None: if a suite says so
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
    """Settings from Python values or from text; what is None or "" keeps its default.

    `target` takes one language tag or several, as a list or separated by commas, and `method` one method or several.
    """
    known = {_GIVEN_AS.get(field.name, field.name): field.name for field in fields(Settings)}
    for name in given:
        if name not in known:
            raise SettingError(name, f"unknown setting{did_you_mean(name, known)}")
    values = {
        known[name]: _READERS[name](name.replace("_", "-"), value) if name in _READERS else value
        for name, value in given.items()
        if value is not None and value not in ("", [], (), [""])
    }
    evaluators = read_evaluators(values.pop("evaluators", ()), values.get("targets", ()))
    return Settings(evaluators=evaluators, **values)


def read_evaluators(given: Any, targets: Sequence[str] = ()) -> tuple[EvaluatorSpec, ...]:
    """`[TAG=][NAME=]SPEC`, one or several. A code of three letters may be a name (`new=SPEC`), unless it is a target."""
    from mtprobe.language import tags

    def read(text: Any) -> EvaluatorSpec:
        if isinstance(text, EvaluatorSpec):
            return text
        before, equals, spec = text.partition("=") if isinstance(text, str) else ("", "", "")
        if equals and _TAG.fullmatch(before) and tags.is_language(before):
            tag = tags.standard(before)
            if tag in targets or len(tag) != _LIKE_A_NAME:
                return EvaluatorSpec(_spec("evaluator", spec), tag)
        return EvaluatorSpec(_spec("evaluator", text))

    return tuple(map(read, [given] if isinstance(given, str) else given))


def read_override(text: str) -> Override:
    """`SUITE:GATE=BOUND`; also `SUITE:GATE>=0.7`. Without a suite it is refused once the suites are known."""
    match = _OVERRIDE.match(text)
    if match is None:
        raise SettingError("set", f"cannot read '{text}'; write 'SUITE:GATE=>= 0.7'")
    return Override((match["suite"] or "").strip(), match["gate"].strip(), match["bound"].strip())


def _count(name: str, value: Any, unit: str = "samples") -> int:
    text = str(value)
    if (
        isinstance(value, bool)
        or not (text.isascii() and text.isdigit() and len(text) <= 18)
        or int(text) < 1
    ):
        raise SettingError(name, f"{text} is not a number of {unit}")
    return int(text)


def _repeats(name: str, value: Any) -> int:
    return _count(name, value, "repeats")


def _count_or_none(name: str, value: Any) -> int:
    return 0 if str(value) == "0" else _count(name, value)


def _yes_or_no(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise SettingError(name, f"{value!r} is neither True nor False")
    return value


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


def _targets(name: str, value: Any) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) else list(value)
    targets = [
        _language(name, tag.strip() if isinstance(tag, str) else tag)
        for text in texts
        for tag in (text.split(",") if isinstance(text, str) else [text])
    ]
    for target in targets:
        if targets.count(target) > 1:
            raise SettingError(name, f"{target} is named twice")
    return tuple(targets)


def _lemmatizer(name: str, value: Any) -> str:
    if value != "auto":
        from mtprobe.language.lemmatizers import check_lemmatizer

        try:
            check_lemmatizer(value)
        except MtprobeError as error:
            raise SettingError(name, error) from None
    return str(value)


def _methods(name: str, value: Any) -> tuple[str, ...]:
    from mtprobe.methods import METHODS

    texts = [value] if isinstance(value, str) else list(value)
    methods = [part.strip() for text in texts for part in str(text).split(",")]
    for method in methods:
        if method not in METHODS:
            raise SettingError(name, f'unknown method "{method}"; available: {", ".join(METHODS)}')
    return tuple(dict.fromkeys(methods))


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


def _store(_name: str, value: str | PathLike[str]) -> Path | None:
    return None if value == NO_STORE else Path(value)


def _path(_name: str, value: str | PathLike[str]) -> Path:
    return Path(value)


def _baseline(_name: str, value: str | PathLike[str]) -> Path | str:
    return NO_BASELINE if value == NO_BASELINE else Path(value)


_READERS: dict[str, Callable[[str, Any], Any]] = {
    "models": _models,
    "back": _models,
    "source": _language,
    "target": _targets,
    "method": _methods,
    "lemmatizer": _lemmatizer,
    "take": _count,
    "repeat": _repeats,
    "judge_repeat": _repeats,
    "sequential": _yes_or_no,
    "salience": _count,
    "counterfactuals": _count_or_none,
    "overrides": _overrides,
    "data_root": _path,
    "store": _store,
    "baseline": _baseline,
    "dtype": _one_of(*DTYPES),
    "unfit": _one_of(*UNFIT),
    "unaudited": _one_of(*UNAUDITED),
    "budget": _dollars,
    "timeout": _seconds,
}
