"""Every key that may stand in a suite, strictly typed. Schema and reference are made from these models."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, Discriminator, Field, Tag
from pydantic.json_schema import WithJsonSchema
from pydantic_core import PydanticCustomError

from mtprobe.suite.format.data import DataEntry
from mtprobe.suite.format.fields import (
    MARK,
    SCALAR,
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
    scalar,
)
from mtprobe.suite.format.lexical import Lemmas, Senses


def _scalar_or_conditions(value: Any) -> Any:
    if isinstance(value, dict):
        if not all(isinstance(condition, str) for condition in value.values()):
            raise PydanticCustomError(
                "condition", "each value of a derived attribute has a condition, as text"
            )
        return value
    return scalar(value)


def _date(value: str) -> str:
    try:
        return datetime.date.fromisoformat(value).isoformat()
    except ValueError:
        raise PydanticCustomError(
            "date", '"{text}" is not a day; write 2027-01-31', {"text": value}
        ) from None


_CONDITIONS = {"type": "object", "additionalProperties": {"type": "string"}}
TemplateAttribute: TypeAlias = Annotated[
    Any, BeforeValidator(_scalar_or_conditions), WithJsonSchema({"anyOf": [SCALAR, _CONDITIONS]})
]


def _targets(value: Any) -> Any:
    return "any" if value == ["any"] else value if value == "any" else as_list(value)


Targets: TypeAlias = Annotated[
    Annotated[Literal["any"], Tag("any")] | Annotated[list[Language], Field(min_length=1), Tag("list")],
    Discriminator(lambda value: "any" if value == "any" else "list"),
    BeforeValidator(_targets, json_schema_input_type=Language | list[Language]),
]


class Languages(Strict):
    """The direction that the suite is written for."""

    source: Language
    """The language of the sources, as a BCP 47 tag."""
    targets: Targets = "any"
    """The languages that a model may translate into: `any`, one tag, or a list. `pt` fits `pt-BR` and `por_Latn`."""


class Sides(Strict):
    """What speaks for the right reading, and what for the wrong one. One text, or a list of which the best counts."""

    correct: Texts
    """For the reading that the sentence has."""
    incorrect: Texts
    """For the reading that it has not."""


SIDES = frozenset(Sides.model_fields)


class VariantValues(Strict):
    """The values of one attribute: of the right targets and of the wrong ones, each in the targets' order."""

    correct: Attributes
    """Of each right target."""
    incorrect: Attributes
    """Of each wrong target."""


class TargetSides(Sides):
    """Whole sentences of the target language: right ones, and wrong ones that differ from them in one respect."""

    variants: dict[Name, VariantValues] = Field(default_factory=dict)
    """What tells the targets apart, for `bias`: `gender: {correct: masculine, incorrect: feminine}`."""


def _kind_of_sides(value: Any) -> str:
    """Two or more names that are neither `correct` nor `incorrect` are choices."""
    if isinstance(value, dict) and len(value) > 1 and not SIDES & set(value):
        return "choices"
    return "sides"


Choices: TypeAlias = Annotated[
    dict[str, Texts],
    Field(min_length=2, json_schema_extra={"propertyNames": {"not": {"enum": sorted(SIDES)}}}),
]
# What speaks for the right and the wrong reading; or, where no answer is right, for each of the choices.
SidesOrChoices: TypeAlias = Annotated[
    Annotated[Sides, Tag("sides")] | Annotated[Choices, Tag("choices")], Discriminator(_kind_of_sides)
]


def _kind_of_cues(value: Any) -> str:
    """A mapping whose values are mappings has a category for each of them."""
    if isinstance(value, dict) and value and all(map(_is_mapping, value.values())):
        return "by"
    return _kind_of_sides(value)


def _is_mapping(value: Any) -> bool:
    return isinstance(value, dict | BaseModel)


Cues: TypeAlias = Annotated[
    Annotated[Sides, Tag("sides")]
    | Annotated[Choices, Tag("choices")]
    | Annotated[dict[str, SidesOrChoices], Tag("by")],
    Discriminator(_kind_of_cues),
]


