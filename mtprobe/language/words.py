"""Words of a sentence in a script that puts spaces between them."""

from __future__ import annotations

import re
import unicodedata

# Parts that a hyphen, star, colon or slash joins are one word: *Lehrer*innen* is not *Lehrer*, and a *doctor-patient*
# is none. An apostrophe parts words: *l'avocat*, *doctor's*.
_WORD = re.compile(r"\w+(?:[-‐*:/·]\w+)*")


def words_of(sentence: str) -> list[str]:
    """The words as they stand, without punctuation, composed (NFC)."""
    return _WORD.findall(unicodedata.normalize("NFC", sentence))
