"""Errors of the whole translation: it is a copy of the source, or truncated."""

from __future__ import annotations

import random

from mtprobe.authoring.power.mutators.mutator import TextMutator, only_text
from mtprobe.backends.protocols import LanguagePair
from mtprobe.methods.method import Translated

_KEPT = 0.6  # of the words
_FEWEST = 4  # words: less cannot end early


class Copied(TextMutator):
    name = "copying"
    about = "the translation is the source"

    def mutate(
        self,
        translated: Translated,
        languages: LanguagePair,  # noqa: ARG002 - any
        random_: random.Random,  # noqa: ARG002 - there is one way
    ) -> str | None:
        return translated.sample.source


class Truncated(TextMutator):
    name = "truncation"
    about = "the translation ends early: the last two fifths of its words are missing"

    def mutate(
        self,
        translated: Translated,
        languages: LanguagePair,  # noqa: ARG002 - languages that write spaces
        random_: random.Random,  # noqa: ARG002 - there is one way
    ) -> str | None:
        words = only_text(translated).split()
        if len(words) < _FEWEST:
            return None
        last = words[-1][-1]
        kept = " ".join(words[: max(1, round(_KEPT * len(words)))]).rstrip(",;:")
        return kept if last.isalnum() or kept.endswith(last) else kept + last
