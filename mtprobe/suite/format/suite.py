"""All keys of a suite, strictly typed. The JSON Schema and the reference are generated from these models."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from copy import copy
from functools import cache
from types import GenericAlias
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Discriminator, Field, Tag, create_model
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from mtprobe.errors import MtprobeError
from mtprobe.suite.format.data import Data, described_entry_type, entry_type
from mtprobe.suite.format.evidence import CuesByCategory, SampleModel, SuiteCues, is_mapping
from mtprobe.suite.format.fields import (
    MARK,
    Attribute,
    Language,
    Name,
    Strict,
    Text,
    Texts,
    as_list,
    different,
)
from mtprobe.suite.format.template import Derived, Slots, Template
from mtprobe.suite.vocabulary import Vocabulary


def _targets(value: Any) -> Any:
    return "any" if value == ["any"] else value if value == "any" else as_list(value)


Targets: TypeAlias = Annotated[
    Annotated[Literal["any"], Tag("any")] | Annotated[list[Language], Field(min_length=1), Tag("list")],
    Discriminator(lambda value: "any" if value == "any" else "list"),
    BeforeValidator(_targets, json_schema_input_type=Language | list[Language]),
]


class Languages(Strict):
    """The languages that the suite is written for: from which, and into which."""

    source: Language
    """The language of the sources, as a BCP 47 tag."""
    targets: Targets = "any"
    """The languages that a model may translate into: `any`, one tag, or a list. `pt` fits `pt-BR` and `por_Latn`."""


def _date(value: str) -> str:
    try:
        return datetime.date.fromisoformat(value).isoformat()
    except ValueError:
        raise PydanticCustomError(
            "date", '"{text}" is not a date; write it as 2027-01-31', {"text": value}
        ) from None


class XfailModel(Strict):
    """A gate that is known to fail: it is run and shown, but does not fail the run."""

    reason: Text
    """Why this is accepted for now."""
    until: Annotated[str, AfterValidator(_date)] | None = None
    """The last day on which it is accepted (ISO, `2027-01-31`); after that the gate counts again."""


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
    """A YAML file with a list of audit pairs, next to the suite."""


AuditPairs: TypeAlias = Annotated[list[AuditPairModel], Field(min_length=1)]
Audit: TypeAlias = Annotated[
    Annotated[AuditFile, Tag("audit file")] | Annotated[AuditPairs, Tag("pairs")],
    Discriminator(lambda value: "audit file" if is_mapping(value) else "pairs"),
]


class SuiteModel(Strict):
    """A suite: one question about a model's behaviour."""

    # Only the models of `suite_model`, with the keys of methods, are built.
    model_config = ConfigDict(defer_build=True)

    mtprobe: Literal[1]
    """The version of the suite format."""
    name: Name
    """A short name, for reports and for `--mt-set`."""
    about: Text
    """The question that the suite asks, in a sentence."""
    languages: Languages
    """The languages that it is written for."""
    method: str | None = None
    """How a sample is judged: `contrastive-conditioning`."""
    methods: Annotated[list[str], Field(min_length=1), AfterValidator(different)] | None = None
    """Several methods; every sample is judged by each method that the model and the target allow. Gates read the first of these, or the one that they name: `accuracy@minimal-pairs`."""
    combine: Literal["first-decided"] | None = None
    """`first-decided` makes one verdict from several `methods`: each sample is decided by the first method that can. Put a method that needs no model first: `[gender-morphology, contrastive-conditioning]`. Gates then name no method."""
    categories: Annotated[list[Name], Field(min_length=1), AfterValidator(different)] | None = None
    """The categories that samples count for, in the order of the report. Any other category is an error."""
    frequencies: Text | None = None
    """A file that `mtprobe senses` wrote from a corpus: a sample without a category gets `frequent` or `rare` by its good `lemmas`. For a suite with one target language."""
    cluster: str | None = None
    """The slot or attribute whose equal values make samples dependent; intervals count these clusters. By default the slot in the focus, the attribute `lemma`, or the focus itself."""
    cues: SuiteCues | None = None
    """Cues by category, for samples without their own; the name of one of the `cue_forms`; `best`, the form that agrees best with labels or with a method that needs no model, chosen once for each evaluator; or a file of cues by word and sense. A category with cues for choices instead of `correct` and `incorrect` is open: it has no right answer."""
    cue_forms: dict[Name, CuesByCategory] = Field(default_factory=dict)
    """Several forms of the cues, by name. A run uses the one that `cues` names, by default the first; `mtprobe audit` compares them all."""
    variants: dict[Name, Annotated[list[Attribute], Field(min_length=2)]] = Field(default_factory=dict)
    """Attributes of targets whose values are words, each with its values in order: `gender: [feminine, masculine, neuter]`."""
    preserve: Texts | None = None
    """What must survive a translation, for samples without `preserve` of their own: `numbers`, `placeholders`, `names` …"""
    relation: Text | None = None
    """How translations of related sources must relate, for samples without `relation` of their own: `same`, `differs-in`, `negated` …"""
    perturb: Texts | None = None
    """Named perturbations that make further sources, for samples without `against` or `perturb` of their own."""
    must_contain: dict[Language, Texts] | None = None
    """Words of which every translation must have one, for samples without `must_contain` of their own: dictionary forms, or regular expressions between slashes."""
    must_not_contain: dict[Language, Texts] | None = None
    """Words of which no translation may have one."""
    slots: Slots = Field(default_factory=dict)
    """Slots that every template may use."""
    attributes: Derived = Field(default_factory=dict)
    """Attributes derived for every sample: name, then each value with the condition under which it holds."""
    gates: dict[str, Gate]
    """The metrics that are gated, each with its bound; under a language tag, for models into that language only."""
    audit: dict[Language, Audit] = Field(default_factory=dict)
    """Translations whose reading is known, by target language: the evaluator is audited with them before it is trusted."""
    labels: dict[Language, Texts] = Field(default_factory=dict)
    """People's judgements of translations, by target language: files that `mtprobe label` wrote, one or a list. They correct accuracies."""
    corrected: bool = False
    """Whether gates on accuracies are decided on the numbers that the labels correct."""
    context_controls: Annotated[
        list[Literal["random", "none"]], Field(min_length=1), AfterValidator(different)
    ] = Field(default_factory=list)
    """Samples with `context` are also run with the context of another sample (`random`), or without any (`none`); the attribute `context` says which (`given` is their own). `gap[context]` and `accuracy[context=random]` show whether the model uses it."""
    degenerate: Literal["incorrect", "ignore"] = "incorrect"
    """Outputs that are not translations (empty, copied, truncated, in another language) are never correct. `ignore` judges them like any other output, for figures that were published without such a rule."""
    samples: list[SampleModel] = Field(default_factory=list)
    """Samples, one by one."""
    generate: list[Template] = Field(default_factory=list)
    """Samples from sentences with slots."""
    data: list[Data] = Field(default_factory=list)
    """Samples from files: one entry or a list of them."""
    take: Annotated[int, Field(ge=1)] | None = None
    """Keep this many samples: those with the smallest hash of seed and id, so the same ones each time."""
    seed: Annotated[int, Field(ge=0)] = 0
    """For `take`, and for what is drawn at random: intervals of salience, studies."""
    sequential: bool = False
    """Whether samples are asked in random order until every gate is decided, rather than all of them; `--mt-sequential` and `--mt-no-sequential` take precedence."""
    expect: Literal["gates", "each"] = "gates"
    """`each` also makes every sample a test of its own, for regression cases."""
    hunt: Annotated[int, Field(ge=1)] | None = None
    """Look for the smallest failing sentence that the templates can make, in a test of its own named `hunt`, which may ask for this many sentences beyond the samples. Needs the extra `hunt`."""
    marks: list[Annotated[str, Field(pattern=MARK)]] = Field(default_factory=list)
    """pytest marks for every gate, so that `-m nightly` finds them."""


