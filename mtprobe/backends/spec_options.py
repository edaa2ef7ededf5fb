"""The options of a spec, after a question mark: `firefox:models/enpt?beams=4&length_penalty=0.8`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl

from mtprobe.errors import ModelError, did_you_mean
from mtprobe.system.named import is_there

_MOST_DIGITS = 9  # no model has a billion beams
SEARCH = ("beams", "length_penalty", "max_length")


@dataclass(frozen=True, slots=True)
class SpecOptions:
    """Options by name; a value that is not the number it should be is a `ModelError`."""

    spec: str  # what error messages start with
    given: Mapping[str, str]

    def positive(self, key: str) -> int | None:
        text = self.given.get(key)
        if text is None:
            return None
        if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS) or int(text) < 1:
            raise ModelError(f"{self.spec}: {key}={text} is not a positive number")
        return int(text)

    def real(self, key: str) -> float | None:
        text = self.given.get(key)
        try:
            value = None if text is None else float(text)
        except ValueError:
            value = math.nan
        if value is not None and not math.isfinite(value):
            raise ModelError(f"{self.spec}: {key}={text} is not a number")
        return value


def split_options(kind: str, rest: str, known: Sequence[str]) -> tuple[str, SpecOptions]:
    """The name of the model and its options. A question mark in an existing path belongs to the path."""
    name, options = _split(rest)
    spec = f"{kind}:{name}" if name else kind
    given = dict(parse_qsl(options, keep_blank_values=True))
    for key in given:
        if key not in known:
            raise ModelError(f'{spec}: unknown option "{key}"{did_you_mean(key, known)}')
    return name, SpecOptions(spec, given)


def _split(rest: str) -> tuple[str, str]:
    marks = [index for index, letter in enumerate(rest) if letter == "?"]
    for end in (len(rest), *reversed(marks)):
        if rest[:end] and is_there(Path(rest[:end])):
            return rest[:end], rest[end + 1 :]
    name, _, options = rest.partition("?")
    return name, options