def _two(names: list[str]) -> list[str]:
    if len(different(names)) != 2:
        raise PydanticCustomError(
            "two", "names two attributes, that of the word and that of the sense: [word, sense]"
        )
    return names


class CueFile(Strict):
    """Cues by word and sense, from a file such as `mtprobe cues` writes."""

    file: Text
    """A JSON Lines file beside the suite: on each line a `word`, its `sense`, and their `correct` and `incorrect` cues."""
    by: Annotated[
        list[Name], AfterValidator(_two), Field(json_schema_extra={"minItems": 2, "maxItems": 2})
    ] = ["word", "sense"]  # noqa: RUF012 - pydantic copies it
    """The samples' two attributes that say which word and which sense they have."""
    without: Literal["error", "omit"] = "error"
    """What happens to a sample for whose word and sense the file has no cues: it is an error, or left out."""


CuesByCategory: TypeAlias = dict[str, SidesOrChoices]


def _kind_of_suite_cues(value: Any) -> str:
    if isinstance(value, str):
        return "form"
    # A category that is called "file" has a mapping there. A tag must not look like a key: errors name keys.
    if isinstance(value, CueFile) or (isinstance(value, dict) and isinstance(value.get("file"), str)):
        return "cue file"
    return "by"


SuiteCues: TypeAlias = Annotated[
    Annotated[Name, Tag("form")] | Annotated[CueFile, Tag("cue file")] | Annotated[CuesByCategory, Tag("by")],
    Discriminator(_kind_of_suite_cues),
]


class Evidence(Strict):
    """What tells a right translation from a wrong one. Three kinds, so that one sample can serve several methods."""

    category: str | None = None
    """The group that the sample counts for; one of `categories`."""
    attributes: dict[str, Attribute] = Field(default_factory=dict)
    """More that is known of the sample, for gates and for the report: `pos: verb`, `sense_rank: 3`."""
    cues: Cues | None = None
    """Contrastive conditioning: words of the source language, put before the focus. A cue with `<>` in it says itself where the focus goes, `<> (a woman)`, or what stands instead of it, `<longed for>`."""
    sources: SidesOrChoices | None = None
    """Contrastive conditioning: whole contrastive sources, where a cue word will not do."""
    targets: dict[Language, TargetSides] | None = None
    """Minimal pairs: whole sentences of the target language, by language."""
    lemmas: dict[Language, Lemmas] | None = None
    """Lexicon: words of the target language, by language."""
    senses: Senses | None = None
    """Lexicon: the senses of the word in the focus, the most frequent first, or each with its rank by frequency. The attribute `sense` says which of them is meant; `sense_rank` and `polysemy` are told from them."""
    references: dict[Language, Texts] | None = None
    """Whole translations that are known to be right, by language."""
    fillers: TargetSides | None = None
    """Masked language models: what fills the gap `_` of the source, rightly and wrongly. The filled sentences are targets in the source's own language."""
    triggers: Texts | None = None
    """The words of the source that tell which target is right, for `mtprobe salience`."""


class SampleModel(Evidence):
    """One sentence to translate, with what makes a translation right or wrong."""

    id: Text | None = None
    """A name that stays the same when other samples come or go. By default made from the source's words."""
    source: Text
    """The sentence. `<…>` marks the focus, at most once; `\\<` is a plain sign."""


class SlotFile(Strict):
    """A slot's values from a file."""

    file: Text
    """A text file with one value a line, or a YAML file with a list or a mapping of values, beside the suite."""


def _slot_values(value: Any) -> Any:
    """A list of words stands for a mapping of words without attributes."""
    if isinstance(value, list):
        words = [
            str(word) if isinstance(word, int | float) and not isinstance(word, bool) else word
            for word in value
        ]
        if not all(isinstance(word, str) for word in words):
            raise PydanticCustomError("slot_word", "a slot's values are words; put them in quotes if need be")
        return dict.fromkeys(different(words))
    return value


def _kind_of_slot(value: Any) -> str:
    if isinstance(value, dict):
        return "file" if set(value) == {"file"} and isinstance(value["file"], str) else "values"
    return "file" if isinstance(value, SlotFile) else "values"


