"""A person's pronoun in the other gender: *he* is *er*, not *sie*; *she* is *ela*, not *ele*. The source must show the gender."""

from __future__ import annotations

from collections.abc import Iterator

from mtprobe.authoring.pairs.change import Change, Changes, Dropped, Line, replaced, words

ABOUT = "Does the model score the pronoun of the person's gender above that of the other gender?"

_BOTH = Dropped("the source has pronouns of both genders, or may refer to others")
_AGREES = Dropped("other words may agree with the pronoun")


def _gender(line: Line) -> str | None:
    """The gender of the person in the source; None: not one person of one gender."""
    source = set(line.source_words)
    masculine, feminine = (bool(source & words("en", gender)) for gender in ("masculine", "feminine"))
    if source & words("en", "other_persons") or masculine == feminine:
        return None
    return "masculine" if masculine else "feminine"


def _german(line: Line) -> Iterator[Change | Dropped]:
    pronouns = [token for token in line.words if token.low in ("er", "sie", "ihn", "ihm")]
    if not pronouns:
        return
    gender = _gender(line)
    if gender is None:
        yield _BOTH
        return
    if line.lows & words("de", "copulas") and any(
        token.pos == "NOUN" and token.low.endswith(tuple(words("de", "persons"))) for token in line.words
    ):
        yield _AGREES
        return
    object_only = not set(line.source_words) & words("en", "feminine_subject")
    subject_only = not set(line.source_words) & (words("en", "feminine") - words("en", "feminine_subject"))
    for position, token in enumerate(line.tokens):
        initial = line.initial(position)
        if gender == "masculine" and token.low in ("er", "ihn", "ihm"):
            other = {"er": "sie", "ihn": "sie", "ihm": "ihr"}[token.low]
        elif gender == "feminine" and token.low == "sie" and (initial or subject_only or object_only):
            if token.text == "Sie" and not initial:
                yield _BOTH
                continue
            other = "ihn" if object_only and not initial else "er"
        else:
            continue
        yield replaced(token, other, token.low, other)


def _portuguese(line: Line) -> Iterator[Change | Dropped]:
    feminine = {"ele": "ela", "dele": "dela", "nele": "nela"}
    masculine = {new: old for old, new in feminine.items()}
    pronouns = [token for token in line.words if token.low in feminine or token.low in masculine]
    if not pronouns:
        return
    gender = _gender(line)
    if gender is None:
        yield _BOTH
        return
    for token in pronouns:
        other = (feminine if gender == "masculine" else masculine).get(token.low)
        if other is None:
            yield Dropped("the pronoun does not have the gender of the source")
        elif (
            token.low.endswith(("ele", "ela")) and len(token.low) == 3 and line.lows & words("pt", "copulas")
        ):
            yield _AGREES
        else:
            yield replaced(token, other, token.low, other)


LANGUAGES: dict[str, Changes] = {"de": _german, "pt": _portuguese}
