"""Another name in the place of one."""

from __future__ import annotations

import re
from random import Random

from mtprobe.language.perturbations.perturbation import Focus, Perturbation
from mtprobe.language.words import word_file


def given_gender(name: str) -> str | None:
    """`female` or `male`, for a name of our list."""
    lists = word_file("mtprobe.language.perturbations", "names.yaml")
    return next(
        (gender for gender, names in lists.items() if name.casefold() in map(str.casefold, names)), None
    )


class NameSwap(Perturbation):
    name = "name-swap"
    about = "another given name of the same gender, for every name of our list in the sentence"
    needs = "needs a given name of names.yaml"

    def apply(self, sentence: str, focus: Focus, draw: Random) -> str:  # noqa: ARG002
        for names in word_file("mtprobe.language.perturbations", "names.yaml").values():
            present = [name for name in names if re.search(rf"\b{name}\b", sentence)]
            others = [name for name in names if name not in present]
            for name, other in zip(present, draw.sample(others, len(others)), strict=False):
                sentence = re.sub(rf"\b{name}\b", other, sentence)
        return sentence
