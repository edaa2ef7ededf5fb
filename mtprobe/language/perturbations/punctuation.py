"""Perturbations of punctuation and spaces."""

from __future__ import annotations

import re
from random import Random

from mtprobe.language.perturbations.perturbation import Focus, Perturbation

_QUOTED = re.compile(r'"([^"]*)"')


class NoFinalStop(Perturbation):
    name = "no-final-stop"
    about = "without the stop at the end"
    needs = "needs a stop at the end"

    def apply(self, sentence: str, focus: Focus, draw: Random) -> str:  # noqa: ARG002
        bare = sentence.rstrip()
        return bare[:-1] if bare.endswith((".", "。", "।")) and not bare.endswith("..") else sentence


class ExtraSpace(Perturbation):
    name = "extra-space"
    about = "two spaces instead of one, at a place that is drawn"
    needs = "needs a space"

    def apply(self, sentence: str, focus: Focus, draw: Random) -> str:  # noqa: ARG002
        places = [place for place, character in enumerate(sentence) if character == " "]
        if not places:
            return sentence
        place = draw.choice(places)
        return f"{sentence[:place]} {sentence[place:]}"


class TypographicQuotes(Perturbation):
    name = "typographic-quotes"
    about = "typographic quotation marks and apostrophes instead of straight ones"
    needs = "needs straight quotation marks or an apostrophe"

    def apply(self, sentence: str, focus: Focus, draw: Random) -> str:  # noqa: ARG002
        return _QUOTED.sub("“\\1”", sentence).replace("'", "’")
