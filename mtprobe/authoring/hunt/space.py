"""The sentences that a suite can generate: samples as they are, and templates with any values and any optional clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product

from mtprobe.suite.sample import Sample, Suite
from mtprobe.suite.samples.evidence import Misfit
from mtprobe.suite.samples.expand import OpenTemplate
from mtprobe.suite.samples.relations import ATTRIBUTE, one_per_perturbation
from mtprobe.suite.samples.slots import Value

_MOST_TRIES = 2000  # combinations of values that are tried to complete a sentence


@dataclass(frozen=True, slots=True)
class Candidate:
    """One sentence: a pattern, the rank of the value in each of its slots, and the clauses that are dropped."""

    pattern: int
    ranks: tuple[int, ...] = ()
    dropped: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Pattern:
    """A template with one of its perturbations, if it has any, or a sample without a template."""

    title: str
    template: OpenTemplate | None = None
    single: Sample | None = None
    perturbation: str = ""

    @cached_property
    def slots(self) -> tuple[str, ...]:
        return tuple(self.template.slots) if self.template else ()

    @cached_property
    def values(self) -> tuple[tuple[Value, ...], ...]:
        """The values of each slot, the simplest first."""
        slots = self.template.slots if self.template else {}
        return tuple(simplest_first(name, values) for name, values in slots.items())

    @cached_property
    def subjects(self) -> frozenset[str]:
        """The slots that say what a sentence is about; those that give the category do not."""
        return frozenset(
            name
            for name, values in zip(self.slots, self.values, strict=True)
            if not any("category" in value.attributes for value in values)
        )

    @property
    def clauses(self) -> int:
        return len(self.template.clauses.optional) if self.template else 0

    @cached_property
    def size(self) -> tuple[int, int]:
        """Words and characters of its shortest sentence, roughly: a slot counts as a word."""
        text = self.template.clauses.required if self.template else self.single.source if self.single else ""
        return len(text.split()), len(text)

    def chosen(self, ranks: Sequence[int]) -> dict[str, Value]:
        return {name: values[rank] for name, values, rank in zip(self.slots, self.values, ranks, strict=True)}


def simplest_first(slot: str, values: Sequence[Value]) -> tuple[Value, ...]:
    """Shorter ones first, then as declared. If all have an attribute `frequency` or `SLOT_frequency`, the most frequent first."""
    by_text = {value.text: value for value in values}
    for name in (f"{slot}_frequency", "frequency"):
        numbers = {
            text: float(number)
            for text, value in by_text.items()
            if isinstance(number := value.attributes.get(name), int | float) and not isinstance(number, bool)
        }
        if len(numbers) == len(values):
            return tuple(by_text[text] for text in sorted(numbers, key=numbers.__getitem__, reverse=True))
    return tuple(sorted(values, key=lambda value: (len(value.text.split()), len(value.text))))


class Space:
    """Every sentence is made once. One that cannot be made, or that nobody can judge, is None."""

    def __init__(self, suite: Suite, lacks: Callable[[Sample], str | None]) -> None:
        self._suite, self._lacks = suite, lacks
        generated = {template.place for template in suite.templates}
        singles = [sample for sample in suite.samples if sample.place not in generated]
        patterns = [
            *(
                Pattern(template.prefix, template, perturbation=name)
                for template in suite.templates
                for name in _perturbations(template, suite)
            ),
            *(Pattern(sample.id, single=sample) for sample in singles),
        ]
        self.patterns: tuple[Pattern, ...] = tuple(sorted(patterns, key=lambda pattern: pattern.size))
        self._templates = [number for number, pattern in enumerate(self.patterns) if pattern.template]
        self._singles = {
            pattern.title: number for number, pattern in enumerate(self.patterns) if pattern.single
        }
        self._made: dict[Candidate, Sample | None] = {}

    @cached_property
    def _cues(self) -> Mapping[tuple[str, ...], Sample]:
        """Samples that have cues from a file, by what these are looked up by."""
        names = self._suite.cue_file
        if names is None:
            return {}
        return {
            key: sample
            for sample in self._suite.samples
            if sample.cues and (key := _cue_key(sample, names.word, names.sense))
        }

    def sample(self, candidate: Candidate) -> Sample | None:
        if candidate not in self._made:
            sample = self._make(candidate)
            usable = sample and not sample.is_control and not self._lacks(sample)
            self._made[candidate] = sample if usable else None
        return self._made[candidate]

    def _make(self, candidate: Candidate) -> Sample | None:
        pattern = self.patterns[candidate.pattern]
        if pattern.template is None:
            return pattern.single
        chosen = pattern.chosen(candidate.ranks)
        if not pattern.template.allows(chosen):
            return None
        try:
            sample = pattern.template.sample(chosen, candidate.dropped)
        except Misfit:  # without a clause, something that it needs is missing
            return None
        if pattern.perturbation:
            perturbed = {one.attributes[ATTRIBUTE]: one for one in one_per_perturbation([sample])}
            sample = perturbed[pattern.perturbation]
        if self._suite.cue_file and sample.cues is None and sample.sources is None:
            names = self._suite.cue_file
            other = self._cues.get(_cue_key(sample, names.word, names.sense))
            return replace(sample, cues=other.cues) if other else sample
        return sample

    def candidate_of(self, sample: Sample) -> Candidate | None:
        """The sentence that a sample of the suite is; None if it cannot be told from its id and attributes."""
        if sample.id in self._singles:
            return Candidate(self._singles[sample.id])
        for number in self._templates:
            pattern = self.patterns[number]
            if sample.id != pattern.title and not sample.id.startswith(
                (f"{pattern.title}/", f"{pattern.title}@")
            ):
                continue
            texts = [[value.text for value in values] for values in pattern.values]
            words = [str(sample.attributes.get(name)) for name in pattern.slots]
            if all(word in known for word, known in zip(words, texts, strict=True)):
                ranks = [known.index(word) for word, known in zip(words, texts, strict=True)]
                candidate = Candidate(number, tuple(ranks))
                made = self.sample(candidate)
                if made is not None and made.id == sample.id:
                    return candidate
        return None

    def shorter_patterns(self, candidate: Candidate) -> list[int]:
        """Shorter patterns about the same thing: they share a slot, or a word in the case of samples."""
        return [number for number in self.related_patterns(candidate) if self._is_shorter(number, candidate)]

    def related_patterns(self, candidate: Candidate) -> list[int]:
        """Other patterns that are about the same thing."""
        own = self.patterns[candidate.pattern]
        return [
            number
            for number, other in enumerate(self.patterns)
            if number != candidate.pattern
            and other.perturbation == own.perturbation
            and (
                own.subjects & other.subjects
                if own.single is None or other.single is None
                else own.single.cluster == other.single.cluster
            )
        ]

    def _is_shorter(self, number: int, candidate: Candidate) -> bool:
        return self.patterns[number].size[0] < self.patterns[candidate.pattern].size[0]

    def completed(
        self, number: int, wanted: Mapping[str, str], category: str | None, dropped: frozenset[int]
    ) -> Candidate | None:
        """The simplest sentence of a pattern that has these values, where it has these slots, and this category."""
        pattern = self.patterns[number]
        ranks = []
        for name, values in zip(pattern.slots, pattern.values, strict=True):
            texts = [value.text for value in values]
            fixed = name in wanted and wanted[name] in texts
            ranks.append([texts.index(wanted[name])] if fixed else range(len(values)))
        for some in islice(product(*ranks), _MOST_TRIES):
            candidate = Candidate(number, some, dropped)
            sample = self.sample(candidate)
            if sample is not None and sample.category == category:
                return candidate
        return None

    def words(self, candidate: Candidate) -> dict[str, str]:
        """The values of its slots."""
        pattern = self.patterns[candidate.pattern]
        return {name: value.text for name, value in pattern.chosen(candidate.ranks).items()}

    def size(self, candidate: Candidate) -> tuple[int, ...]:
        """The sort key for the size of a sentence: number of words, complexity of values, number of characters."""
        sample = self.sample(candidate)
        text = sample.source if sample else ""
        return len(text.split()), sum(candidate.ranks), len(text), candidate.pattern, *candidate.ranks

    def group(self, candidate: Candidate) -> tuple[tuple[str, str], ...]:
        """The properties shared by sentences that may fail for one cause: category and perturbation."""
        sample = self.sample(candidate)
        if sample is None:
            return ()
        category = [] if sample.category is None else [("category", sample.category)]
        perturbed = [(ATTRIBUTE, variant.perturbation) for variant in sample.against if variant.perturbation]
        return (*category, *perturbed)

    def features(self, candidate: Candidate) -> Iterator[tuple[str, str]]:
        """Features that the sentence may share with others."""
        pattern = self.patterns[candidate.pattern]
        if pattern.single is not None:
            yield "word", pattern.single.cluster
            return
        yield "template", pattern.title
        yield from self.words(candidate).items()


def _perturbations(template: OpenTemplate, suite: Suite) -> tuple[str, ...]:
    """The perturbations that its samples have; an empty one if there is none."""
    names = (
        variant.perturbation
        for sample in suite.samples
        if sample.place == template.place
        for variant in sample.against
    )
    return tuple(dict.fromkeys(name for name in names if name)) or ("",)


def _cue_key(sample: Sample, word: str, sense: str) -> tuple[str, ...]:
    form = sample.source[slice(*sample.focus)].casefold() if sample.focus else ""
    return (*(str(sample.attributes.get(name, "")) for name in (word, sense)), form)
