"""The wording of questions: a template, filled with a translation and its readings in one order."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import ascii_uppercase

import yaml

from mtprobe.backends.answers import ChatPrompt, Question
from mtprobe.backends.protocols import LanguagePair
from mtprobe.language.names import language_name
from mtprobe.methods.method import Translated
from mtprobe.methods.question.keys import FIELD, WORDS, QuestionWording
from mtprobe.methods.question.readings import Kind, Reading, Readings
from mtprobe.suite.sample import Sample, Suite

_BUILT_IN = Path(__file__).parent / "questions.yaml"


@cache
def built_in() -> Mapping[str, QuestionWording]:
    """The built-in wording by kind of question."""
    texts = yaml.safe_load(_BUILT_IN.read_text(encoding="utf-8"))
    return {kind: QuestionWording.model_validate(text) for kind, text in texts.items()}


def genders() -> Mapping[str, str]:
    """How genders are described."""
    return built_in()["gender"].choices or {}


@dataclass(frozen=True, slots=True)
class Wording:
    """How a suite asks."""

    own: QuestionWording | None  # None: with the words that mtprobe brings

    @classmethod
    def of(cls, suite: Suite) -> Wording:
        return cls(suite.options.get("question"))

    @property
    def digest(self) -> str:
        """Changes whenever a question may change."""
        words = [_dumped(text) for text in built_in().values()]
        if self.own is not None:
            words.append(_dumped(self.own))
        return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:8]

    @property
    def name(self) -> str:
        return f"{'built in' if self.own is None else 'own'} ({self.digest})"

    @property
    def read(self) -> Sequence[str]:
        """How answers in words are read."""
        return self.own.read if self.own is not None else QuestionWording().read

    @property
    def asks_for_words(self) -> bool:
        """Whether answers in words are wanted of every judge."""
        return self.own is not None and self.own.answer == WORDS

    def questions(
        self, translated: Translated, readings: Readings, languages: LanguagePair
    ) -> list[Question]:
        """The same question with the readings in each order."""
        return [
            self._question(translated, readings.kind, order, languages) for order in orders(readings.each)
        ]

    def asks_about(self, sample: Sample, readings: Readings) -> bool:
        """Whether the question can be filled in: one with {focus} needs a focus."""
        return sample.focus is not None or "{focus}" not in self._text(readings.kind)

    def _text(self, kind: Kind) -> str:
        return (self.own.text if self.own else None) or built_in()[kind].text or ""

    def _question(
        self, translated: Translated, kind: Kind, order: Sequence[Reading], languages: LanguagePair
    ) -> Question:
        sample, text = translated
        letters = tuple(ascii_uppercase[: len(order)])
        focus = sample.source[slice(*sample.focus)] if sample.focus else ""
        values = {
            "translation": text or "",
            "source": sample.source,
            "focus": focus,
            "choices": "\n".join(
                f"{letter}) {reading.text}" for letter, reading in zip(letters, order, strict=True)
            ),
            "source_language": language_name(languages.source),
            "target_language": language_name(languages.target),
        }
        template = self._text(kind)
        system = self.own.system if self.own else None
        prompt = ChatPrompt.of(_filled(template, values), _filled(system, values) if system else None)
        return Question(prompt, letters)


def orders(readings: Sequence[Reading]) -> list[tuple[Reading, ...]]:
    """As many orders as readings: each reading is once in each place. Two readings: A/B and B/A."""
    return [(*readings[start:], *readings[:start]) for start in range(len(readings))]


def _dumped(wording: QuestionWording) -> str:
    """Without keys that came later, where a suite does not use them: its digest stays the same."""
    return wording.model_dump_json(exclude={"answer"} if wording.answer is None else None)


def _filled(template: str, values: Mapping[str, str]) -> str:
    """Braces in what is filled in are not fields."""
    return FIELD.sub(lambda match: values.get(match[1], match[0]), template)
