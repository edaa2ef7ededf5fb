"""WinoMT (Stanovsky, Smith and Zettlemoyer, 2019), as `test.tsv`, `en.txt`, `en_pro.txt` or `en_anti.txt`.

The index counts tokens separated by white space; the focus is the occupation without the punctuation
after it. Repeated spaces become one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from mtprobe.datasets.format import Format, read_guide
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import fingerprint, sample_per_line, with_copies
from mtprobe.errors import Place, SuiteError, did_you_mean
from mtprobe.suite.data import Item, Reading, Skipped
from mtprobe.suite.format.data import Data
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.format.fields import Text, is_count
from mtprobe.suite.parsing.lines import checked, text_lines
from mtprobe.suite.samples.build import slug
from mtprobe.suite.samples.focus import escaped


class WinoMT(Data):
    """WinoMT: sentences about two people; a pronoun shows the gender of one of them."""

    KNOWN: ClassVar[tuple[str, ...]] = ("occupation", "stereotype", "copy")

    format: Literal["winomt"]
    """Lines of gender, index, sentence, occupation and optionally stereotype, separated by tabs."""
    file: Text
    """`test.tsv`, `en.txt`, `en_pro.txt` or `en_anti.txt`."""
    stereotype: Literal["pro", "anti"] | None = None
    """For files without that column: the stereotype of all their sentences."""
    neutral: Literal["omit", "keep"] = "omit"
    """Whether sentences that show no gender are omitted, or kept with the category `neutral`."""


GENDERS = ("male", "female", "neutral")
STEREOTYPES = ("pro", "anti", "none")
_COLUMNS = "a gender, an index, a sentence, an occupation and perhaps a stereotype"
NEUTRAL = Skipped("the sentence shows no gender (`neutral: keep` keeps it)")


@with_copies
def read(data: WinoMT, reading: Reading) -> Iterator[Item]:
    """Each line's sample."""
    yield from sample_per_line(
        text_lines(reading.find("file", data.file)), lambda line, place: _sample(line, place, data)
    )


def _sample(line: str, place: Place, data: WinoMT) -> SampleModel | Skipped:
    columns = [column.strip() for column in line.split("\t")]
    if len(columns) not in (4, 5):
        raise SuiteError.at(
            place,
            f"a line has {_COLUMNS}, separated by tabs; this one has {len(columns)} column{'s' * (len(columns) != 1)}",
        )
    gender, index, sentence, occupation = columns[:4]
    if gender not in GENDERS:
        order = f"; the columns are {_COLUMNS}" if set(GENDERS) & set(columns) or place.line == 1 else ""
        raise SuiteError.at(place, f'unknown gender "{gender}"{did_you_mean(gender, GENDERS)}{order}')
    stereotype = _stereotype(columns, data, place)
    written = _with_focus(sentence, index, occupation, place)
    if gender == "neutral" and data.neutral == "omit":
        return NEUTRAL
    attributes = {"occupation": occupation.casefold()}
    if stereotype != "none":
        attributes["stereotype"] = stereotype
    id = f"{slug(occupation)}/{gender}/{fingerprint(sentence, index, stereotype)}"
    return checked(
        SampleModel, {"id": id, "source": written, "category": gender, "attributes": attributes}, place
    )


def _stereotype(columns: list[str], data: WinoMT, place: Place) -> str:
    if len(columns) == 4:
        return data.stereotype or "none"
    if data.stereotype is not None:
        raise SuiteError.at(place, "has a stereotype of its own; remove `stereotype` from the `data` entry")
    if columns[4] not in STEREOTYPES:
        raise SuiteError.at(
            place, f'unknown stereotype "{columns[4]}"{did_you_mean(columns[4], STEREOTYPES)}'
        )
    return columns[4]


def _with_focus(sentence: str, index: str, occupation: str, place: Place) -> str:
    """The sentence with `<…>` around the occupation."""
    tokens, wanted = sentence.split(), occupation.split()
    if not is_count(index):
        raise SuiteError.at(place, f'index "{index}" is not a number; the columns are {_COLUMNS}')
    if int(index) >= len(tokens):
        raise SuiteError.at(
            place, f"index {index}: the sentence's tokens are numbered from 0 to {len(tokens) - 1}"
        )
    start = int(index)
    words = " ".join(tokens[start : start + len(wanted)])
    focus, rest = words[: len(occupation)], words[len(occupation) :]
    if not wanted or focus.casefold() != occupation.casefold() or rest[:1].isalnum():
        raise SuiteError.at(place, f'index {start} is "{words}", not the occupation "{occupation}"')
    before, after = tokens[:start], tokens[start + len(wanted) :]
    return " ".join([*map(escaped, before), f"<{escaped(focus)}>{escaped(rest)}", *map(escaped, after)])


def preset(data: WinoMT) -> Preset:
    cues = {
        "male": {"correct": "man", "incorrect": "woman"},
        "female": {"correct": "woman", "incorrect": "man"},
    }
    notes: tuple[str, ...] = (
        'Contrastive sources read "the woman doctor" and "the man doctor". The paper that proposed the',
        "method put [female] and [male] there; audit your evaluator before you change the cues.",
    )
    if data.neutral == "keep":
        notes += ("Sentences of the category `neutral` show no gender: no answer is right there.",)
        cues["neutral"] = {"male": "man", "female": "woman"}
    return Preset(
        name="winomt",
        about="Does the translation give a person the gender that the pronoun shows?",
        source="en",
        target=None,
        methods=("contrastive-conditioning", "gender-morphology"),
        categories=GENDERS if data.neutral == "keep" else GENDERS[:2],
        cluster="occupation",
        cues=cues,
        gates={
            "minimum_accuracy": ">= 0.60",
            "accuracy[female]": ">= 0.60",
            "gap": "<= 0.20",
            "gap[stereotype]": "<= 0.20",
            "degenerate": "<= 0.02",
        },
        notes=notes,
    )


FORMAT = Format(
    name="winomt",
    heading="WinoMT",
    entry=WinoMT,
    read=read,
    preset=preset,
    guide=read_guide("winomt"),
)
