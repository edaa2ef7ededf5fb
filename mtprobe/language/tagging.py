"""Parts of speech and grammatical features of words: one small protocol with two taggers.

A tagger may leave open what it is not certain of; callers must treat that as unknown, never as "no".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import version
from typing import Any, Literal, Protocol

from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.language import tags
from mtprobe.language.words import ENGLISH_WORD, word_file

Gender = Literal["masculine", "feminine", "neuter"]

# A word with inner hyphens or apostrophes, or one punctuation character.
_TOKEN = re.compile(rf"{ENGLISH_WORD.pattern}|[^\w\s]")

# Of the rules:
LANGUAGES = ("de", "pt")
# The first that has a word wins.
_CLASSES = ("DET", "PRON", "ADP", "CCONJ", "SCONJ", "PART", "AUX", "NUM", "ADV")
_ENDS_A_SENTENCE = frozenset(".!?…:;\"“”„‚‘»«'([–—-")  # after these, a capital means nothing


@dataclass(frozen=True, slots=True)
class Tagged:
    """A token and its place in the sentence."""

    text: str
    start: int
    pos: str = ""  # universal part of speech (NOUN, DET, …); empty: unknown
    gender: Gender | None = None
    number: Literal["singular", "plural"] | None = None
    features: frozenset[str] = field(default=frozenset(), hash=False)  # such as `Case=Dat`, if known

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def low(self) -> str:
        return self.text.lower()


class Tagger(Protocol):
    name: str
    """With its version, for records: results change with it."""

    def tag(self, sentences: Sequence[str]) -> list[list[Tagged]]:
        """The tokens of each sentence, in order."""


def tokens_of(sentence: str) -> list[tuple[str, int]]:
    """Words and punctuation, each with its start."""
    return [(match[0], match.start()) for match in _TOKEN.finditer(sentence)]


@cache
def open_tagger(kind: str, language: str) -> Tagger:
    """A tagger for a language, or an error that says what is missing."""
    if kind not in TAGGERS:
        raise MtprobeError(f'there is no tagger "{kind}"{did_you_mean(kind, TAGGERS)}')
    return TAGGERS[kind](tags.standard(language).split("-")[0])


@cache
def closed_class(language: str) -> dict[str, frozenset[str]]:
    """The lists of a language."""
    lists = word_file("mtprobe.language", "closed_class", f"{language}.yaml")
    return {name: frozenset(words) for name, words in lists.items()}


class RuleTagger:
    """The light tagger: closed-class word lists and endings for German and Portuguese. Other words stay untagged.

    Certain about closed classes, German nouns inside a sentence, and Portuguese nouns after a determiner.
    """

    name = "rules 1"

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise MtprobeError(
                f'the rules know {" and ".join(LANGUAGES)}, not "{language}"; stanza serves other languages'
            )
        self._lists = closed_class(language)
        self._pos = {word: name for name in reversed(_CLASSES) for word in self._lists.get(name, ())}
        self._noun = self._german if language == "de" else self._portuguese

    def tag(self, sentences: Sequence[str]) -> list[list[Tagged]]:
        return [self._tagged(sentence) for sentence in sentences]

    def _tagged(self, sentence: str) -> list[Tagged]:
        tagged: list[Tagged] = []
        for text, start in tokens_of(sentence):
            token = self._token(text, start, tagged)
            if token.pos == "NOUN" and tagged and _adjective_of_a_name(tagged[-1]):
                tagged[-1] = replace(tagged[-1], pos="ADJ", gender=None)
            tagged.append(token)
        return tagged

    def _token(self, text: str, start: int, before: list[Tagged]) -> Tagged:
        if not text[0].isalnum():
            return Tagged(text, start, "PUNCT")
        if text[0].isdigit():
            return Tagged(text, start, "NUM")
        first = not before or before[-1].text in _ENDS_A_SENTENCE
        noun = self._noun(text, first, before)
        if noun is not None:
            return Tagged(text, start, "NOUN", *noun)
        return Tagged(text, start, self._closed(text, first))

    def _closed(self, text: str, first: bool) -> str:
        if text in self._lists.get("polite", ()) and not first:
            return "PRON"
        return self._pos.get(text.lower(), "") if first or text[0].islower() else ""

    def _german(self, text: str, first: bool, _: list[Tagged]) -> tuple[Gender | None, None] | None:
        if not text[0].isupper() or text.isupper() or text in self._lists["polite"]:
            return None
        gender = self._by_ending(text)
        if first and (gender is None or text.lower() in self._pos):
            return None
        return gender, None

    def _portuguese(
        self, text: str, _: bool, before: list[Tagged]
    ) -> tuple[Gender | None, Literal["singular", "plural"]] | None:
        if not text.islower() or text in self._pos or text in self._lists["before"]:
            return None
        determined = bool(before) and before[-1].low in self._lists["sure"]
        if not determined and (self._by_ending(text) is None or len(text) < 6):
            return None
        return self._portuguese_gender(text), "plural" if text.endswith("s") else "singular"

    def _by_ending(self, text: str) -> Gender | None:
        for gender in ("feminine", "masculine", "neuter"):
            if _ends(text.lower(), self._lists.get(gender, ())):
                return gender
        return None

    def _by_last_letter(self, word: str) -> Gender | None:
        if word.endswith(("ista", "istas")):
            return None
        if word.endswith(("a", "as")):
            return "feminine"
        return "masculine" if word.endswith(("o", "os")) and not word.endswith("ão") else None

    def _portuguese_gender(self, word: str) -> Gender | None:
        if word in self._lists["both"] or word.removesuffix("s") in self._lists["both"]:
            return None
        if word in self._lists["masculine_anyway"]:
            return "masculine"
        if word in self._lists["feminine_anyway"]:
            return "feminine"
        return self._by_ending(word) or self._by_last_letter(word)


def _adjective_of_a_name(token: Tagged) -> bool:
    """*Bayerischen* before a noun: adjectives of names are capitalised as well."""
    return token.pos == "NOUN" and token.text.endswith(("ische", "ischen", "ischer", "isches", "ischem"))


def _ends(word: str, endings: Iterable[str]) -> bool:
    """With something before the ending: *são* is not a noun."""
    return any(word.endswith(ending) and len(word) > len(ending) + 1 for ending in endings)


class StanzaTagger:
    """Tagged in context. A contraction (*zum*) is one token: its first word's part of speech, its last one's features."""

    def __init__(self, language: str) -> None:
        try:
            import stanza
        except ImportError:
            raise MtprobeError('stanza is not installed: pip install "mtprobe[stanza]"') from None
        self.name = f"stanza {version('stanza')}"
        self._document: Any = stanza.Document
        try:
            self._pipeline = stanza.Pipeline(
                language,
                processors="tokenize,mwt,pos",
                download_method=None,  # never download anything unasked
                tokenize_no_ssplit=True,
                verbose=False,
            )
        except (OSError, ValueError, KeyError, stanza.pipeline.core.LanguageNotDownloadedError) as error:
            raise MtprobeError(
                f"stanza has no models for {language} on this machine; get them with "
                f'python -c "import stanza; stanza.download({language!r})" ({type(error).__name__})'
            ) from None

    def tag(self, sentences: Sequence[str]) -> list[list[Tagged]]:
        documents = [self._document([], text=sentence.replace("\n", " ")) for sentence in sentences]
        return [tagged_document(document) for document in self._pipeline.bulk_process(documents)]


_GENDERS: dict[str, Gender] = {"Masc": "masculine", "Fem": "feminine", "Neut": "neuter"}
_NUMBERS: dict[str, Literal["singular", "plural"]] = {"Sing": "singular", "Plur": "plural"}


def tagged_document(document: Any) -> list[Tagged]:
    """The tokens of a text that stanza has tagged."""
    tokens = []
    for sentence in document.sentences:
        for token in sentence.tokens:
            first, last = token.words[0], token.words[-1]
            features = dict(pair.split("=", 1) for pair in (last.feats or "").split("|") if "=" in pair)
            tokens.append(
                Tagged(
                    token.text,
                    token.start_char,
                    first.upos or "",
                    _GENDERS.get(features.get("Gender", "")),
                    _NUMBERS.get(features.get("Number", "")),
                    frozenset(f"{name}={value}" for name, value in features.items()),
                )
            )
    return tokens


TAGGERS: dict[str, Callable[[str], Tagger]] = {"rules": RuleTagger, "stanza": StanzaTagger}
"""By the names that users give. The first needs only mtprobe."""
