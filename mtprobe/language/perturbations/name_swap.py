"""Replaces a name by another."""

from __future__ import annotations

import re
from random import Random

from mtprobe.language.perturbations.perturbation import Focus, Perturbation
from mtprobe.language.words import word_file

_GENDERS = ("female", "male")


def _names(gender: str) -> tuple[list[str], list[str]]:
    """Names of a gender that may be put into any sentence, and others."""
    lists: dict[str, list[str]] = word_file("mtprobe.language.perturbations", "names.yaml")
    return lists[gender], lists[f"also_{gender}"]


def given_gender(name: str) -> str | None:
    """`female` or `male`, for a name of our lists."""
    folded = name.casefold()
    return next(
        (gender for gender in _GENDERS for names in _names(gender) if folded in map(str.casefold, names)),
        None,
    )


class NameSwap(Perturbation):
    name = "name-swap"
    about = "another given name of the same gender, for every name of our list in the sentence"
    needs = "needs a given name of names.yaml"

    def apply(self, sentence: str, focus: Focus, draw: Random) -> str:  # noqa: ARG002
        for gender in _GENDERS:
            names, known = _names(gender)
            present = [name for name in (*names, *known) if re.search(rf"\b{name}\b", sentence)]
            others = [name for name in names if name not in present]
            for name, other in zip(present, draw.sample(others, len(others)), strict=False):
                sentence = re.sub(rf"\b{name}\b", other, sentence)
        return sentence
