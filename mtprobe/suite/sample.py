"""A parsed suite: plain frozen data for the other stages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from mtprobe.errors import Place
from mtprobe.language import tags
from mtprobe.suite.labels import Label

if TYPE_CHECKING:
    from mtprobe.suite.samples.expand import OpenTemplate

T = TypeVar("T")
Scalar: TypeAlias = str | int | float | bool

CONTROL = "control"
"""The attribute of samples that must not raise an alarm; they are outside every accuracy."""


def text_key(text: str, context: Sequence[str] = (), repeat: int = 0) -> str:
    """A text in its context as one string: the text itself, unless there is more.

    No text of a suite starts with NUL, so the two forms cannot be confused.
    """
    if not context and not repeat:
        return text
    return "\0" + json.dumps([text, list(context), repeat])


def text_of_key(key: str) -> str:
    """The text alone."""
    return str(json.loads(key[1:])[0]) if key.startswith("\0") else key


@dataclass(frozen=True, slots=True)
class Variants:
    """An attribute's values, one per text of each side, in the texts' order."""

    correct: tuple[Scalar, ...]
    incorrect: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Contrast:
    """The evidence for the right and for the wrong reading: cues, sources or targets."""

    correct: tuple[str, ...]
    incorrect: tuple[str, ...]
    variants: Mapping[str, Variants] = field(default_factory=dict, hash=False)  # by attribute; of targets

    @property
    def sides(self) -> Mapping[str, tuple[str, ...]]:
        """The texts by the reading that they speak for."""
        return {"correct": self.correct, "incorrect": self.incorrect}


@dataclass(frozen=True, slots=True)
class SenseLemmas(Contrast):
    """Dictionary forms in one language: the good ones are `correct`, the bad ones `incorrect`."""

    # Of bad lemmas, where known; of good lemmas, those beside the right one.
    senses: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    either: tuple[str, ...] = ()  # they fit the right sense and a wrong one alike, so they show neither


@dataclass(frozen=True, slots=True)
class Choices:
    """The evidence for each of several readings, none of which is right: cues or sources."""

    sides: Mapping[str, tuple[str, ...]]

    def __hash__(self) -> int:
        return hash(frozenset(self.sides.items()))


@dataclass(frozen=True, slots=True)
class Variant:
    """A further source, whose translation must satisfy a relation with that of the sample's own."""

    text: str  # as the model sees it, without focus marks
    focus: tuple[int, int] | None = None  # the span of the marked words in `text`
    perturbation: str = ""  # that made it; empty: it is written out


