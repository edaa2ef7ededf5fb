"""Contractions of English: *do not* and *don't*."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

from mtprobe.language.perturbations.perturbation import Focus, Perturbation

_NOT = ("is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "could", "would", "should")
_NEGATIVE = {
    **{f"{verb} not": f"{verb}n't" for verb in _NOT},
    "will not": "won't",
    "cannot": "can't",
    "can not": "can't",
}
_OTHER = {
    **{f"{who} will": f"{who}'ll" for who in ("I", "you", "he", "she", "it", "we", "they")},
    **{f"{who} are": f"{who}'re" for who in ("you", "we", "they")},
    **{f"{who} is": f"{who}'s" for who in ("he", "she", "it", "that", "what", "where", "who")},
    "I am": "I'm",
    "let us": "let's",
}


class Contraction(Perturbation):
    name = "contraction"
    about = "*do not* becomes *don't*, *we are* becomes *we're*; in English"
    needs = "needs words that are contracted in English, such as *do not* or *we are*"
    language = "en"

    def apply(self, sentence: str, focus: Focus, draw: Random) -> str:  # noqa: ARG002
        """All of them: people who contract one contract the others; *will not* before *it will*."""
        for short in (_NEGATIVE, _OTHER):
            sentence = _contracted(sentence, short)
        return sentence


def _contracted(sentence: str, short: Mapping[str, str]) -> str:
    by_folded = {long.casefold(): contracted for long, contracted in short.items()}
    words = "|".join(sorted(map(re.escape, short), key=len, reverse=True))
    return re.sub(
        rf"\b({words})\b(?=\s)",
        lambda match: _cased(by_folded[match[0].casefold()], match[0]),
        sentence,
        flags=re.IGNORECASE,
    )


def _cased(short: str, like: str) -> str:
    return short[0].upper() + short[1:] if like[0].isupper() else short
