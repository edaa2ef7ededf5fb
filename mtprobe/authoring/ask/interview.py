"""Questions and answers: an invalid answer is explained and the question repeated."""

from __future__ import annotations

import itertools
import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.language import tags
from mtprobe.language.english.inflection import is_form_of
from mtprobe.language.names import tag_of
from mtprobe.suite.samples.focus import FocusError, lookalike, read_marks

T = TypeVar("T")
_ARTICLES = frozenset({"the", "a", "an"})
_PHRASE = 4  # words of a phrase that can take the place of a word


BACK = "<"


class Unusable(ValueError):
    """An answer that has to be given again; the message says why."""


class Back(Exception):
    """The last answer is to be given again."""


@dataclass(frozen=True, slots=True)
class Interview:
    """`line` shows a question and reads a line, `say` shows a line; an `EOFError` means that there are no more answers."""

    line: Callable[[str], str]
    say: Callable[[str], object]
    given: list[str] = field(default_factory=list)  # the answers that could be used, in order
    _repeated: deque[str] = field(default_factory=deque)  # those that are not asked for again

    def of(self, make: Callable[[Interview], T]) -> T:
        """The result of `make` with the answers. The answer `<` starts again, with all answers but the last."""
        while True:
            try:
                return make(self)
            except Back:
                self._repeated.extend(self.given[:-1])
                self.given.clear()

    def tell(self, line: str) -> None:
        """Shows a line, unless it was shown before `<`."""
        if not self._repeated:
            self.say(line)

    def ask(self, question: str, read: Callable[[str], T], default: str = "") -> T:
        if self._repeated:
            self.given.append(self._repeated.popleft())
            return read(self.given[-1])
        while True:
            try:
                answer = self.line(f"{question}{f' [{default}]' if default else ''}: ").strip()
            except EOFError:
                raise MtprobeError(
                    f'there is no answer to "{question}", and nothing was written; answer in a terminal, or give one '
                    "answer per line on standard input"
                ) from None
            if answer == BACK:
                if self.given:
                    raise Back
                self.say("  this is the first question")
                continue
            try:
                value = read(answer or default)
            except Unusable as error:
                self.say(f"  {error}")
                continue
            self.given.append(answer or default)
            return value

    def ask_each(self, question: str, read: Callable[[str], T]) -> Iterator[T]:
        """At least one answer, until an empty one; follow-up questions about an answer may come in between."""
        yield self.ask(f"{question} 1", read)
        for number in itertools.count(2):
            answer = self.ask(f"{question} {number} (empty to finish)", _or_end(read))
            if answer is None:
                return
            yield answer


def _or_end(read: Callable[[str], T]) -> Callable[[str], T | None]:
    return lambda answer: read(answer) if answer else None


def text(answer: str) -> str:
    if not answer:
        raise Unusable("an answer is needed")
    if not answer.isprintable():
        raise Unusable("the answer has characters that cannot be printed")
    return answer


def words(answer: str) -> list[str]:
    """Separated by commas, each once."""
    listed = [word.strip() for word in text(answer).split(",")]
    listed = list(dict.fromkeys(word for word in listed if word))
    if not listed:
        raise Unusable("give words, separated by commas")
    if odd := next((word for word in listed if re.search(r"[<>{}]", word)), None):
        raise Unusable(f'"{odd}": a word is given without <, >, {{ and }}')
    return listed


def bare_words(answer: str) -> list[str]:
    """Words without an article: the sentences have their own. An English article is recognized."""
    for word in (listed := words(answer)):
        if len(word.split()) > _PHRASE or word.endswith((".", "!", "?")):
            raise Unusable(f'"{word}" is not a word or a short phrase')
        article, _, rest = word.partition(" ")
        if article.casefold() in _ARTICLES and rest:
            raise Unusable(f'"{word}": give the word without its article: {rest}')
    return listed


def bare_word(answer: str) -> str:
    listed = bare_words(answer)
    if len(listed) > 1:
        raise Unusable("give one word")
    return listed[0]


def names(answer: str) -> list[str]:
    """Names of categories."""
    listed = words(answer)
    if odd := next((name for name in listed if not re.fullmatch(r"\w[\w .-]{0,99}", name)), None):
        raise Unusable(f'"{odd}" is not a name: letters, digits, spaces, dots and dashes')
    return listed


def two_names(answer: str) -> list[str]:
    listed = names(answer)
    if len(listed) != 2:
        raise Unusable("give two names, separated by a comma")
    return listed


def language(answer: str) -> str:
    tag = tag_of(text(answer)) or answer
    if not tags.is_language(tag):
        raise Unusable(
            f'"{answer}" is not a language that is known by name; give its tag, as in en, pt or pt-BR'
        )
    return tags.standard(tag)


def languages(answer: str) -> list[str] | None:
    """None for any."""
    return None if answer == "any" else list(dict.fromkeys(language(tag) for tag in words(answer)))


def one_language(answer: str) -> list[str]:
    listed = languages(answer)
    if listed is None or len(listed) != 1:
        raise Unusable("give one language: the translations are in it")
    return listed


def one_of(*choices: str) -> Callable[[str], str]:
    """Chooses by name or number."""

    def read(answer: str) -> str:
        if answer.isascii() and answer.isdigit() and 0 < int(answer[:9]) <= len(choices):
            return choices[int(answer) - 1]
        if answer not in choices:
            raise Unusable(f'"{answer}" is not one of the answers{did_you_mean(answer, choices)}')
        return answer

    return read


def sentence_with(slot: str) -> Callable[[str], str]:
    """A sentence that has the slot once."""

    def read(answer: str) -> str:
        plain = text(answer).replace(f"{{{slot}}}", "", 1)
        if plain == answer or re.search(r"[{}<>]", plain):
            raise Unusable(f"write {{{slot}}} once, where the word goes, and no other brackets")
        return answer

    return read


def sentence_about(word: str, source: str) -> Callable[[str], str]:
    """A sentence that has the word, or a form of it, in <…>; if it has the word once, the marks may be omitted."""

    def read(answer: str) -> str:
        matches = list(re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", answer, re.IGNORECASE))
        if "<" not in answer and ">" not in answer and len(matches) == 1 and word:
            start, end = matches[0].span()
            answer = f"{answer[:start]}<{answer[start:end]}>{answer[end:]}"
        marked = focused(answer, f'the sentence does not have "{word}"; mark the form that it has: <…>')
        if tags.fits("en", source) and not is_form_of(
            focus := marked.partition("<")[2].partition(">")[0], word
        ):
            raise Unusable(f'"{focus}" is not a form of "{word}"')
        return marked

    return read


def focused(answer: str, without: str = "mark the word that the question is about: <word>") -> str:
    """A sentence with its focus; `without` is the reason to ask again if it has none."""
    try:
        marked = read_marks(text(answer))
    except FocusError as error:
        raise Unusable(str(error)) from None
    if marked.focus is None:
        raise Unusable(lookalike(answer) or without)
    return answer
