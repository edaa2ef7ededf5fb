"""Optional clauses: `[who lives next door]` in a template may be omitted, and a complete sentence remains.

Samples have all of their clauses. `mtprobe hunt` drops them to find a shorter sentence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mtprobe.errors import Place, SuiteError
from mtprobe.language import tags
from mtprobe.suite.samples import english
from mtprobe.suite.samples.slots import SlotTable, names_in, slot_and_attribute

# Escaped brackets, doubled braces and the names of slots, which may have brackets, come before brackets themselves.
_TOKEN = re.compile(r"\\([\[\]])|\{\{|\}\}|\{[^{}]*\}|([\[\]])")
_MARK = re.compile(r"(?<!\\)[<>]")  # of the focus
_WHOLE_SENTENCES = ("sources", "targets", "references", "fillers", "against")
_NO_SPACE_BEFORE = tuple(",.;:!?…)»”")


class ClauseError(ValueError):
    """The brackets of a sentence are not pairs."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence, with its slots and marks as they are written."""

    text: str
    is_optional: bool


@dataclass(frozen=True)
class Clauses:
    """A template's sentence in parts."""

    parts: tuple[Part, ...]

    @cached_property
    def optional(self) -> tuple[str, ...]:
        """The clauses that may be dropped, in order."""
        return tuple(part.text.strip() for part in self.parts if part.is_optional)

    @cached_property
    def required(self) -> str:
        """The rest."""
        return "".join(part.text for part in self.parts if not part.is_optional)

    def text(self, dropped: Collection[int] = (), language: str = "") -> str:
        """The sentence without its brackets and without the clauses of these numbers.

        Spaces around a clause that is dropped are joined. What then starts the sentence gets a capital, and in English
        an a/an before the gap is made to fit.
        """
        done, number, has_gap = "", -1, False
        for part in self.parts:
            number += part.is_optional
            if part.is_optional and number in dropped:
                has_gap = True
                continue
            text = part.text
            if text.startswith(_NO_SPACE_BEFORE):
                done = done.rstrip()
            elif done[-1:].isspace() or (has_gap and not done):
                text = text.lstrip()
            if has_gap and text.strip():
                if english.starts_sentence(done):
                    text = english.capitalised(text)
                if tags.fits("en", language) and not text.startswith("{"):
                    done = english.with_article(done, text)
                has_gap = False
            done += text
        return done.rstrip() if has_gap else done


def read_clauses(written: str) -> Clauses:
    """The parts of a sentence; `\\[` and `\\]` are literal brackets."""
    parts: list[Part] = []
    text, last, is_open = "", 0, False
    for match in _TOKEN.finditer(written):
        escaped, bracket = match.groups()
        text += written[last : match.start()]
        last = match.end()
        if escaped:
            text += escaped
        elif bracket is None:
            text += match.group()
        else:
            if (bracket == "[") == is_open:
                raise ClauseError(
                    "an optional clause cannot contain another one"
                    if is_open
                    else "a clause is closed with ] that was not opened with [; a literal bracket is written \\["
                )
            if is_open and not text.strip():
                raise ClauseError("there is nothing between [ and ]")
            parts.append(Part(text, is_open))
            text, is_open = "", bracket == "["
    if is_open:
        raise ClauseError(
            "an optional clause is opened with [ and not closed; a literal bracket is written \\["
        )
    parts.append(Part(text + written[last:], False))
    return Clauses(tuple(part for part in parts if part.text or part.is_optional))


def escaped_brackets(text: str) -> str:
    """The text with literal brackets as they are written in a template."""
    return text.replace("[", "\\[").replace("]", "\\]")


def clauses_of(written: str, place: Place) -> Clauses:
    """The parts of a template's sentence, or an error at its place."""
    try:
        return read_clauses(written)
    except ClauseError as error:
        raise SuiteError.at(place, f"{error}: {written!r}") from None


def check_clauses(
    clauses: Clauses, evidence: Mapping[str, Sequence[str]], slots: SlotTable, place: Place
) -> None:
    """An error if a sentence could not be judged without one of its clauses; `evidence` has the texts of each key."""
    remaining = _slots_in(clauses.required, slots)
    needed = {
        slot: key for key, texts in evidence.items() for text in texts for slot in _slots_in(text, slots)
    }
    giving = {
        slot for slot, values in slots.items() if any("category" in value.attributes for value in values)
    }
    for key in _WHOLE_SENTENCES:
        if key in evidence:
            raise SuiteError.at(
                place, f"[{clauses.optional[0]}] cannot be dropped: the sentences of `{key}` would keep it"
            )
    for clause in clauses.optional:
        if _MARK.search(clause):
            raise SuiteError.at(place, f"[{clause}] cannot be dropped: the focus is in it")
        for slot in _slots_in(clause, slots) - remaining:
            if slot in needed:
                raise SuiteError.at(place, f"[{clause}] cannot be dropped: `{needed[slot]}` needs {{{slot}}}")
            if slot in giving and not giving & remaining:
                raise SuiteError.at(place, f"[{clause}] cannot be dropped: {{{slot}}} gives the category")


def _slots_in(text: str, slots: SlotTable) -> set[str]:
    return {slot_and_attribute(name, slots)[0] for name in names_in(text)}
