"""Checks every value that a backend returns before it is stored or judged.

A bad value is a `Failure` of its sentence, which names the backend, the sentence and what is wrong. An answer from
which it cannot be told which value belongs to which sentence is a `ModelError`. Values in a store are checked as well:
earlier versions stored what they were given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Set, Sized
from itertools import islice
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar

from mtprobe.backends.protocols import Request, as_request, is_encodable
from mtprobe.backends.scorer import ScorePair, TokenLogProbs
from mtprobe.errors import Failure, ModelError
from mtprobe.printable import printable

if TYPE_CHECKING:
    from mtprobe.store import SpanKey, Spans

Key = TypeVar("Key")
Value = TypeVar("Value")

ROUNDING = 1e-4  # by which a log-probability may exceed 0; it then counts as 0
LEAST = -1e6  # nats: what is below is no rare token, but a masked one
LONGEST = 1_000_000  # characters of a translation, and tokens of a target
_QUOTED = 60  # characters of a sentence in a message


class BadValue(ValueError):
    """A problem with a value, worded to follow "returned"."""


# -- one value --


def translation(value: object) -> str:
    """The value as plain text; raises `BadValue`."""
    if not isinstance(value, str):
        raise BadValue(f"{_kind(value)} instead of a text")
    text = value if type(value) is str else str.__str__(value)
    if len(text) > LONGEST:
        raise BadValue(f"{len(text):,} characters, more than the {LONGEST:,} that a translation may have")
    if not is_encodable(text):
        raise BadValue("text with a lone surrogate, which is not valid Unicode")
    return text


def logprobs(value: object) -> TokenLogProbs:
    """The value as token log-probabilities, finite and at most 0; raises `BadValue`."""
    # Nearly all values; the sum is finite only if each of them is.
    if type(value) is tuple and value and set(map(type, value)) == {float}:
        total: float = sum(value)
        if total >= LEAST and max(value) <= 0.0:
            return value
    return tuple(_numbers(value, _logprob, "log-probability", "log-probabilities"))


def _logprob(value: object, place: int) -> float:
    is_number = isinstance(value, Real) or hasattr(value, "__float__")
    is_truth = isinstance(value, bool) or str(getattr(value, "dtype", "")).endswith("bool")
    if not is_number or is_truth:
        raise BadValue(f"{_kind(value)} instead of a log-probability (token {place})")
    try:
        number = float(value)  # type: ignore[arg-type]
    except Exception as error:
        raise BadValue(f"{_kind(value)} that is not a number (token {place}: {error})") from None
    if not math.isfinite(number):
        raise BadValue(f"a log-probability that is not finite ({number}, token {place})")
    if number > ROUNDING:
        raise BadValue(f"a log-probability above 0 ({number:g}, token {place})")
    if number < LEAST:
        raise BadValue(f"a log-probability below {LEAST:,.0f} ({number:g}, token {place})")
    return min(number, 0.0)


def attention(value: object) -> tuple[float, ...]:
    """The value as shares of attention, 0 to 1, in four digits as they are stored; raises `BadValue`."""
    return tuple(_numbers(value, _share, "attention weight", "attention weights"))


def _numbers(value: object, read: Callable[[object, int], float], one: str, several: str) -> list[float]:
    """What `read` makes of each item; raises `BadValue` for anything but a list of a reasonable length."""
    if not _is_list(value):
        raise BadValue(f"{_kind(value)} instead of a list of {several}")
    numbers = [read(item, place) for place, item in enumerate(islice(value, LONGEST + 1), start=1)]  # type: ignore[call-overload]
    if not numbers:
        raise BadValue(f"no {one}; even an empty target has one, for the end of the sentence")
    if len(numbers) > LONGEST:
        raise BadValue(f"more than {LONGEST:,} {several}")
    return numbers


def _share(value: object, place: int) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except Exception:
        raise BadValue(f"{_kind(value)} instead of an attention weight (token {place})") from None
    if not -ROUNDING <= number <= 1 + ROUNDING:
        raise BadValue(f"an attention weight that is not between 0 and 1 ({number:g}, token {place})")
    return round(min(max(number, 0.0), 1.0), 4)


def spans(value: object, text: str) -> Spans:
    """The value as places of tokens in the text; raises `BadValue`."""
    if not _is_list(value):
        raise BadValue(f"{_kind(value)} instead of a list of spans")
    return [_span(item, len(text)) for item in islice(value, LONGEST)]  # type: ignore[call-overload]


def _span(value: Any, end: int) -> tuple[int, int] | None:
    if value is None:
        return None
    try:
        first, last = (int(number) for number in value)
    except (TypeError, ValueError, OverflowError):
        raise BadValue(f"{_kind(value)} instead of a span") from None
    if not 0 <= first <= last <= end:
        raise BadValue(f"a span from {first} to {last} in a text of {end} characters")
    return first, last


# -- the answer to a call --


def translations(backend: object, sources: Sequence[str | Request], answer: object) -> list[str | Failure]:
    """One text or `Failure` per source."""
    values = results(backend, answer, len(sources), "translations", "sources")
    return [of_source(backend, source, value) for source, value in zip(sources, values, strict=True)]


def scores(backend: object, pairs: Sequence[ScorePair], answer: object) -> list[TokenLogProbs | Failure]:
    """Log-probabilities or a `Failure` per pair."""
    values = results(backend, answer, len(pairs), "scores", "pairs")
    return [of_pair(backend, pair, value) for pair, value in zip(pairs, values, strict=True)]


def attentions(
    backend: object, pairs: Sequence[SpanKey], answer: object
) -> list[tuple[float, ...] | Failure]:
    """Attention weights or a `Failure` per pair."""
    values = results(backend, answer, len(pairs), "lists of attention weights", "pairs")
    return [
        _checked(backend, value, attention, lambda pair=pair: f"{_quoted(pair[0])} → {_quoted(pair[1])}")  # type: ignore[misc]
        for pair, value in zip(pairs, values, strict=True)
    ]


def of_source(backend: object, source: str | Request, value: object) -> str | Failure:
    return _checked(backend, value, translation, lambda: _quoted(as_request(source).text))


def of_pair(backend: object, pair: ScorePair, value: object) -> TokenLogProbs | Failure:
    return _checked(backend, value, logprobs, lambda: f"{_quoted(pair[0])} → {_quoted(pair[1])}")


def results(backend: object, answer: object, count: int, what: str, inputs: str) -> list[object]:
    """The values of an answer, of which there must be one per input."""
    if not _is_list(answer):
        raise ModelError(
            f"{name_of(backend)} returned {_kind(answer)} for {count} {inputs}; it must return a list"
        )
    values = list(islice(answer, count + 1))  # type: ignore[call-overload]
    if len(values) != count:
        given = len(answer) if isinstance(answer, Sized) else len(values)
        more = "at least " if given > count and not isinstance(answer, Sized) else ""
        raise ModelError(f"{name_of(backend)} returned {more}{given} {what} for {count} {inputs}")
    return values


# -- what is stored --


def usable(values: Mapping[Key, Any], check: Callable[[Any], Value]) -> dict[Key, Value]:
    """The values that pass the check; the others count as missing, so the backend is asked again."""
    passed: dict[Key, Value] = {}
    for key, value in values.items():
        try:
            passed[key] = check(value)
        except BadValue:
            continue
    return passed


# -- messages --


def name_of(backend: object) -> str:
    """A backend as messages name it; a text is a name already."""
    if isinstance(backend, str):
        return backend
    try:
        name = getattr(backend, "fingerprint", None)
    except Exception:
        name = None
    return name if isinstance(name, str) and name else type(backend).__name__


def legible(failure: Failure) -> Failure:
    """The failure with a reason that can be written anywhere."""
    reason = failure.reason if isinstance(failure.reason, str) else repr(failure.reason)
    return failure if reason is failure.reason and is_encodable(reason) else Failure(printable(reason))


def _checked(
    backend: object, value: object, check: Callable[[object], Value], quote: Callable[[], str]
) -> Value | Failure:
    if isinstance(value, Failure):
        return legible(value)
    try:
        return check(value)
    except BadValue as error:
        return Failure(printable(f"{name_of(backend)} returned {error} for {quote()}"))


def _is_list(value: object) -> bool:
    """Whether it may be read as a list: not a text, and nothing that has keys or no order."""
    if isinstance(value, str | bytes | bytearray | Mapping | Set):
        return False
    return isinstance(value, Iterable) and getattr(value, "ndim", 1) != 0


def _kind(value: object) -> str:
    """`None`, or the type with an article."""
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[:1] in 'aeiouAEIOU' else 'a'} {name}"


def _quoted(text: str) -> str:
    return f"“{text if len(text) <= _QUOTED else text[: _QUOTED - 1] + '…'}”"
