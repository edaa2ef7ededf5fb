"""English inflection: both numbers of nouns, all tenses of verbs, and which forms occur in a text.

Rules, and a list of irregular words (irregular.yaml). Phrases are inflected in their head: *court cases*, *gave up*.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cache, lru_cache

from mtprobe.language.words import word_file


class Form(Enum):
    """A form of a noun or a verb."""

    SINGULAR = "singular"
    PLURAL = "plural"
    BASE = "base form"
    THIRD = "third person"
    PAST = "past tense"
    PARTICIPLE = "participle"
    ING = "-ing form"


NOUN = (Form.SINGULAR, Form.PLURAL)
VERB = (Form.BASE, Form.THIRD, Form.PAST, Form.PARTICIPLE, Form.ING)
FORMS = {"noun": NOUN, "verb": VERB}

_VOWELS = "aeiou"
_HISSES = re.compile(r"(?:s|x|z|sh|(?<!r)ch|rch|nch|tch)$")
_ONE_SYLLABLE = re.compile(r"[^aeiouy]*(?:qu)?[aeiouy][^aeiouywx]")
_REGULAR_FORM = re.compile(r".*[aeiouy].*(?:(?<!e)ed|ing)")  # *moved*, *moving*; not *bring*, *need*
_BEFORE_COMPLEMENT = frozenset(["of", "in", "on", "at", "for", "to", "with", "without", "from", "by"])
_AUXILIARIES = frozenset(
    [
        "have",
        "has",
        "had",
        "having",
        "'ve",
        "'d",
        "be",
        "am",
        "is",
        "are",
        "was",
        "were",
        "been",
        "being",
        "'s",
        "'re",
        "get",
        "gets",
        "got",
        "getting",
    ]
)
_BETWEEN = frozenset(
    [
        "not",
        "n't",
        "never",
        "ever",
        "also",
        "just",
        "already",
        "always",
        "still",
        "often",
        "only",
        "both",
        "all",
        "been",
    ]
)


def inflected(lemma: str, form: Form) -> str:
    """A form of a word or phrase: `inflected("give up", Form.PAST)` is *gave up*."""
    words = lemma.split(" ")
    at = 0 if form in VERB else _head(words)
    words[at] = _form_of_word(words[at], form)
    return " ".join(words)


def forms_of(text: str, lemma: str, pos: str) -> frozenset[Form]:
    """The forms of a word that are spelled like the text; *hit* is four of them."""
    spelled = text.casefold()
    return frozenset(form for form in FORMS[pos] if inflected(lemma.casefold(), form) == spelled)


def is_form_of(text: str, lemma: str) -> bool:
    """Whether a text may be a form of the word: an irregular one, or one that begins like it."""
    small, word = text.casefold(), lemma.casefold()
    stem = word[: max(2, len(word) - 2)]
    return small.startswith(stem) or any(forms_of(small, word, pos) for pos in FORMS)


def form_in(sentence: str, focus: tuple[int, int], lemma: str, pos: str) -> Form | None:
    """The form that a word has in a sentence; None if the focus is not a form of it.

    What is both a past tense and a participle is a participle after an auxiliary.
    """
    text = sentence[slice(*focus)]
    forms = forms_of(text, lemma, pos)
    if pos == "noun" and Form.SINGULAR in forms and is_plural(text):
        return Form.PLURAL  # the word *glasses*, of which there is no singular
    if {Form.PAST, Form.PARTICIPLE} <= forms and Form.BASE not in forms:
        return Form.PARTICIPLE if _after_auxiliary(sentence[: focus[0]]) else Form.PAST
    if len(forms) > 1 and Form.BASE in forms and pos == "verb":
        return (
            None if {Form.PAST, Form.PARTICIPLE} & forms else Form.BASE
        )  # *let*: which one, only grammar shows
    return next((form for form in FORMS[pos] if form in forms), None)


def is_plural(phrase: str) -> bool | None:
    """Whether a noun phrase is plural, as far as its form shows; None for *sheep* and *series*."""
    words = phrase.casefold().split(" ")
    head = words[_head(words)]
    if head in _words("same_in_plural"):
        return None
    if head in _singulars() or head in _words("plural_only"):
        return True
    if head in _words("singular_in_s"):
        return False
    if any(head.endswith(_words("plurals")[noun]) for noun in _words("heads_of_compounds")):
        return True
    return head.endswith("s") and not head.endswith(("ss", "us", "is", "'s"))


def singulars(noun: str) -> tuple[str, ...]:
    """Possible singulars of a word; a dictionary knows which of them exist."""
    lower = noun.casefold()
    if irregular := _singulars().get(lower):
        return (irregular,)
    endings = (("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("ves", "fe"), ("es", "is"), ("men", "man"))
    known = (f"{lower.removesuffix(end)}{stem}" for end, stem in endings if lower.endswith(end))
    return tuple(word for word in known if word and inflected(word, Form.PLURAL) == lower)


@lru_cache(maxsize=1 << 14)
def _form_of_word(word: str, form: Form) -> str:
    if form in (Form.SINGULAR, Form.BASE):
        return word
    if form is Form.PLURAL:
        return _plural(word)
    if form is Form.THIRD:
        return _words("third_person").get(word) or _with_s(word)
    if form is Form.ING:
        return _words("ing").get(word) or _ing(word)
    irregular = _words("verbs").get(word)
    if irregular:
        past, _, participle = irregular.partition(" ")
        return (participle or past) if form is Form.PARTICIPLE else past
    return _ed(word)


def _plural(noun: str) -> str:
    if noun in _words("same_in_plural") or noun in _words("plural_only"):
        return noun
    if noun in _words("plurals"):
        return str(_words("plurals")[noun])
    for ending in _words("heads_of_compounds"):
        if noun.endswith(ending) and noun not in _words("regular_in_man"):
            return noun.removesuffix(ending) + _words("plurals")[ending]
    return _with_s(noun)


def _with_s(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in (*_VOWELS, ""):
        return f"{word[:-1]}ies"
    if word.endswith("is") and len(word) > 4:
        return f"{word[:-2]}es"  # analysis
    return f"{word}es" if _HISSES.search(word) else f"{word}s"


def _ed(verb: str) -> str:
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2:-1] not in (*_VOWELS, ""):
        return f"{verb[:-1]}ied"
    return f"{_doubled(verb)}ed"


def _ing(verb: str) -> str:
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return f"{verb[:-1]}ing"
    return f"{_doubled(verb)}ing"


def _doubled(verb: str) -> str:
    """The verb with its last letter twice, where it is stressed: *stopp-*, *admitt-*; *panick-*."""
    if verb.endswith("ic"):
        return f"{verb}k"
    doubles = _ONE_SYLLABLE.fullmatch(verb) or verb in _words("doubled")
    return f"{verb}{verb[-1]}" if doubles else verb


def _head(words: list[str]) -> int:
    """The noun that takes the plural: the last one before a preposition (*works of art*)."""
    for at, word in enumerate(words):
        if at and word in _BEFORE_COMPLEMENT:
            return at - 1
    return len(words) - 1


def _after_auxiliary(before: str) -> bool:
    for word in reversed(re.findall(r"n't|'?\w+", before.casefold())[-4:]):
        if word in _AUXILIARIES or word.endswith("n't"):
            return True
        if word not in _BETWEEN and not word.endswith("ly"):
            return False
    return False


@cache
def _singulars() -> dict[str, str]:
    return {str(plural): str(noun) for noun, plural in _words("plurals").items()}


def _words(name: str) -> dict[str, str]:
    return _lists()[name]


@cache
def _lists() -> dict[str, dict[str, str]]:
    """Lists of words as mappings, too, for one way to look them up."""
    raw = word_file("mtprobe.language", "english", "irregular.yaml")
    return {
        name: value if isinstance(value, dict) else dict.fromkeys(map(str, value), "")
        for name, value in raw.items()
    }


def may_be(phrase: str, form: Form) -> bool:
    """Whether the first word of a verb phrase can be this form, as far as spelling shows."""
    word = phrase.casefold().split(" ")[0]
    bases, pasts, participles = _verb_forms()
    if form is Form.PAST:
        return word in pasts or word.endswith("ed") or word == "were"
    if form is Form.PARTICIPLE:
        return word in participles or word.endswith("ed")
    if form is Form.ING:
        return word.endswith("ing")
    if form is Form.THIRD:
        return word.endswith("s") and not word.endswith("ss")
    other = word in (pasts | participles) or bool(_REGULAR_FORM.fullmatch(word))
    return word in bases or not other


@cache
def _verb_forms() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The forms of irregular verbs: base forms, past tenses, participles."""
    verbs = _words("verbs")
    return (
        frozenset(verbs),
        frozenset(_form_of_word(verb, Form.PAST) for verb in verbs),
        frozenset(_form_of_word(verb, Form.PARTICIPLE) for verb in verbs),
    )
