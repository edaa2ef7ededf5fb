"""What a label means: the translation is correct, incorrect, or the label is skipped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.studies.labels import Label, LabelsError


class Meaning(StrEnum):
    CORRECT = "correct"
    INCORRECT = "incorrect"
    SKIP = "skip"


class Meanings:
    """Reads labels: `correct`, `incorrect`, a category that the translation conveys, or a meaning that the user gave.

    Case is ignored.
    """

    def __init__(self, given: Mapping[str, str], categories: Sequence[str]) -> None:
        self._categories = {category.casefold(): category for category in categories}
        known = [*Meaning, *categories]
        for text, meaning in given.items():
            if meaning.casefold() not in {name.casefold() for name in known}:
                raise MtprobeError(
                    f'--label "{text}={meaning}": there is no meaning "{meaning}"{did_you_mean(meaning, known)}'
                )
        self._given = {text.casefold(): meaning.casefold() for text, meaning in given.items()}

    def names_category(self, label: Label) -> str | None:
        """The category that the label names, if any."""
        return self._categories.get(self._word(label))

    def of(self, label: Label, category: str | None) -> Meaning:
        """What the label says about a sample of this category."""
        word = self._word(label)
        if word in set(Meaning):
            return Meaning(word)
        named = self._categories.get(word)
        if named is None:
            known = [*list(Meaning)[:2], *self._categories.values()]
            raise LabelsError(
                f'{label.place}: label "{label.text}" is not one of {", ".join(known)}; '
                f'give it a meaning, for example --label "{label.text}=skip"'
            )
        return Meaning.CORRECT if named == category else Meaning.INCORRECT

    def _word(self, label: Label) -> str:
        word = label.text.casefold()
        return self._given.get(word, word)


def read_meanings(texts: Sequence[str]) -> dict[str, str]:
    """`TEXT=MEANING` from the command line; the text may contain `=`."""
    meanings = {}
    for text in texts:
        label, sign, meaning = text.rpartition("=")
        if not sign or not label.strip() or not meaning.strip():
            raise MtprobeError(
                f'--label "{text}": write LABEL=MEANING, for example "too bad to tell=incorrect"'
            )
        meanings[label.strip()] = meaning.strip()
    return meanings
