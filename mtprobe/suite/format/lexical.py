"""The keys of the method `lexicon`: lemmas by sense, and the senses of a word with their ranks."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag
from pydantic.json_schema import WithJsonSchema
from pydantic_core import PydanticCustomError

from mtprobe.language.lexeme import LexemeError, read_lexeme
from mtprobe.suite.format.fields import TEXT_OR_LIST, Strict, Text, as_list, different


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
