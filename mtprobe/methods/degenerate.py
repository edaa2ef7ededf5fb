"""Detects outputs that are not translations, before anything is judged.

A copied source scores very well under contrastive conditioning, and a constant sentence is right
for one of two categories: such outputs are never correct, whatever their scores say.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from mtprobe.backends.protocols import LanguagePair
from mtprobe.language import tags
from mtprobe.language.chatter import chatter
from mtprobe.language.identify import another_language, share_in_script
from mtprobe.language.words import letter_runs

_SENTENCE_END = re.compile(r"[.!?…。！？।؟:;\"'”’»)\]]\s*$")

_COPIED = 0.9  # share of the source's words that appear in the translation, in order
_IN_SCRIPT = 0.5
_CUT_OFF = 0.5  # of the source's length, without an end
_STUMP = 0.2  # of the source's length, with one
_COMPARABLE_LENGTHS = ("Latn", "Cyrl", "Grek")
_LONG = 300  # words
_LOOP = 4  # repetitions in a row of a phrase of up to six words


def degenerate(source: str, translation: str, languages: LanguagePair) -> str | None:
    """Why this is not a translation, or None."""
    if not translation.strip():
        return "empty"
    if not any(character.isalnum() for character in translation):
        return "empty: punctuation only"
    if tags.fits(languages.source, languages.target):
        return _endless(source, translation)
    if reason := _copied(source, translation) or chatter(source, translation, languages.target):
        return reason
    share = share_in_script(translation, languages.target)
    if share is not None and share < _IN_SCRIPT:
        return f"wrong script: {share:.0%} of the letters are {tags.script(languages.target)}"
    if reason := _endless(source, translation):
        return reason
    if other := another_language(translation, languages.target):
        return f"wrong language: {other}, not {languages.target}"
    return _cut_off(source, translation, languages.target)


def constant_outputs(translations: Mapping[str, str]) -> frozenset[str]:
    """The translations of several sources that they cannot all be translations of.

    Sources that differ in a word may rightly share a translation (his and her, in many languages). A
    constant output shows when at least five sources and a fifth of all share it, or when at least
    three share it that have little in common.
    """
    sources: dict[str, list[str]] = {}
    for source, translation in translations.items():
        sources.setdefault(translation.strip(), []).append(source)
    many = max(5, len(translations) / 5)
    return frozenset(
        translation
        for translation, sharing in sources.items()
        if len(sharing) >= 3 and (len(sharing) >= many or _have_little_in_common(sharing))
    )


def _have_little_in_common(sources: Sequence[str]) -> bool:
    """Whether most of the sources share less than a third of their words with the first."""
    first = set(_words(sources[0]))
    overlaps = sorted(
        len(first & words) / max(1, len(first | words))
        for words in (set(_words(other)) for other in sources[1:])
    )
    return overlaps[len(overlaps) // 2] < 1 / 3


def _words(text: str) -> list[str]:
    return letter_runs(text.casefold())


def _copied(source: str, translation: str) -> str | None:
    source_words, words = _words(source), _words(translation)
    plain = [word for word in letter_runs(source) if not (word[0].isupper() or word.isdigit())]
    if len(source_words) < 3 or len(plain) < 2:  # names and numbers are rightly copied
        return None
    if source_words == words:
        return "source copied"
    longer = max(len(source_words), len(words))
    if (Counter(source_words) & Counter(words)).total() / longer < _COPIED:  # no order could match more
        return None
    matched = _matched(source_words, words)
    if matched / longer >= _COPIED:
        return f"source copied nearly: {matched} of {len(source_words)} words"
    return None


def _matched(source_words: Sequence[str], words: Sequence[str]) -> int:
    """How many words appear in both, in order.

    Comparing blocks takes quadratic time; long texts are compared by their longest common subsequence instead,
    whose bits are computed many at a time.
    """
    if max(len(source_words), len(words)) > _LONG:
        return _common_subsequence(source_words, words)
    blocks = SequenceMatcher(None, source_words, words, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks)


def _common_subsequence(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence (Hyyrö, 2004); a bit per word of `one`."""
    places: dict[str, int] = {}
    for place, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << place
    everywhere = (1 << len(one)) - 1
    unmatched = everywhere
    for word in other:
        matches = unmatched & places.get(word, 0)
        unmatched = ((unmatched + matches) | (unmatched - matches)) & everywhere
    return len(one) - unmatched.bit_count()


def _endless(source: str, translation: str) -> str | None:
    repeated = _loop(translation)
    return f"endless repetition of “{repeated}”" if repeated and not _loop(source) else None


def _loop(text: str) -> str | None:
    """The phrase of one to six words, or of a few characters, that is repeated over and over."""
    words = _words(text)
    for length in range(1, 7):
        run = 0
        for index in range(length, len(words)):
            run = run + 1 if words[index] == words[index - length] else 0
            if run >= length * (_LOOP - 1) and run >= 5:
                return " ".join(words[index - length + 1 : index + 1])
    characters = re.search(r"(\D{1,4}?)\1{14,}", text.replace(" ", ""))
    return characters.group(1) if characters else None


def _cut_off(source: str, translation: str, target: str) -> str | None:
    """A sentence that stops in the middle: too short by far, or short and without the end that the source has."""
    if tags.script(target) not in _COMPARABLE_LENGTHS or len(_words(source)) < 5:
        return None
    ratio = len(translation) / len(source)
    unfinished = bool(_SENTENCE_END.search(source)) and not _SENTENCE_END.search(translation)
    if ratio < (_CUT_OFF if unfinished else _STUMP):
        return f"truncated: {len(translation)} characters for {len(source)}"
    return None
