"""The filters on the English sentence (Wino-X, Appendix A.2): in which schemas can *it* fill the gap?"""

from __future__ import annotations

import re

from mtprobe.authoring.winograd import word_lists
from mtprobe.authoring.winograd.schema import GAP, Instance
from mtprobe.language.words import ENGLISH_WORD, english_words

ANIMATE = "a referent is animate"
PLURAL = "a referent is plural"
ACTIVITY = "a referent is an activity"
COMPOUND = "the gap is part of a compound or of a noun phrase"
ADJECTIVE = "the gap is modified by an adjective"
NOT_SUBJECT = "the gap is not the subject of a clause"
OTHER_SENTENCE = "gap and referents are not in one sentence"

_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def _words(name: str) -> frozenset[str]:
    return frozenset(word_lists("en")[name])


def unfit(instance: Instance) -> str | None:
    """The first filter that rejects the sentence, or None."""
    heads = [_head(option) for option in instance.options]
    if any(option[0].isupper() for option in instance.options) or _words("animate") & set(heads):
        return ANIMATE
    if any(map(_plural, heads)) or _after(instance) in _words("plural_verbs"):
        return PLURAL
    if any(head.endswith("ing") and head not in _words("things_in_ing") for head in heads):
        return ACTIVITY
    if any(option.lower().startswith("to ") for option in instance.options):
        return ACTIVITY
    return _gap(instance) or (OTHER_SENTENCE if positions(instance) is None else None)


def _head(option: str) -> str:
    """The last word before a preposition: *box* of *the box of chocolates*."""
    words: list[str] = [word.lower() for word in english_words(option)]
    for at, word in enumerate(words):
        if at and word in ("of", "in", "on", "with", "from", "for"):
            return words[at - 1]
    return words[-1] if words else ""


def _plural(head: str) -> bool:
    if head in _words("irregular_plurals"):
        return True
    return (
        head.endswith("s") and not head.endswith(("ss", "us", "is")) and head not in _words("singular_in_s")
    )


def _after(instance: Instance) -> str:
    match = ENGLISH_WORD.match(instance.sentence.partition(GAP)[2].lstrip())
    return str(match[0]).lower().replace("’", "'") if match else ""


def _gap(instance: Instance) -> str | None:
    before, _, after = instance.sentence.partition(GAP)
    if after[:1] in ("'", "’", "-") or (after[:1].isalnum()):
        return COMPOUND
    words = [word.lower() for word in english_words(re.split(r"[,;:.!?—–]", before)[-1])]
    if words and words[-1] in _words("determiners") and not _begins(words):
        return COMPOUND
    rest = words[:-1] if words and words[-1] == "the" else words
    if rest and not _begins(rest):
        return ADJECTIVE if words[-1] != "the" and _inside_phrase(words) else NOT_SUBJECT
    follows = _after(instance)
    if follows.endswith("ed") or follows in _words("verbs"):
        return None
    if follows in _words("adverbs"):
        return None
    return COMPOUND if follows and not re.match(r"\s*[,;.!?]", after) else NOT_SUBJECT


def _begins(words: list[str]) -> bool:
    return words[-1] in _words("clause_begins")


def _inside_phrase(words: list[str]) -> bool:
    """Whether a determiner is a few words before the gap: *the old _*."""
    return any(word == "the" or word in _words("determiners") for word in words[-4:-1])


def positions(instance: Instance) -> tuple[int, int] | None:
    """Which option is first (1) and which second (2) before the gap, in its sentence; None if one is missing."""
    (sentence,) = (part for part in _SENTENCE.split(instance.sentence) if GAP in part)
    words = [word.lower() for word in english_words(sentence.partition(GAP)[0])]
    places = []
    for option in instance.options:
        head = _head(option)
        if words.count(head) != 1:
            return None
        places.append(words.index(head))
    return (1, 2) if places[0] < places[1] else (2, 1)
