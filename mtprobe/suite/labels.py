"""Label files: what people say about translations, written by `mtprobe label` and named in suites.

A file is tab-separated text with a header. A line whose label is empty is a sample that was drawn and waits for one.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from mtprobe.errors import MOST_PROBLEMS, Place, Problem, SuiteError, did_you_mean
from mtprobe.suite.format.fields import Text
from mtprobe.suite.parsing.lines import checked, text_lines
from mtprobe.system.atomic import write_text
from mtprobe.system.spreadsheets import begins_like_a_formula

CORRECT, INCORRECT, UNCLEAR = "correct", "incorrect", "unclear"
LABELS = (CORRECT, INCORRECT, UNCLEAR)
Half: TypeAlias = Literal["tuning", "reporting"]


@dataclass(frozen=True, slots=True)
class Label:
    """A label of one translation of one sample."""

    id: str  # of the sample
    source: str
    translation: str
    label: str  # one of `LABELS`, or a choice of an open sample; empty where the sample waits for a label
    probability: float | None = None  # of the sample to be drawn; None if it was not drawn at random
    half: Half | Literal[""] = (
        ""  # of the words: what is chosen is chosen on one half and reported on the other
    )
    labelled_by: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """A label belongs to every sample with this source and this translation."""
        return self.source, self.translation


COLUMNS = tuple(field.name for field in fields(Label))
_NEEDED = ("id", "source", "translation", "label")


def _probability(text: str) -> float | None:
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= 1:
        raise PydanticCustomError(
            "probability", '"{text}" is not a number above 0, up to 1, as in 0.5', {"text": text}
        )
    return value


class LabelLine(BaseModel):
    """One line of a label file; other columns are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, use_attribute_docstrings=True)

    id: Text
    source: Annotated[str, Field(min_length=1)]
    translation: str  # may be empty: such outputs are drawn too
    label: str
    probability: Annotated[float | None, BeforeValidator(_probability)] = None
    half: Literal["tuning", "reporting", ""] = ""
    labelled_by: str = ""


def half_of(word: str) -> Half:
    """The half that a word (the value of a suite's `cluster`) belongs to, for good."""
    even = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=1).digest()[0] % 2 == 0
    return "tuning" if even else "reporting"


def read_label_file(path: Path, choices: Sequence[str] | None = ()) -> tuple[Label, ...]:
    """The labels of a file, or one `SuiteError` with everything that is wrong with it.

    Besides `LABELS`, a label may be one of the `choices`; anything where they are not known (None).
    """
    labels: list[Label] = []
    problems: list[Problem] = []
    for place, cells in _rows(path):
        try:
            labels.append(_label(checked(LabelLine, cells, place), place, choices))
        except SuiteError as error:
            problems.extend(error.problems)
            if len(problems) >= MOST_PROBLEMS:
                break
    if problems:
        raise SuiteError(problems)
    return tuple(labels)


def write_label_file(path: Path, labels: Iterable[Label]) -> None:
    """The file as `read_label_file` reads it."""
    write_text(path, "".join(f"{line}\n" for line in label_lines(labels)))


def label_lines(labels: Iterable[Label]) -> Iterator[str]:
    """The header and a line per label."""
    yield "\t".join(COLUMNS)
    for label in labels:
        yield "\t".join(cells_of(label))


def cells_of(label: Label) -> list[str]:
    """A line's cells, in the order of `COLUMNS`."""
    return [escaped(_written(value)) for value in astuple(label)]


def _written(value: object) -> str:
    return "" if value is None else f"{value:.8g}" if isinstance(value, float) else str(value)


def _rows(path: Path) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """The cells of each line by column. The header may be repeated, so that files can be appended to one another."""
    header: list[str] | None = None
    for place, line in text_lines(path):
        if isinstance(line, SuiteError):
            raise line
        if not line.strip():
            continue
        cells = line.split("\t")
        if header is None:
            header = [cell.strip() for cell in cells]
            for name in _NEEDED:
                if name not in header:
                    hint = did_you_mean(name, header)
                    raise SuiteError.at(
                        place, f'the header has no column "{name}"{hint}; columns are separated by tabs'
                    )
        elif [cell.strip() for cell in cells] != header:
            if len(cells) > len(header):
                raise SuiteError.at(place, f"{len(cells)} cells, but the header has {len(header)} columns")
            cells += [""] * (len(header) - len(cells))  # editors cut tabs at the end of a line
            yield place, dict(zip(header, cells, strict=True))
    if header is None:
        raise SuiteError.at(Place(path, 1), f"the file is empty; its header is: {' '.join(COLUMNS)}")


def _label(line: LabelLine, place: Place, choices: Sequence[str] | None) -> Label:
    id, source, translation, label, labelled_by = map(
        unescaped, (line.id, line.source, line.translation, line.label.strip(), line.labelled_by.strip())
    )
    if label and choices is not None and label not in (known := (*LABELS, *choices)):
        raise SuiteError.at(place, f'label: "{label}" is not a label{did_you_mean(label, known)}')
    return Label(id, source, translation, label, line.probability, line.half, labelled_by)


# In a cell, control characters and lone surrogates are written as \t, \n or \u0007, and a backslash as two. A
# spreadsheet computes what begins like a formula, so that gets an apostrophe in front.

_ESCAPED = re.compile(r"[\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|([tnr\\]))")
_SHORT = {"\t": "t", "\n": "n", "\r": "r", "\\": "\\"}
_LONG = {letter: character for character, letter in _SHORT.items()}


def escaped(text: str) -> str:
    """A text as a cell."""
    formula = begins_like_a_formula(text.lstrip("'"))
    plain = _ESCAPED.sub(
        lambda match: f"\\{_SHORT[match[0]]}" if match[0] in _SHORT else f"\\u{ord(match[0]):04x}", text
    )
    return f"'{plain}" if formula else plain


def unescaped(cell: str) -> str:
    """The text of a cell."""
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else _LONG[match[2]], cell)
    return text[1:] if text.startswith("'") and begins_like_a_formula(text.lstrip("'")) else text
