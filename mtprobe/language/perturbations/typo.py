"""A typo in one word."""

from __future__ import annotations

import re
from random import Random

from mtprobe.language.perturbations.perturbation import Focus, Perturbation

_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 5  # letters: in shorter words an error often makes another word


class Typo(Perturbation):
    name = "typo"
    about = "two neighbouring letters exchanged, or one dropped or doubled, inside a word of the focus or one that is drawn"
    needs = f"needs a word of at least {_SHORTEST} letters that is not a name"

    def apply(self, sentence: str, focus: Focus, draw: Random) -> str:
        start, end = focus or (0, len(sentence))
        words = [
            match
            for match in _WORD.finditer(sentence, start, end)
            if len(match[0]) >= _SHORTEST and (focus is not None or match[0].islower())
        ]
        if not words:
            return sentence
        match = draw.choice(words)
        return sentence[: match.start()] + _mistyped(match[0], draw) + sentence[match.end() :]


def _mistyped(word: str, draw: Random) -> str:
    """Neither the first nor the last letter changes."""
    place = draw.randrange(1, len(word) - 2)
    one, other = word[place], word[place + 1]
    ways = [
        word[:place] + other + one + word[place + 2 :],
        word[:place] + word[place + 1 :],
        word[: place + 1] + word[place:],
    ]
    return draw.choice(ways[1:] if one == other else ways)
