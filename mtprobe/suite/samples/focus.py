"""The focus of a sentence, and contrastive sources made by inserting cues before it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mtprobe.language import tags
from mtprobe.suite.sample import Choices, Contrast, Sample
from mtprobe.suite.samples import english

# Placeholders for \\< and \\> while marks are parsed; texts do not contain them.
_PLAIN_LESS, _PLAIN_MORE = "\x01", "\x02"
_FOCUS_IN_CUE = "<>"
_INSTEAD_OF_FOCUS = re.compile(r"<([^<>]+)>")
# What looks like <word> and is not. « and » are also quotes, so they mean a focus only where one is missing.
_LESS, _MORE = "‹⟨〈＜❮❬˂«", "›⟩〉＞❯❭˃»"
_LOOKALIKE = re.compile(rf"(?:[{_LESS}<]|&lt;)\s*([^{_LESS}{_MORE}<>&]+?)\s*(?:[{_MORE}>]|&gt;)")
_EMPHASIZED = re.compile(
    r"(?<!\w)(?:(?P<mark>[*_]{1,2})(?P<word>\w[^*_]*)(?P=mark)|\[(?P<inside>[^\[\]]+)\])(?!\w)"
)
_LANGUAGES_THAT_KEEP_CAPITALS = ("de", "lb")  # every noun has one


class FocusError(ValueError):
    """The marks in a sentence are not one pair."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence without its marks, and the span of the marked words."""

    text: str
    focus: tuple[int, int] | None


def read_marks(written: str) -> Marked:
    """Removes the `<…>` from a sentence; `\\<` and `\\>` become literal."""
    hidden = written.replace("\\<", _PLAIN_LESS).replace("\\>", _PLAIN_MORE)
    before, opened, rest = hidden.partition("<")
    inside, closed, after = rest.partition(">")
    text = (before + inside + after).replace(_PLAIN_LESS, "<").replace(_PLAIN_MORE, ">")
    if not opened and ">" not in before:
        return Marked(text, None)
    if not opened or not closed:
        if mistaken := lookalike(written):
            raise FocusError(mistaken)
        raise FocusError("the focus is opened with < and closed with >; a literal sign is written \\< or \\>")
    if ">" in before or "<" in inside or "<" in after or ">" in after:
        raise FocusError("the focus is marked once, as <word>; a literal sign is written \\< or \\>")
    if not inside.strip():
        raise FocusError("there is nothing between < and >")
    return Marked(text, (len(before), len(before) + len(inside)))


def lookalike(text: str) -> str | None:
    """A hint about `‹word›` in a sentence without a focus; None if it has nothing like it."""
    for match in _LOOKALIKE.finditer(text.replace("\\<", "").replace("\\>", "")):
        if not match[0].startswith("<") or not match[0].endswith(">"):
            return f"the focus is marked with < and >: write <{match[1]}>, not {match[0]}"
    return None


def emphasized(text: str) -> str | None:
    """A hint about `*word*` or `[word]` where a focus is missing; None if the sentence has nothing like it."""
    match = _EMPHASIZED.search(text)
    return f"write <{match['word'] or match['inside']}>, not {match[0]}" if match else None


def escaped(text: str) -> str:
    """The text with literal < and > as they are written in a suite."""
    return text.replace("<", "\\<").replace(">", "\\>")


def marked(text: str, focus: tuple[int, int]) -> str:
    """The text with its focus, as they are written in a suite."""
    start, end = focus
    return f"{escaped(text[:start])}<{escaped(text[start:end])}>{escaped(text[end:])}"


def contrastive_sources(sample: Sample, language: str) -> Contrast | Choices | None:
    """The sources that contrastive conditioning scores a translation with, or None if the sample has no evidence."""
    if sample.sources is not None:
        return sample.sources
    if sample.cues is None or sample.focus is None:
        return None
    sides = {
        side: tuple(insert_cue(sample.source, sample.focus, cue, language) for cue in cues)
        for side, cues in sample.cues.sides.items()
    }
    return (
        Choices(sides) if isinstance(sample.cues, Choices) else Contrast(sides["correct"], sides["incorrect"])
    )


def cue_is_beside_focus(sample: Sample) -> bool:
    """Whether a contrastive source still has the focus, with a cue beside it, rather than something in its place."""
    if sample.sources is not None:
        word = sample.source[slice(*sample.focus)].casefold() if sample.focus else ""
        return any(word in text.casefold() for texts in sample.sources.sides.values() for text in texts)
    if sample.cues is None:
        return False
    return any(_INSTEAD_OF_FOCUS.search(cue) is None for cues in sample.cues.sides.values() for cue in cues)


def cue_replaces_focus(sample: Sample) -> bool:
    """Whether one of the sample's cues takes the place of the focus."""
    return sample.cues is not None and any(
        _INSTEAD_OF_FOCUS.search(cue) for cues in sample.cues.sides.values() for cue in cues
    )


def insert_cue(source: str, focus: tuple[int, int], cue: str, language: str) -> str:
    """The source with the cue before its focus, or as the cue says with `<>` for the focus or `<word>` instead of it.

    In an English source a/an is repaired; a sentence keeps its capital.
    """
    before, word, after = source[: focus[0]], source[focus[0] : focus[1]], source[focus[1] :]
    instead = _INSTEAD_OF_FOCUS.sub(r"\1", cue)
    phrase = instead if instead != cue or _FOCUS_IN_CUE in cue else f"{cue} {_FOCUS_IN_CUE}"
    opens = english.starts_sentence(before) and not word[0].islower()  # not after "e.g."
    if opens and not phrase.startswith((_FOCUS_IN_CUE, "[")):  # [female] is a mark, not a word
        if tags.standard(language).split("-")[0] not in _LANGUAGES_THAT_KEEP_CAPITALS:
            word = english.without_capital(word)
        phrase = english.capitalised(phrase)
    phrase = phrase.replace(_FOCUS_IN_CUE, word)
    if phrase.endswith(",") and after[:1] in tuple(".,;:!?…)"):
        phrase = phrase[:-1]  # ", a woman," before a full stop
    if tags.fits("en", language):
        before = english.with_article(before, phrase)
    return before + phrase + after
