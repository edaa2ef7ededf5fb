"""pymorphy3: Russian and Ukrainian, which keeps feminine forms of occupations separate."""

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
    """The most likely analysis of each word by itself."""
    if language not in ("ru", "uk"):
        raise MtprobeError(f'pymorphy3 knows ru and uk, not "{language}"; try simplemma or stanza')
    try:
        from pymorphy3 import MorphAnalyzer
    except ImportError:
        raise not_installed("pymorphy3", "lemmas") from None
    try:
        analyzer = MorphAnalyzer(lang=language)
    except ValueError:
        raise MtprobeError(
            f"pymorphy3 has no dictionary for {language}: pip install pymorphy3-dicts-{language}"
        ) from None

    def token(word: str) -> Token:
        analysis = analyzer.parse(word)[0]
        return Token(word, str(analysis.normal_form), _TAGS.get(str(analysis.tag.POS), ""))

    return WordByWord(f"pymorphy3 {version('pymorphy3')}", token)
