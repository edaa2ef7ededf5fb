"""A verb takes the wrong number: *er gehen*, *wir gehe*; *ele falam*, *eu somos*."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from mtprobe.authoring.pairs.change import Change, Changes, Dropped, Line, always, replaced, table, words
from mtprobe.language.tagging import Tagged

ABOUT = "Does the model score a verb that agrees with its subject above one of the other number?"
REPAIRABLE = always

_UNKNOWN = Dropped("the verb's forms are not known")
_EITHER = Dropped("another subject may have the other number")


@cache
def _german_forms() -> dict[int, dict[str, str]]:
    """For each person, each singular form with its plural, then each plural with its singular."""
    first, third = dict(table("de", "first_person")), dict(table("de", "third_person"))
    for infinitive, forms in table("de", "verbs").items():
        present, past = forms.split()
        plural = past + ("n" if past.endswith("e") else "en")
        third |= {present: infinitive, past: plural}
        first |= {past: plural}
        if infinitive.endswith("en"):
            first[infinitive.removesuffix("n")] = infinitive
    first.pop("wisse")  # *ich weiß* is in the other list
    both = table("de", "both_persons")
    return {1: {**first, **both}, 3: {**third, **both}}


@cache
def _opposite(language: str, person: int, number: str) -> dict[str, str]:
    """Forms of a person in this number, each with its form in the other."""
    forms = (
        _german_forms()[person] if language == "de" else table("pt", {1: "first_person", 3: "verbs"}[person])
    )
    return dict(forms) if number == "singular" else {plural: singular for singular, plural in forms.items()}


_GERMAN_SUBJECTS = {
    "ich": (1, "singular"),
    "wir": (1, "plural"),
    "er": (3, "singular"),
    "man": (3, "singular"),
}


def _german(line: Line) -> Iterator[Change | Dropped]:
    for position, token in enumerate(line.tokens):
        if token.low in _GERMAN_SUBJECTS:
            yield from _german_pronoun(line, position, *_GERMAN_SUBJECTS[token.low])
        elif line.initial(position) and position + 1 < len(line.tokens):
            yield from _german_noun(line, position)


def _german_pronoun(line: Line, position: int, person: int, number: str) -> Iterator[Change | Dropped]:
    """The verb comes right after a subject that begins the sentence; an auxiliary may come right before it."""
    subject, before, after = line.tokens[position], line.at(position - 1), line.at(position + 1)
    if line.initial(position) and after is not None:
        verb, opposite = after, _german_opposite(after, person, number)
    elif before is not None and before.pos == "AUX":
        verb, opposite = before, _opposite("de", person, number).get(before.low)
    else:
        return
    if opposite is None:
        yield _UNKNOWN
    else:
        yield _agreement(subject, verb, opposite)


def _german_noun(line: Line, position: int) -> Iterator[Change | Dropped]:
    """*Der Hund schläft*, *Tom schläft*: a subject that begins the sentence, right before its verb."""
    first, second, third = line.tokens[position], line.tokens[position + 1], line.at(position + 2)
    if first.low in words("de", "masculine_or_neuter") and second.pos == "NOUN" and third is not None:
        subject, verb = second, third
    elif first.text[0].isupper() and first.text in line.source and first.low in line.source_words:
        if first.pos not in ("", "NOUN", "PROPN") or len(first.text) < 3:
            return
        subject, verb = first, second
    else:
        return
    if not verb.text.islower():
        return
    if line.lows & {"sie", "die"}:
        yield _EITHER
        return
    opposite = _german_opposite(verb, 3, "singular")
    yield _UNKNOWN if opposite is None else _agreement(subject, verb, opposite)


def _german_opposite(verb: Tagged, person: int, number: str) -> str | None:
    listed = _opposite("de", person, number).get(verb.low)
    if listed is not None:
        return str(listed)
    if not verb.text.islower() or verb.low in words("de", "no_verbs"):
        return None
    if number == "singular" and len(verb.low) > 5 and verb.low.endswith("te"):
        return verb.low + "n"  # a weak preterite
    return None


def _portuguese(line: Line) -> Iterator[Change | Dropped]:
    subjects = {"eu": (1, "singular"), "nós": (1, "plural")}
    subjects |= dict.fromkeys(("ele", "ela", "você"), (3, "singular"))
    subjects |= dict.fromkeys(("eles", "elas", "vocês"), (3, "plural"))
    for position, token in enumerate(line.tokens):
        if token.low in subjects:
            person, number = subjects[token.low]
        elif (
            line.initial(position)
            and token.text[0].isupper()
            and token.low in line.source_words
            and token.pos == ""
        ):
            person, number = 3, "singular"
        else:
            continue
        before = line.at(position - 1)
        if not line.initial(position) and (
            before is None or before.low not in words("pt", "before_subjects")
        ):
            continue
        yield from _portuguese_verb(line, position, person, number)


def _portuguese_verb(line: Line, position: int, person: int, number: str) -> Iterator[Change | Dropped]:
    verb = line.at(position + 1)
    if verb is not None and verb.low in ("não", "também", "nunca", "sempre", "já", "ainda"):
        verb = line.at(position + 2)
    if verb is None or not verb.text.islower() or verb.low in words("pt", "no_verbs"):
        return
    opposite = _opposite("pt", person, number).get(verb.low)
    if opposite is None and person == 3:
        opposite = _regular(verb.low, number)
    yield _UNKNOWN if opposite is None else _agreement(line.tokens[position], verb, opposite)


def _regular(verb: str, number: str) -> str | None:
    """Preterites and imperfects that are recognised by their ending."""
    endings: dict[str, str] = table("pt", "third_endings")
    for singular, plural in endings.items():
        mine, other = (singular, plural) if number == "singular" else (plural, singular)
        if verb.endswith(mine) and len(verb) > len(mine) + 1:
            return verb.removesuffix(mine) + other
    return None


def _agreement(subject: Tagged, verb: Tagged, opposite: str) -> Change:
    """The words in their order, so that another translation with both shows the same agreement."""
    right, wrong = f"{subject.low} {verb.low}", f"{subject.low} {opposite}"
    if verb.start < subject.start:
        right, wrong = f"{verb.low} {subject.low}", f"{opposite} {subject.low}"
    return replaced(verb, opposite, right, wrong, verb.low)


LANGUAGES: dict[str, Changes] = {"de": _german, "pt": _portuguese}
