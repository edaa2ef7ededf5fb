"""Perturbations of capital letters."""

from __future__ import annotations

from random import Random

from mtprobe.language.perturbations.perturbation import Focus, Perturbation


class LowerStart(Perturbation):
    name = "lower-start"
    about = "the first word starts with a small letter, unless it is *I* or an abbreviation"
    needs = "needs a first word with a capital letter"

    def apply(self, sentence: str, focus: Focus, draw: Random) -> str:  # noqa: ARG002
        first = sentence.split()[0] if sentence.split() else ""
        if len(first) < 2 or first[1:] != first[1:].lower() or first.startswith(("I'", "I’")):
            return sentence
        return sentence[:1].lower() + sentence[1:]


class LowerCase(Perturbation):
    name = "lower-case"
    about = "the whole sentence in small letters"
    needs = "needs a capital letter"

    def apply(self, sentence: str, focus: Focus, draw: Random) -> str:  # noqa: ARG002
        return sentence.lower()


class UpperCase(Perturbation):
    name = "upper-case"
    about = "the whole sentence in capital letters"
    needs = "needs a small letter"

    def apply(self, sentence: str, focus: Focus, draw: Random) -> str:  # noqa: ARG002
        return sentence.upper()
