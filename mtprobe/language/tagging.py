"""Parts of speech and grammatical features of words: one small protocol with two taggers.

A tagger may leave open what it is not certain of; callers must treat that as unknown, never as "no".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from typing import Any, Literal, Protocol

from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.language import tags
from mtprobe.language.words import ENGLISH_WORD

Gender = Literal["masculine", "feminine", "neuter"]

# A word with inner hyphens or apostrophes, or one punctuation character.
_TOKEN = re.compile(rf"{ENGLISH_WORD.pattern}|[^\w\s]")


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


def _rules(language: str) -> Tagger:
    from mtprobe.language.rules import RuleTagger

    return RuleTagger(language)


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


TAGGERS: dict[str, Callable[[str], Tagger]] = {"rules": _rules, "stanza": StanzaTagger}
"""By the names that users give. The first needs only mtprobe."""
