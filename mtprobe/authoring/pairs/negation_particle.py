"""A negation particle is removed: *nicht*, *kein*; *não*. The sentence becomes affirmative but stays grammatical."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mtprobe.authoring.pairs.change import Change, Changes, Dropped, Line, deleted, replaced, words
from mtprobe.language.tagging import Tagged

ABOUT = "Does the model score a negated sentence above the same sentence without its negation?"

_SOURCE = Dropped("the source does not have exactly one negation")
_TIED = Dropped("other words need the negation, or change its meaning")
_QUESTION = Dropped("a question means the same with and without its negation")
_ELLIPSIS = Dropped("the sentence may be elliptical")
_NUMBER = Dropped("it is uncertain whether an article would remain")
_SHORTEST = 3  # words
_NEGATED_NOUN = re.compile(r"(?:\bno|(?:\bnot|n't)(?: \w+)?? (?P<article>an?|any))\s+(?P<noun>[a-z]+)\b")


def _negations(sentence: tuple[str, ...]) -> int:
    """How many words of an English sentence negate. Other source languages show nothing."""
    return sum(word in words("en", "negations") or word.endswith("n't") for word in sentence)


def _negated_noun(source: str) -> str | None:
    """Whether the only negated noun phrase is `singular` or `bare` (plural or uncountable); None: unknown."""
    matches = list(_NEGATED_NOUN.finditer(source.lower().replace("’", "'")))
    if len(matches) != 1:
        return None
    article, noun = matches[0]["article"], matches[0]["noun"]
    if article in ("a", "an"):
        return "singular"
    if noun in words("en", "uncountable") or noun in words("en", "plurals"):
        return "bare"
    return "bare" if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else None


def _common(line: Line, language: str, count: int) -> Dropped | None:
    """Why the sentence is skipped, whatever its negation."""
    if count != 1 or _negations(line.source_words) != 1:
        return _SOURCE
    if line.target.rstrip('"”“»').endswith("?") and line.words[0].low not in words(
        language, "question_words"
    ):
        return _QUESTION
    if line.target.count("?") and not line.target.rstrip('"”“»').endswith("?"):
        return _QUESTION  # a tag, or somebody else's question
    if line.lows & words(language, "with_negation"):
        return _TIED
    return None


def _german(line: Line) -> Iterator[Change | Dropped]:
    negative = [token for token in line.words if token.low in words("de", "negations")]
    particles = [token for token in negative if token.low == "nicht" or token.low.startswith("kein")]
    if not particles:
        return
    dropped = _common(line, "de", len(negative))
    if dropped is not None:
        yield dropped
    elif particles[0].low == "nicht":
        yield _nicht(line, particles[0])
    else:
        yield _kein(line, particles[0])


def _nicht(line: Line, token: Tagged) -> Change | Dropped:
    position = line.tokens.index(token)
    before, after = line.at(position - 1), line.at(position + 1)
    if before is None or before.pos == "PUNCT" or len(line.words) < _SHORTEST + 1:
        return _ELLIPSIS
    if after is not None and after.pos in ("CCONJ", "SCONJ"):
        return _ELLIPSIS
    if before.low in words("de", "before_ellipsis"):
        return _ELLIPSIS
    return deleted(line, token, "nicht")


def _kein(line: Line, token: Tagged) -> Change | Dropped:
    position = line.tokens.index(token)
    after, second = line.at(position + 1), line.at(position + 2)
    if after is None or not after.text[0].isalnum():
        return _ELLIPSIS
    direct = after.pos == "NOUN"
    adjective = (
        after.text.islower()
        and after.pos in ("", "ADJ")
        and after.low.endswith(("e", "en", "er", "es", "em"))
    )
    if not direct and not (adjective and second is not None and second.pos == "NOUN"):
        return _ELLIPSIS
    plurals = tuple(
        f"{ending}n" for ending in words("de", "adjectival")
    )  # *keine Verwandten*, but *Verwandte*
    match _negated_noun(line.source):
        case "singular":
            return replaced(token, token.low[1:], token.low, token.low[1:])
        case "bare" if direct and not after.low.endswith(plurals):
            return deleted(line, token, token.low)
    return _NUMBER


def _portuguese(line: Line) -> Iterator[Change | Dropped]:
    particles = [token for token in line.words if token.low == "não"]
    if not particles:
        return
    dropped = _common(line, "pt", len(particles))
    yield dropped if dropped is not None else _nao(line, particles[0])


def _nao(line: Line, token: Tagged) -> Change | Dropped:
    position = line.tokens.index(token)
    before, after = line.at(position - 1), line.at(position + 1)
    if after is None or not after.text[0].isalnum() or len(line.words) < _SHORTEST:
        return _ELLIPSIS
    starts = before is None or before.pos == "PUNCT"
    if starts and after.low in words("pt", "clitics"):
        return Dropped("a pronoun would begin the sentence")
    if starts and after.low.endswith(("as", "es")) and not after.low.endswith(("ás", "és")):
        return Dropped("an imperative has another form without its negation")
    if after.low in ("é", "foi") and (second := line.at(position + 2)) is not None and second.low == "que":
        return _ELLIPSIS
    return deleted(line, token, "não")


LANGUAGES: dict[str, Changes] = {"de": _german, "pt": _portuguese}