class _Assembled(SuiteModel):
    # Its subclasses are made from fields that have their descriptions.
    model_config = ConfigDict(use_attribute_docstrings=False)


@cache
def suite_model(vocabulary: Vocabulary, *, described: bool = False) -> type[SuiteModel]:
    """The model with the keys of the vocabulary's methods, and with entries of its formats.

    `described` is for a JSON Schema with the keys of all formats.
    """
    entry: Any = (described_entry_type if described else entry_type)(vocabulary.formats)
    entries: Any = GenericAlias(list, (entry,))
    as_entries = BeforeValidator(
        lambda value: value if isinstance(value, list) else [value],
        json_schema_input_type=entry | entries if described else Any,
    )
    fields: dict[str, Any] = {
        name: (field.annotation, field) for name, field in method_fields(vocabulary).items()
    }
    data = copy(SuiteModel.model_fields["data"])
    fields["data"] = (Annotated[entries, as_entries], data)
    return create_model("SuiteModel", __base__=_Assembled, __doc__=SuiteModel.__doc__, **fields)


def method_fields(vocabulary: Vocabulary) -> Mapping[str, FieldInfo]:
    """The keys of all methods."""
    fields: dict[str, FieldInfo] = {}
    owners: dict[str, str] = {}
    for method, keys in vocabulary.methods.items():
        for name, field in (keys.model_fields if keys else {}).items():
            if name in SuiteModel.model_fields:
                raise MtprobeError(f'the method {method} declares "{name}", which is a key of every suite')
            if name in fields and not _alike(fields[name], field):
                raise MtprobeError(f'the methods {owners[name]} and {method} declare "{name}" differently')
            fields.setdefault(name, copy(field))
            owners.setdefault(name, method)
    return fields


def _alike(first: FieldInfo, second: FieldInfo) -> bool:
    return (first.annotation, first.metadata, first.default) == (
        second.annotation,
        second.metadata,
        second.default,
    )
