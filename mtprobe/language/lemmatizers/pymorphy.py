"""pymorphy3: Russian and Ukrainian, with the feminine forms of occupations kept apart."""

from __future__ import annotations

from importlib.metadata import version

from mtprobe.errors import MtprobeError
from mtprobe.language.lemmatizers import Lemmatizer, Token, WordByWord, not_installed

# OpenCorpora's parts of speech → those of Universal Dependencies.
_TAGS = {
    "NOUN": "NOUN",
    "ADJF": "ADJ",
    "ADJS": "ADJ",
    "COMP": "ADJ",
    "VERB": "VERB",
    "INFN": "VERB",
    "PRTF": "VERB",
    "PRTS": "VERB",
    "GRND": "VERB",
    "NUMR": "NUM",
    "ADVB": "ADV",
    "PRED": "ADV",
    "NPRO": "PRON",
    "PREP": "ADP",
    "CONJ": "CCONJ",
    "PRCL": "PART",
    "INTJ": "INTJ",
}


def open_pymorphy(language: str) -> Lemmatizer:
    """The likeliest analysis of each word by itself."""
    if language not in ("ru", "uk"):
        raise MtprobeError(f'pymorphy3 knows ru and uk, not "{language}"; there are simplemma and stanza')
    try:
        from pymorphy3 import MorphAnalyzer
    except ImportError:
        raise not_installed("pymorphy3", "lemmas") from None
    try:
        analyzer = MorphAnalyzer(lang=language)
    except ValueError:
        raise MtprobeError(
            f"pymorphy3 has no dictionary of {language}: pip install pymorphy3-dicts-{language}"
        ) from None

    def token(word: str) -> Token:
        found = analyzer.parse(word)[0]
        return Token(word, str(found.normal_form), _TAGS.get(str(found.tag.POS), ""))

    return WordByWord(f"pymorphy3 {version('pymorphy3')}", token)
