"""The presentation of salience: sentences shaded word by word, in the terminal and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from mtprobe import __version__
from mtprobe.methods.salience.outcome import Importance, Salience, SuiteSalience, Word
from mtprobe.printable import printable
from mtprobe.records import ModelFacts
from mtprobe.report.html.page import render
from mtprobe.report.rich_text import console_for, foreign
from mtprobe.system.atomic import write_text

if TYPE_CHECKING:
    from rich.text import Text

STYLES = ("style.css", "study.css", "salience.css")
LEVELS = 8  # shades
_IN_TERMINAL = 20  # sentences
_IN_PAGE = 500
_LEVEL = 0.05  # a smaller p is called evidence
_NAMED = 4  # words whose numbers are shown below a sentence
# From the least to the deepest shade: with black letters, readable on light and dark terminals.
_RAISES, _LOWERS = ((255, 244, 224), (240, 140, 20)), ((226, 240, 250), (80, 160, 220))


@dataclass(frozen=True, slots=True)
class ShadedPart:
    """A piece of a sentence: a word with its shade, or the text between words."""

    text: str
    word: Word | None
    level: int  # 0 to LEVELS; below 0 where the word makes the target's less likely

    @property
    def name(self) -> str:
        """For the style sheet."""
        return f"{'lowers' if self.level < 0 else 'raises'}{abs(self.level)}"


def parts_of(sentence: Salience) -> Iterator[ShadedPart]:
    """The entire source, in order. The most salient word of the sentence has the deepest shade."""
    most = max((abs(word.salience) for word in sentence.words if word.salience is not None), default=0.0)
    source, at = sentence.question.source, 0
    for word in sentence.words:
        if word.start > at:
            yield ShadedPart(source[at : word.start], None, 0)
        level = round(LEVELS * word.salience / most) if word.salience and most else 0
        yield ShadedPart(word.text, word, level)
        at = word.end
    if at < len(source):
        yield ShadedPart(source[at:], None, 0)


def in_words(importance: Importance, test: str = "paired") -> str:
    """`d = +0.31 (95% interval 0.10 to 0.52, n = 40 sentences), paired t = 2.41, p = 0.020: triggers matter more …`."""
    value = importance.d
    if value.value is None:
        return f"not measured: {value.note}"
    interval = f"95% interval {value.low:.2f} to {value.high:.2f}" if value.has_interval else value.note
    sentences = f"n = {value.n:,} sentence{'' if value.n == 1 else 's'}"
    tested = ""
    if importance.t is not None and importance.p is not None:
        p = "< 0.001" if importance.p < 0.001 else f"= {importance.p:.3f}"
        tested = f", {test} t = {importance.t:.2f}, p {p}"
    return f"d = {value.value:+z.2f} ({interval}, {sentences}){tested}: {conclusion(importance)}"


def conclusion(importance: Importance) -> str:
    """The conclusion from sign, size and p."""
    if importance.d.value is None or importance.p is None:
        return "too few sentences to test"
    if importance.p >= _LEVEL:
        return "no evidence that triggers matter more or less than other words"
    direction = "more" if importance.d.value > 0 else "less"
    return f"triggers matter {direction} than other words (a {importance.effect} effect)"


@dataclass(frozen=True, slots=True)
class SalienceFacts:
    """The suite and the model."""

    suite: str
    digest: str
    source: str
    target: str
    model: ModelFacts


@dataclass(frozen=True, slots=True)
class SalienceView:
    """Salience as templates draw it."""

    found: SuiteSalience
    importance: str
    of_choice: str
    sentences: tuple[tuple[Salience, tuple[ShadedPart, ...]], ...]
    levels: range = range(1, LEVELS + 1)


def salience_view(salience: SuiteSalience, shown: int) -> SalienceView:
    return SalienceView(
        salience,
        in_words(salience.importance) if salience.importance else "",
        in_words(salience.of_choice) if salience.of_choice else "",
        tuple((sentence, tuple(parts_of(sentence))) for sentence in salience.sentences[:shown]),
    )


def write_salience(path: Path, suites: Sequence[tuple[SalienceFacts, SuiteSalience]]) -> None:
    """The sentences of each suite shaded, as many as a page can hold; one file."""
    shown = max(1, _IN_PAGE // len(suites))
    views = [(facts, salience_view(salience, shown)) for facts, salience in suites]
    context = {"version": __version__, "suites": views}
    write_text(path, render("salience.html.j2", context, STYLES))


def show_salience(facts: SalienceFacts, salience: SuiteSalience, stream: TextIO) -> None:
    """The first sentences and the importance of triggers."""
    from rich.text import Text

    console = console_for(stream, least=80, soft_wrap=True)
    for sentence in salience.sentences[:_IN_TERMINAL]:
        target, word = sentence.question.target, sentence.question.word
        console.print(foreign(sentence.question.id, "dim"))
        console.print(_shaded(sentence))
        console.print(
            Text.assemble(
                "  → ",
                printable(target[: word[0]]),
                (printable(target[slice(*word)]), "bold"),
                printable(target[word[1] :]),
                f"  P = {sentence.probability:.3g}",
            )
        )
        console.print(foreign(f"  {_named(sentence)}", "dim"))
        console.print()
    if len(salience.sentences) > _IN_TERMINAL:
        console.print(
            f"{_IN_TERMINAL} of {len(salience.sentences):,} sentences; -o PATH writes a page with more\n"
        )
    for id, reason in salience.failed:
        console.print(foreign(f"{id}: {reason}", "red"))
    if salience.left_out:
        console.print(f"skipped: {salience.left_out:,} samples whose targets differ in no word")
    console.print(foreign(f"{facts.suite} · {facts.model.name} ({facts.source}→{facts.target})"))
    for line in importance_lines(salience):
        console.print(foreign(line))


def importance_lines(salience: SuiteSalience) -> Iterator[str]:
    """The importance of triggers, for the terminal."""
    if salience.importance is None:
        yield (
            "trigger importance: no sentence has triggers; name them in the samples (`triggers: large`), or give both "
            "samples of a schema the same cluster"
        )
        return
    if (published := salience.as_published) is not None:
        yield f"trigger importance as published (subword tokens): {in_words(published, 'unpaired')}"
    for what, importance in (("the word", salience.importance), ("the choice", salience.of_choice)):
        if importance is not None:
            yield f"trigger importance for {what}: {in_words(importance)}"
            yield (
                f"  mean salience {importance.trigger_mean:+.4f} of {importance.triggers:,} trigger words, "
                f"{importance.other_mean:+.4f} of {importance.others:,} others"
            )


def _shaded(sentence: Salience) -> Text:
    from rich.text import Text

    shown = Text("  ")
    for part in parts_of(sentence):
        trigger = part.word is not None and part.word.kind == "trigger"
        style = "bold underline" if trigger else ""
        if part.level:
            style = f"{style} black on {_colour(part.level)}".strip()
        text = printable(part.text)
        shown.append(f"[{text}]" if trigger else text, style)
    return shown


def _colour(level: int) -> str:
    pale, deep = _LOWERS if level < 0 else _RAISES
    share = abs(level) / LEVELS
    return "rgb({})".format(
        ",".join(str(round(start + (end - start) * share)) for start, end in zip(pale, deep, strict=True))
    )


def _named(sentence: Salience) -> str:
    """The most salient words with their numbers, and every trigger."""
    measured = [word for word in sentence.words if word.salience is not None]
    first = sorted(measured, key=lambda word: -abs(word.salience or 0.0))
    named = [word for number, word in enumerate(first) if number < _NAMED or word.kind == "trigger"]
    return " · ".join(
        f"{f'[{word.text}]' if word.kind == 'trigger' else word.text} {word.salience:+.4f}" for word in named
    )
