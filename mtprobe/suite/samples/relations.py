"""The further sources of a sample whose translations must satisfy a relation: written out, or made by perturbations."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mtprobe.errors import did_you_mean
from mtprobe.language.perturbations import PERTURBATIONS
from mtprobe.suite.format.evidence import Evidence
from mtprobe.suite.sample import Sample, Variant
from mtprobe.suite.samples.evidence import Misfit
from mtprobe.suite.samples.focus import FocusError, Marked, read_marks

ATTRIBUTE = "perturbation"


@dataclass(frozen=True, slots=True)
class Relations:
    """What the suite says for samples that do not say it themselves."""

    relation: str = ""
    perturb: tuple[str, ...] = ()
    seed: int = 0

    def of(
        self, evidence: Evidence, source: Marked, sample: str, language: str
    ) -> tuple[str, tuple[Variant, ...]]:
        """The relation of a sample, and its further sources."""
        if not (evidence.against or evidence.perturb or self.perturb):  # nearly always
            return evidence.relation or self.relation, ()
        own = bool(evidence.against or evidence.perturb)
        perturb = evidence.perturb or ([] if own else self.perturb)
        variants = [
            *(_written(text) for text in evidence.against or ()),
            *_perturbed(perturb, source, f"{self.seed}\0{sample}", language),
        ]
        key = "against" if evidence.against else "perturb"
        seen = {source.text}
        for variant in variants:
            if variant.text in seen:
                what = "the source itself" if variant.text == source.text else "another further source"
                raise Misfit(key, f"{key}: {variant.text!r} is the same as {what}")
            seen.add(variant.text)
        return evidence.relation or self.relation, tuple(variants)


def one_per_perturbation(samples: Iterable[Sample]) -> Iterator[Sample]:
    """Several perturbations of a sentence are as many samples; the attribute `perturbation` says which one each has."""
    for sample in samples:
        if not sample.against:  # nearly always
            yield sample
            continue
        written = tuple(variant for variant in sample.against if not variant.perturbation)
        perturbed = [variant for variant in sample.against if variant.perturbation]
        if not perturbed:
            yield sample
        for variant in perturbed:
            yield replace(
                sample,
                id=f"{sample.id}@{variant.perturbation}" if len(perturbed) > 1 else sample.id,
                against=(*written, variant),
                attributes={**sample.attributes, ATTRIBUTE: variant.perturbation},
            )


def _written(text: str) -> Variant:
    try:
        marked = read_marks(text)
    except FocusError as error:
        raise Misfit("against", f"against: {error}: {text!r}") from None
    return Variant(marked.text, marked.focus)


def _perturbed(names: Sequence[str], source: Marked, seed: str, language: str) -> Iterator[Variant]:
    for name in names:
        perturbation = PERTURBATIONS.get(name)
        if perturbation is None:
            hint = did_you_mean(name, PERTURBATIONS) or f"; there is {', '.join(PERTURBATIONS)}"
            raise Misfit("perturb", f'perturb: there is no perturbation "{name}"{hint}')
        if reason := perturbation.obstacle(language):
            raise Misfit("perturb", f"perturb: {name} {reason}")
        text = perturbation.apply(source.text, source.focus, random.Random(f"{name}\0{seed}"))  # noqa: S311
        if text == source.text:
            raise Misfit(
                "perturb", f"perturb: {name} changes nothing in {source.text!r}; it {perturbation.needs}"
            )
        yield Variant(text, perturbation=name)