SlotValues: TypeAlias = Annotated[
    dict[str, dict[str, Attribute] | None],
    Field(min_length=1),
    BeforeValidator(_slot_values),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "array", "items": {"type": ["string", "number"]}, "minItems": 1},
                {
                    "type": "object",
                    "additionalProperties": {"type": ["object", "null"], "additionalProperties": SCALAR},
                    "minProperties": 1,
                },
            ]
        }
    ),
]
Slot: TypeAlias = Annotated[
    Annotated[SlotFile, Tag("file")] | Annotated[SlotValues, Tag("values")], Discriminator(_kind_of_slot)
]
Slots: TypeAlias = dict[str, Slot]
Derived: TypeAlias = dict[str, dict[str, str]]


class Template(Evidence):
    """A sentence with slots; every combination of their values is a sample."""

    id: Name | None = None
    """The first part of the samples' ids. By default made from the words around the slots."""
    source: Text
    """The sentence, with `{slot}` where a value goes and `<…>` around the focus. `{{` is a plain brace."""
    slots: Slots = Field(default_factory=dict)
    """A list of values, a mapping from value to attributes, or a file. The attribute `category` sets the category."""
    attributes: dict[str, TemplateAttribute] = Field(default_factory=dict)
    """Attributes of all samples of this template. A mapping is derived: each value with the condition under which it holds (`pro: typical == category`)."""
    except_: list[dict[str, Annotated[list[str], BeforeValidator(as_list), WithJsonSchema(TEXT_OR_LIST)]]] = (
        Field(default_factory=list, alias="except")
    )
    """Combinations of slot values to leave out: `{occupation: nurse, possessive: his}`."""


class AuditPairModel(Strict):
    """A sentence and translations of it whose reading is known, to see whether an evaluator can tell them apart."""

    source: Text | None = None
    """The sentence, with its `<focus>`; the suite's `cues` are put into it."""
    sample: Text | None = None
    """Instead of `source`: the id of a sample of this suite, whose source and cues are used."""
    targets: Annotated[dict[str, Texts], Field(min_length=1)]
    """For each reading a translation that has it, or a list of them. Readings are categories, or with `sample`: `correct` and `incorrect`."""


class AuditFile(Strict):
    """Audit pairs from a file."""

    file: Text
    """A YAML file with a list of audit pairs, beside the suite."""


AuditPairs: TypeAlias = Annotated[list[AuditPairModel], Field(min_length=1)]
Audit: TypeAlias = Annotated[
    Annotated[AuditFile, Tag("audit file")] | Annotated[AuditPairs, Tag("pairs")],
    Discriminator(lambda value: "audit file" if _is_mapping(value) else "pairs"),
]


class XfailModel(Strict):
    """A gate that is known to fail: it is run and shown, and does not fail the run."""

    reason: Text
    """Why this is accepted for now."""
    until: Annotated[str, AfterValidator(_date)] | None = None
    """The last day on which it is (ISO, `2027-01-31`); after that the gate counts again."""


class GateModel(Strict):
    """A gate with more than a bound."""

    bound: Text
    """The comparison, in quotes: `">= 0.60"`, or `">= 0.60 @95%"` to decide on the confidence interval."""
    xfail: XfailModel | None = None
    """Known to fail."""


def _kind_of_gate(value: Any) -> str:
    if isinstance(value, GateModel) or (isinstance(value, dict) and {"bound", "xfail"} & set(value)):
        return "gate"
    return "language" if isinstance(value, dict) else "bound"


def _bound(value: Any) -> Any:
    if not isinstance(value, str):
        raise PydanticCustomError("bound", 'write a comparison in quotes, for example ">= 0.60"')
    return value


Bound: TypeAlias = Annotated[str, BeforeValidator(_bound)]
LanguageGate: TypeAlias = Annotated[
    Annotated[Bound, Tag("bound")] | Annotated[GateModel, Tag("gate")],
    Discriminator(lambda value: "bound" if _kind_of_gate(value) == "bound" else "gate"),
]
Gate: TypeAlias = Annotated[
    Annotated[Bound, Tag("bound")]
    | Annotated[GateModel, Tag("gate")]
    | Annotated[dict[str, LanguageGate], Tag("language")],
    Discriminator(_kind_of_gate),
]


