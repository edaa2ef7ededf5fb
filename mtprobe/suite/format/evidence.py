"""The keys of samples: the sentence, and the evidence that makes a translation right or wrong."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Discriminator,
    Field,
    ModelWrapValidatorHandler,
    Tag,
    model_validator,
)
from pydantic.json_schema import WithJsonSchema
from pydantic_core import PydanticCustomError

from mtprobe.language.lexeme import LexemeError, read_lexeme
from mtprobe.suite.format.fields import (
    TEXT_OR_LIST,
    Attribute,
    Attributes,
    Language,
    Name,
    Strict,
    Text,
    Texts,
    as_list,
    different,
)


class Sides(Strict):
    """Evidence for the right reading, and for the wrong one. One text, or a list of which the best counts."""

    correct: Texts
    """For the reading that the sentence has."""
    incorrect: Texts
    """For the reading that it does not have."""


SIDES = tuple(Sides.model_fields)


class VariantValues(Strict):
    """The values of one attribute: of the right targets and of the wrong ones, each in the targets' order."""

    correct: Attributes
    """Of each right target."""
    incorrect: Attributes
    """Of each wrong target."""


class TargetSides(Sides):
    """Whole sentences of the target language: right ones, and wrong ones that differ from them in one respect."""

    variants: dict[Name, VariantValues] = Field(default_factory=dict)
    """How the targets differ, for `bias`: `gender: {correct: masculine, incorrect: feminine}`."""
    unopposed: bool = False
    """The correct target has no incorrect one, so the sample counts as correct: for items of published sets that keep their place in a file of scores."""

    @model_validator(mode="wrap")
    @classmethod
    def _only_one_side(cls, value: Any, handler: ModelWrapValidatorHandler[TargetSides]) -> TargetSides:
        if not isinstance(value, dict) or value.get("unopposed") is not True:
            return handler(value)
        if value.get("incorrect"):
            raise PydanticCustomError("unopposed", "has incorrect targets, so it is not `unopposed`")
        sides = handler({**value, "incorrect": value.get("correct")})
        return sides.model_copy(update={"incorrect": []})


def is_mapping(value: Any) -> bool:
    return isinstance(value, dict | BaseModel)


def kind_of_sides(value: Any) -> str:
    """Two or more names that are neither `correct` nor `incorrect` are choices."""
    if isinstance(value, dict) and len(value) > 1 and not {*SIDES} & set(value):
        return "choices"
    return "sides"


Choices: TypeAlias = Annotated[
    dict[str, Texts],
    Field(min_length=2, json_schema_extra={"propertyNames": {"not": {"enum": list(SIDES)}}}),
]
# Evidence for the right and the wrong reading or, where no answer is right, for each of the choices.
SidesOrChoices: TypeAlias = Annotated[
    Annotated[Sides, Tag("sides")] | Annotated[Choices, Tag("choices")], Discriminator(kind_of_sides)
]


CuesByCategory: TypeAlias = dict[str, SidesOrChoices]


def _kind_of_cues(value: Any) -> str:
    """A mapping of mappings has one entry per category."""
    if isinstance(value, dict) and value and all(map(is_mapping, value.values())):
        return "by"
    return kind_of_sides(value)


Cues: TypeAlias = Annotated[
    Annotated[Sides, Tag("sides")]
    | Annotated[Choices, Tag("choices")]
    | Annotated[CuesByCategory, Tag("by")],
    Discriminator(_kind_of_cues),
]


def _two(names: list[str]) -> list[str]:
    if len(different(names)) != 2:
        raise PydanticCustomError(
            "two", "names two attributes, one for the word and one for the sense: [word, sense]"
        )
    return names


class CueFile(Strict):
    """Cues by word and sense, from a file such as `mtprobe cues` writes."""

    file: Text
    """A JSON Lines file next to the suite: each line has a `word`, its `sense`, their `correct` and `incorrect` cues, and, where cues replace the word, the `form` that they replace."""
    by: Annotated[
        list[Name], AfterValidator(_two), Field(json_schema_extra={"minItems": 2, "maxItems": 2})
    ] = ["word", "sense"]  # noqa: RUF012 - pydantic copies it
    """The samples' two attributes that say which word and which sense they have."""
    without: Literal["error", "omit"] = "error"
    """What happens to a sample whose word and sense have no cues in the file: it is an error, or omitted."""


