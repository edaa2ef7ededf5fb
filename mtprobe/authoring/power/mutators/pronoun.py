"""English pronouns of the other gender, or of none."""

from __future__ import annotations

import random
import re

from mtprobe.authoring.power.mutators.mutator import TextMutator, only_text
from mtprobe.backends.protocols import LanguagePair
from mtprobe.methods.method import Translated

# By role: subject, object, before a noun, alone, reflexive.
_FORMS = {
    "he": ("he", "him", "his", "his", "himself"),
    "she": ("she", "her", "her", "hers", "herself"),
    "they": ("they", "them", "their", "theirs", "themself"),
}
_SUBJECT, _OBJECT, _BEFORE_NOUN, _ALONE, _REFLEXIVE = range(5)
_PRONOUN = re.compile(r"\b(he|she|him|his|her|hers|himself|herself)\b(?=(\s+\w)?)", re.IGNORECASE)
_AFTER_OBJECT = re.compile(
    r"\s+(?:to|in|on|at|for|with|from|by|and|or|but|that|who|when|if|as|a|an|the)\b", re.IGNORECASE
)


class Pronoun(TextMutator):
    name = "pronoun"
    about = "every *he* becomes *she*, and the reverse (en)"

    def mutate(
        self,
        translated: Translated,
        languages: LanguagePair,
        random_: random.Random,  # noqa: ARG002 - every pronoun is changed
    ) -> str | None:
        if not languages.target.startswith("en"):
            return None
        text = only_text(translated)
        return _PRONOUN.sub(lambda match: self._other(match, text), text)

    def _other(self, match: re.Match[str], text: str) -> str:
        word = match[1]
        forms = _FORMS[self.person("he" if word.lower() in _FORMS["he"] else "she")]
        other = forms[_role(match, text)]
        return other.capitalize() if word[0].isupper() else other

    def person(self, before: str) -> str:
        """The replacement of *he* or *she*."""
        return "she" if before == "he" else "he"


class NeutralPronoun(Pronoun):
    name = "neutral-pronoun"
    about = "every *he* and *she* becomes *they* (en)"

    def person(self, before: str) -> str:  # noqa: ARG002 - both
        return "they"


def _role(match: re.Match[str], text: str) -> int:
    word = match[1].lower()
    if word in ("he", "she"):
        return _SUBJECT
    if word == "him":
        return _OBJECT
    if word.endswith("self"):
        return _REFLEXIVE
    if word == "hers" or (word == "his" and not match[2]):
        return _ALONE
    if word == "her" and (not match[2] or _AFTER_OBJECT.match(text, match.end(1))):
        return _OBJECT  # *saw her in the garden*, not *saw her garden*
    return _BEFORE_NOUN