@dataclass(frozen=True, slots=True)
class Sample:
    """One sentence to translate, with what makes a translation right or wrong."""

    id: str
    source: str  # as the model sees it, without focus marks
    focus: tuple[int, int] | None  # the span of the marked words in `source`
    category: str | None
    attributes: Mapping[str, Scalar]
    cluster: str  # samples that share it are not independent
    place: Place
    cues: Contrast | Choices | None = None
    sources: Contrast | Choices | None = None
    targets: Mapping[str, Contrast] | None = None  # by language
    lemmas: Mapping[str, SenseLemmas] | None = None  # by language
    senses: Mapping[str, int] | None = None  # of the word in the focus, each with its rank by frequency
    references: Mapping[str, tuple[str, ...]] | None = None  # by language; translations known to be right
    # The spans in `source` of the words that decide which target is right.
    triggers: tuple[tuple[int, int], ...] = ()
    context: tuple[str, ...] = ()  # the sentences before the source, in order
    preserve: tuple[str, ...] = ()  # what must survive the translation: numbers, names …
    names: tuple[str, ...] = ()  # that must stay as they are; none: the focus is the name
    relation: str = ""  # how its translation and those of the further sources must relate
    against: tuple[Variant, ...] = ()  # further sources, written out or made by a perturbation
    # `must_contain` and `must_not_contain`: words by language.
    word_lists: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict, hash=False)

    @property
    def key(self) -> str:
        """The key of its translation: the source, or the source with its context."""
        return text_key(self.source, self.context)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Everything that the model has to translate for it, its source first."""
        return (self.source, *(variant.text for variant in self.against))

    @property
    def is_control(self) -> bool:
        """Whether it must not raise an alarm: it is outside accuracies."""
        return self.attributes.get(CONTROL) is True

    @property
    def choices(self) -> tuple[str, ...]:
        """The readings that a translation may choose between; none if one of them is right."""
        evidence = self.sources if self.sources is not None else self.cues
        return tuple(evidence.sides) if isinstance(evidence, Choices) else ()

    def targets_in(self, language: str) -> Contrast | None:
        """The targets for models into this language."""
        return _for_language(self.targets or {}, language)

    def lemmas_in(self, language: str) -> SenseLemmas | None:
        """The lemmas for models into this language."""
        return _for_language(self.lemmas or {}, language)


def _for_language(by_language: Mapping[str, T], language: str) -> T | None:
    """The first value whose language tag fits."""
    return next((value for tag, value in by_language.items() if tags.fits(tag, language)), None)


@dataclass(frozen=True, slots=True)
class AuditPair:
    """Translations of one source whose reading is known."""

    sample: Sample  # of the suite; or only a source, a focus and a cluster, for the suite's cues
    by_category: bool  # readings are categories; otherwise "correct" and "incorrect"
    targets: Mapping[str, tuple[str, ...]]  # by reading
    place: Place


@dataclass(frozen=True, slots=True)
class Xfail:
    """A gate that is known to fail, until a day (ISO) if one is given."""

    reason: str
    until: str | None = None

    @property
    def expired(self) -> bool:
        """Whether the day until which the failure was accepted has passed."""
        return self.until is not None and date.today() > date.fromisoformat(self.until)


@dataclass(frozen=True, slots=True)
class GateText:
    """A gate as it is written; `gates/` parses it."""

    key: str
    bound: str
    place: Place
    language: str | None = None  # only for models into this language
    xfail: Xfail | None = None


@dataclass(frozen=True, slots=True)
class CuesBySense:
    """The file that a suite names for its cues, and the attributes by which samples look theirs up."""

    path: Path
    word: str
    sense: str


@dataclass(frozen=True, slots=True)
class Suite:
    """One YAML file: a question about a model's behaviour."""

    path: Path
    name: str
    about: str
    source: str
    targets: tuple[str, ...] | None  # None: any
    methods: tuple[str, ...]
    methods_place: Place
    categories: tuple[str, ...]
    gates: tuple[GateText, ...]
    samples: tuple[Sample, ...]
    attributes: Mapping[str, frozenset[Scalar]]  # every attribute's values, over all samples
    digest: str  # of the suite's file and of every file that it names, without labels
    # Cues by category, in each form; the form that a run uses comes first.
    cue_forms: Mapping[str, Mapping[str, Contrast | Choices]] = field(default_factory=dict)
    chooses_form: bool = False  # a run uses the form that its evaluator understands best
    cue_file: CuesBySense | None = None  # cues by word and sense, if the suite names a file of them
    audit: Mapping[str, tuple[AuditPair, ...]] = field(default_factory=dict)  # by language
    # Categories without a right answer, each with the choices of its samples.
    open: Mapping[str, frozenset[str]] = field(default_factory=dict)
    # Attributes of targets, each with its values in order; a word's rank is its position.
    variants: Mapping[str, tuple[Scalar, ...]] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)  # the keys of methods, with their defaults
    option_places: Mapping[str, Place] = field(default_factory=dict)
    combine: str | None = None  # how several methods make one verdict; None: each judges by itself
    labels: Mapping[str, tuple[Label, ...]] = field(
        default_factory=dict
    )  # by language; some wait for a label
    corrected: bool = False  # gates on accuracies are decided on the numbers that the labels correct
    ignores_degenerate: bool = False  # outputs that are not translations are judged like any other
    marks: tuple[str, ...] = ()
    seed: int = 0
    each: bool = False  # every sample is a pytest item too
    hunt: int | None = None  # sentences that a pytest item `hunt` may ask for to find the smallest that fails
    # What its generated samples are made from; taking fewer samples takes nothing from them.
    templates: tuple[OpenTemplate, ...] = field(default=(), compare=False, repr=False)
    sequential: bool = False  # samples are asked until the gates are decided, unless the user says otherwise
    files: tuple[Path, ...] = ()  # those that it names: slots, data, cues, labels

    def fits(self, source: str, target: str) -> bool:
        """Whether a model of this direction can be asked this suite's question."""
        if not tags.fits(self.source, source):
            return False
        return self.targets is None or any(tags.fits(wanted, target) for wanted in self.targets)

    def place_of(self, option: str) -> Place:
        """The place where the suite sets an option, for messages."""
        return self.option_places.get(option, Place(self.path))

    @property
    def cues(self) -> Mapping[str, Contrast | Choices]:
        """The cues by category that a run uses."""
        return next(iter(self.cue_forms.values()), {})

    def served_by_forms(self, sample: Sample) -> bool:
        """Whether a sample has the suite's cues, in the form that a run uses, and not its own."""
        cues = self.cues.get(sample.category or "")
        return sample.sources is None and cues is not None and cues == sample.cues

    def with_form(self, form: str) -> Suite:
        """The suite with another one of its cue forms."""
        cues = self.cue_forms[form]
        samples = tuple(
            replace(sample, cues=cues[sample.category or ""]) if self.served_by_forms(sample) else sample
            for sample in self.samples
        )
        forms = {name: self.cue_forms[name] for name in sorted(self.cue_forms, key=lambda name: name != form)}
        return replace(self, samples=samples, cue_forms=forms, chooses_form=False)

    def audit_for(self, target: str) -> tuple[AuditPair, ...]:
        """The audit pairs for models into this language."""
        return tuple(
            pair for language, pairs in self.audit.items() if tags.fits(language, target) for pair in pairs
        )

    def labels_for(self, target: str) -> tuple[Label, ...]:
        """The labels of translations into this language; those that were drawn and not labelled are not among them."""
        return tuple(line for line in self.label_lines_for(target) if line.label)

    def label_lines_for(self, target: str) -> tuple[Label, ...]:
        """The lines of its label files, also those that wait for a label."""
        return tuple(
            line for language, lines in self.labels.items() if tags.fits(language, target) for line in lines
        )

    def take(self, count: int) -> Suite:
        """The suite with only `count` samples: those with the smallest hash, so the same ones next time."""
        if count >= len(self.samples):
            return self

        kept = {sample.id for sample in sorted(self.samples, key=self.rank)[:count]}
        return replace(self, samples=tuple(sample for sample in self.samples if sample.id in kept))

    def rank(self, sample: Sample) -> bytes:
        """The sort key for choosing a suite's fixed samples: a hash, so neither order nor other samples matter."""
        return hashlib.blake2b(f"{self.seed}\0{sample.id}".encode(), digest_size=16).digest()

    @property
    def answered(self) -> tuple[str, ...]:
        """The categories in which an answer is right or wrong."""
        return tuple(category for category in self.categories if category not in self.open)

    @property
    def choices(self) -> tuple[str, ...]:
        """The choices of open samples, in the order of the categories."""
        named = {choice for choices in self.open.values() for choice in choices}
        return tuple(category for category in self.categories if category in named)

    @property
    def languages(self) -> str:
        """For messages: `en→any`, `en→de, pt`."""
        return f"{self.source}→{', '.join(self.targets) if self.targets else 'any'}"
