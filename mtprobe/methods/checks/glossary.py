"""Terms: required and forbidden translations of source words, by lemma."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field

from mtprobe.language import tags
from mtprobe.language.invariants.kind import Change, Item, Kind, Text
from mtprobe.language.lemmatizers import open_lemmatizer
from mtprobe.language.match import Matcher
from mtprobe.suite.format.evidence import Lexemes
from mtprobe.suite.format.fields import Strict
from mtprobe.suite.format.fields import Text as Word
from mtprobe.suite.sample import Suite

TERMS = "terms"


class Term(Strict):
    """The required and forbidden translations of a term."""

    required: Lexemes | None = None
    """One of these, as dictionary forms."""
    forbidden: Lexemes | None = None
    """None of these."""


def _term(value: Any) -> Any:
    return {"required": value} if isinstance(value, str | list) else value


Glossary: TypeAlias = Annotated[
    dict[Word, Annotated[Term, BeforeValidator(_term, json_schema_input_type=Term | str | list[str])]],
    Field(min_length=1),
]


class Terms(Kind):
    name = TERMS
    adds = False
    about = "terms from the suite's glossary (`terms`): required and forbidden words, by lemma"

    def __init__(self, suite: Suite, target: str, lemmatizer: str) -> None:
        self._glossary = self._for(suite, target)
        self._matcher = Matcher(open_lemmatizer(lemmatizer, target), target)
        self._matcher.learn(
            word
            for term in self._glossary.values()
            for word in (*(term.required or ()), *(term.forbidden or ()))
        )

    @staticmethod
    def fits(suite: Suite, target: str) -> bool:
        return any(tags.fits(language, target) for language in suite.options[TERMS])

    @staticmethod
    def _for(suite: Suite, target: str) -> dict[str, Term]:
        return {
            word: term
            for language, glossary in suite.options[TERMS].items()
            if tags.fits(language, target)
            for word, term in glossary.items()
        }

    def items(self, text: Text) -> Sequence[Item]:
        """The terms of the source; a regular plural counts too."""
        return [
            Item(match[0], match.start(), frozenset({word}))
            for word in self._glossary
            for match in re.finditer(rf"(?<!\w){re.escape(word)}(?:e?s)?(?!\w)", text.text, re.IGNORECASE)
        ]

    def changes(self, source: Text, target: Text) -> list[Change]:
        (sentence,) = self._matcher.sentences([target.text])
        changes = []
        for item in self.items(source):
            (word,) = item.values
            term = self._glossary[str(word)]
            required, forbidden = self._matcher.find(sentence, term.required or (), term.forbidden or ())
            if forbidden:
                match = forbidden[0]
                written = sentence.text[match.start : match.end]
                changes.append(
                    Change(
                        self.name,
                        "changed",
                        item.text,
                        written,
                        (match.start, match.end),
                        "which is forbidden",
                    )
                )
            elif term.required and not required:
                note = f"{item.text} ({' or '.join(term.required)})"
                changes.append(Change(self.name, "lost", note))
        return changes