def _kind_of_suite_cues(value: Any) -> str:
    if isinstance(value, str):
        return "form"
    # A category named "file" has a mapping there. A tag must not look like a key: errors name keys.
    if isinstance(value, CueFile) or (isinstance(value, dict) and isinstance(value.get("file"), str)):
        return "cue file"
    return "by"


SuiteCues: TypeAlias = Annotated[
    Annotated[Name, Tag("form")] | Annotated[CueFile, Tag("cue file")] | Annotated[CuesByCategory, Tag("by")],
    Discriminator(_kind_of_suite_cues),
]


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
    either: Lexemes | None = None
    """Translations that fit the right sense and a wrong one alike: a sample whose translation has only such a word is undecided."""
    also: dict[Text, Lexemes] = Field(default_factory=dict)
    """Other senses that good lemmas have too, for the agreement of senses between languages: `also: {gunshot: Schuss}`."""


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


class Evidence(Strict):
    """What distinguishes a right translation from a wrong one. Each method reads its own keys, so that one sample can serve several methods."""

    category: str | None = None
    """The group that the sample counts for; one of `categories`."""
    attributes: dict[str, Attribute] = Field(default_factory=dict)
    """More that is known about the sample, for gates and for the report: `pos: verb`, `sense_rank: 3`."""
    cues: Cues | None = None
    """Contrastive conditioning: words of the source language, put before the focus. A cue that contains `<>` says where the focus goes, `<> (a woman)`, or what replaces it, `<longed for>`."""
    sources: SidesOrChoices | None = None
    """Contrastive conditioning: whole contrastive sources, where a cue word does not work."""
    targets: dict[Language, TargetSides] | None = None
    """Minimal pairs: whole sentences of the target language, by language."""
    lemmas: dict[Language, Lemmas] | None = None
    """Lexicon: words of the target language, by language."""
    senses: Senses | None = None
    """Lexicon: the senses of the word in the focus, the most frequent first, or each with its rank by frequency. The attribute `sense` says which of them is meant; `sense_rank` and `polysemy` are derived from them."""
    references: dict[Language, Texts] | None = None
    """Whole translations that are known to be right, by language."""
    fillers: TargetSides | None = None
    """Masked language models: right and wrong fillers for the gap `_` of the source. The filled sentences are targets in the source's own language."""
    preserve: Texts | None = None
    """Preserve: what must survive the translation, one or a list: `numbers`, `placeholders`, `names` …; by default what the suite says."""
    names: Texts | None = None
    """Preserve: the names that must stay as they are; by default the focus."""
    relation: Text | None = None
    """Relation: how the translations of the source and of the further sources must relate: `same`, `differs-in`, `contains`, `negated`, `symmetric`, `round-trip`; by default what the suite says."""
    against: Texts | None = None
    """Relation: the further sources, whole sentences, one or a list. `<…>` may mark the words that differ."""
    perturb: Texts | None = None
    """Relation: named perturbations that make further sources from the source: `lower-case`, `typo`, `contraction` …; by default what the suite says."""
    control: bool = False
    """Relation: a pair of sources that must not raise an alarm. Controls are outside the accuracy; `false_alarms` counts them."""
    must_contain: dict[Language, Texts] | None = None
    """Word lists: words of which the translation must have one, by language: dictionary forms, or regular expressions between slashes."""
    must_not_contain: dict[Language, Texts] | None = None
    """Word lists: words of which it must have none."""
    triggers: Texts | None = None
    """The words of the source that decide which target is right, for `mtprobe salience`."""


class SampleModel(Evidence):
    """One sentence to translate, with what makes a translation right or wrong."""

    id: Text | None = None
    """A name that stays the same when other samples are added or removed. By default made from the words of the source."""
    context: Texts | None = None
    """The sentences before the source, in order, for models that can use them. Others translate the source alone, and the run says so."""
    source: Text
    """The sentence. `<…>` marks the focus, at most once; `\\<` is a literal `<`."""