class SuiteModel(Strict):
    """A suite: one question about a model's behaviour."""

    mtprobe: Literal[1]
    """The version of the suite format."""
    name: Name
    """A short name, for reports and for `--mt-set`."""
    about: Text
    """The question that the suite asks, in a sentence."""
    languages: Languages
    """The direction that it is written for."""
    method: str | None = None
    """How a sample is judged: `contrastive-conditioning`."""
    methods: Annotated[list[str], Field(min_length=1), AfterValidator(different)] | None = None
    """Several methods; each that the model and the target allow judges every sample. Gates read the first that is allowed, or the one that they name: `accuracy@minimal-pairs`."""
    categories: Annotated[list[Name], Field(min_length=1), AfterValidator(different)] | None = None
    """The categories that samples count for, in the order of the report. A sample with another one is an error."""
    frequencies: Text | None = None
    """A file that `mtprobe senses` wrote from a corpus: a sample without a category gets `frequent` or `rare` by its good `lemmas`. For a suite with one target language."""
    cluster: str | None = None
    """The slot or attribute whose equal values make samples dependent; intervals resample it. By default the slot in the focus, the attribute `lemma`, or the focus itself."""
    cues: SuiteCues | None = None
    """Cues by category, for every sample that has none of its own; the name of one of the `cue_forms`; or a file of cues by word and sense. A category with cues for choices instead of `correct` and `incorrect` is open: no answer is right there."""
    cue_forms: dict[Name, CuesByCategory] = Field(default_factory=dict)
    """Several forms of the cues, by name. A run uses the one that `cues` names, by default the first; `mtprobe audit` compares them all."""
    calibrate: bool = False
    """Take off the offset that an audit of the evaluator finds: a constant preference of its scores for one reading. Needs `audit` pairs."""
    variants: dict[Name, Annotated[list[Attribute], Field(min_length=2)]] = Field(default_factory=dict)
    """Attributes of targets whose values are words, each with its values in order: `gender: [masculine, feminine, neuter]`."""
    slots: Slots = Field(default_factory=dict)
    """Slots that every template may name."""
    attributes: Derived = Field(default_factory=dict)
    """Attributes derived for every sample: name, then each value with the condition under which it holds."""
    gates: dict[str, Gate]
    """The metrics that are gated, each with its bound; under a language tag, for models into that language only."""
    audit: dict[Language, Audit] = Field(default_factory=dict)
    """Translations of known reading, by target language: with them an evaluator is audited before it is believed."""
    samples: list[SampleModel] = Field(default_factory=list)
    """Samples, one by one."""
    generate: list[Template] = Field(default_factory=list)
    """Samples from sentences with slots."""
    data: Annotated[
        list[DataEntry],
        BeforeValidator(
            lambda value: value if isinstance(value, list) else [value],
            json_schema_input_type=DataEntry | list[DataEntry],
        ),
    ] = Field(default_factory=list)
    """Samples from files: one entry or a list of them."""
    take: Annotated[int, Field(ge=1)] | None = None
    """Keep so many samples: those with the smallest hash of seed and id, so the same ones each time."""
    seed: Annotated[int, Field(ge=0)] = 0
    """For `take` and for resampling."""
    ties: Literal["correct", "incorrect"] | None = None
    """What two equal scores count as. By default what the method's paper does."""
    gender_rules: Literal["grammar", "winomt-2019"] = "grammar"
    """For `gender-morphology`, how a person's gender is read: by the grammars that come with mtprobe (de, es, fr, it, pt, ru), or by the German rules of WinoMT as they were published."""
    expect: Literal["gates", "each"] = "gates"
    """`each` makes every sample a test of its own as well, for regression cases."""
    marks: list[Annotated[str, Field(pattern=MARK)]] = Field(default_factory=list)
    """pytest marks for every gate, so that `-m nightly` finds them."""
