"""Words that the suite requires are missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mtprobe.authoring.power.mutators.mutator import Material, Mutant, Mutator
from mtprobe.methods.checks.word_lists import WordLists
from mtprobe.methods.method import Ask, Scores, Translated

_ROUNDS = 3  # a word may be found only when another one is gone


class RequiredWords(Mutator):
    name = "required-words"
    about = "the words of `must_contain` that a translation has are missing"

    def mutants(self, material: Material) -> Iterator[Mutant]:
        method, target = WordLists(), material.languages.target
        texts = {
            sample.id: Translated(sample, text)
            for sample, text in material.samples
            if text and method.lacks(sample, target) is None
        }
        if not texts or method.obstacle(material.preparation.suite, target) is not None:
            return
        prepared = method.prepare(material.preparation)
        ask = Ask(material.preparation.suite, material.languages, _no_scores)
        for _ in range(_ROUNDS):
            listed = list(texts.values())
            for translated, verdict in zip(listed, prepared.judge(listed, ask), strict=True):
                text = translated.text or ""
                for item in verdict.evidence:
                    if item.side == "correct":
                        text = re.sub(rf"\s?(?<!\w){re.escape(item.text)}(?!\w)", "", text)
                texts[translated.sample.id] = Translated(translated.sample, text.strip())
        for translated in texts.values():
            yield Mutant(translated.sample, translated.text or "")


def _no_scores(_pairs: Sequence[object]) -> Scores:
    return {}
