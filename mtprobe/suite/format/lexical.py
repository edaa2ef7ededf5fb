"""The keys of the method `lexicon`: lemmas by sense, and the senses of a word with their ranks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag
from pydantic.json_schema import WithJsonSchema
from pydantic_core import PydanticCustomError

from mtprobe.errors import did_you_mean
from mtprobe.language.lexeme import LexemeError, read_lexeme
from mtprobe.suite.format.fields import TEXT_OR_LIST, Strict, Text, as_list, different
from mtprobe.suite.sample import Scalar, SenseLemmas
from mtprobe.suite.samples.misfit import Misfit


def _readable(text: str) -> str:
    if "{" in text:  # a slot of a template; read when it is filled
        return text
    try:
        read_lexeme(text)
    except LexemeError as error:
        raise PydanticCustomError("lexeme", "{error}", {"error": str(error)}) from None
    return text


Lexemes: TypeAlias = Annotated[
    list[Annotated[Text, AfterValidator(_readable)]],
    Field(min_length=1),
    BeforeValidator(as_list),
    WithJsonSchema(TEXT_OR_LIST),
]
LexemesOrSenses: TypeAlias = Annotated[
    Annotated[Lexemes, Tag("lexemes")] | Annotated[dict[Text, Lexemes], Field(min_length=1), Tag("senses")],
    Discriminator(lambda value: "senses" if isinstance(value, dict) else "lexemes"),
]


class Lemmas(Strict):
    """Dictionary forms in the target language. `*` between words matches any number of words, including none (`nehmen * frei`); `|noun` after a word requires a part of speech, if the lemmatizer provides one."""

    good: Lexemes
    """Translations of the focus in the right sense."""
    bad: LexemesOrSenses
    """Translations in a wrong sense: a list, or for each wrong sense a list. A lemma may be listed under several senses."""


def _ranked(value: Any) -> Any:
    """A list of senses has the most frequent first."""
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return {name: rank for rank, name in enumerate(different(value), start=1)}
    return value


def _distinct_ranks(ranks: dict[str, int]) -> dict[str, int]:
    by_rank: dict[int, str] = {}
    for name, rank in ranks.items():
        if rank in by_rank:
            raise PydanticCustomError(
                "rank",
                'the senses "{first}" and "{second}" share a rank',
                {"first": by_rank[rank], "second": name},
            )
        by_rank[rank] = name
    return ranks


Senses: TypeAlias = Annotated[
    dict[Text, Annotated[int, Field(ge=1)]],
    Field(min_length=1),
    BeforeValidator(_ranked),
    AfterValidator(_distinct_ranks),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "array", "items": {"type": "string"}, "minItems": 1},
                {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
            ]
        }
    ),
]
"""Each sense with its rank by frequency: 1 is the most frequent."""


def lemmas_of(
    written: Mapping[str, Lemmas] | None, senses: Mapping[str, int] | None
) -> dict[str, SenseLemmas] | None:
    """The lemmas by language, checked against the word's senses where those are given."""
    if written is None:
        return None
    return {language: _lemmas(language, sides, senses) for language, sides in written.items()}


def _lemmas(language: str, sides: Lemmas, senses: Mapping[str, int] | None) -> SenseLemmas:
    by_sense = sides.bad if isinstance(sides.bad, dict) else {}
    bad = [lemma for lemmas in by_sense.values() for lemma in lemmas] if by_sense else list(sides.bad)
    for lemma in (*sides.good, *bad):  # again: a template's slots are filled only now
        try:
            read_lexeme(lemma)
        except LexemeError as error:
            raise Misfit("lemmas", f"lemmas.{language}: {error}") from None
    for name in by_sense:
        if senses is not None and name not in senses:
            raise Misfit(
                "lemmas",
                f'lemmas.{language}.bad: "{name}" is not among the `senses`{did_you_mean(name, senses)}',
            )
    senses_of: dict[str, list[str]] = {}
    for name, lemmas in by_sense.items():
        for lemma in lemmas:
            senses_of.setdefault(lemma, []).append(name)
    return SenseLemmas(
        correct=tuple(sides.good),
        incorrect=tuple(dict.fromkeys(bad)),
        senses={lemma: tuple(names) for lemma, names in senses_of.items()},
    )


def rank_attributes(attributes: Mapping[str, Scalar], senses: Mapping[str, int] | None) -> dict[str, Scalar]:
    """`sense_rank` and `polysemy`, derived from the word's senses unless the sample has them."""
    if senses is None:
        return {}
    sense = attributes.get("sense")
    if sense is None:
        raise Misfit("senses", "has `senses`, but no attribute `sense` to say which of them is meant")
    if sense not in senses:
        raise Misfit(
            "senses", f'the sense "{sense}" is not among the `senses`{did_you_mean(str(sense), senses)}'
        )
    listed, least = senses[str(sense)], _degree(senses)
    rank, degree = attributes.get("sense_rank", listed), attributes.get("polysemy", least)
    if rank != listed:
        raise Misfit("senses", f'sense_rank: {rank} is not the rank of "{sense}" in `senses`, {listed}')
    if not isinstance(degree, int) or degree < least:
        raise Misfit("senses", f"polysemy: {degree} is less than the number of `senses`, {least}")
    return {"sense_rank": listed, "polysemy": degree}


def _degree(senses: Mapping[str, int]) -> int:
    """How many senses a word has at least."""
    return max(len(senses), *senses.values())
