"""Converts pairs to the samples of a suite."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Iterator, Sequence

from mtprobe.authoring.pairs.change import Kind
from mtprobe.authoring.pairs.make import GeneratedPair, Origin
from mtprobe.backends.protocols import LanguagePair
from mtprobe.datasets.preset import Preset
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.sample import Scalar
from mtprobe.suite.samples.focus import escaped

CONTROLS = ("placeholder-noun", "hypercorrect-genitive")


def sample_of(pair: GeneratedPair, target: str) -> SampleModel:
    attributes: dict[str, Scalar] = {"phenomenon": pair.kind, "line": pair.line}
    attributes["group"] = pair.group or f"line {pair.line}"
    if pair.how:
        attributes["validation"] = pair.how
    return SampleModel.model_validate(
        {
            "id": f"{pair.kind}/{pair.origin}/{pair.digest}",
            "source": escaped(pair.source),
            "category": pair.origin,
            "attributes": attributes,
            "targets": {target: {"correct": pair.correct, "incorrect": pair.incorrect}},
        }
    )


def selected(pairs: Iterable[GeneratedPair], number: int | None, seed: int) -> Iterator[GeneratedPair]:
    """The requested number of pairs, the same ones each time, in line order; all if no number is given."""
    if number is None:
        yield from pairs
        return

    def rank(pair: GeneratedPair) -> str:
        return hashlib.sha256(f"{seed}/{pair.digest}".encode()).hexdigest()

    smallest = heapq.nsmallest(number, pairs, key=rank)
    yield from sorted(smallest, key=lambda pair: (pair.line, pair.kind, pair.origin))


_CIRCLE = (
    "Test other models with them than the one that wrote the machine references: of that one they say nothing new.",
)


def preset_of(
    name: str, kinds: Sequence[Kind], origins: Sequence[Origin], languages: LanguagePair, made_with: str
) -> Preset:
    """The suite without its samples. Pairs that change the same word, or share a line, are not independent."""
    controls = all(kind.name in CONTROLS for kind in kinds)
    gates = {"accuracy": ">= 0.95" if controls else ">= 0.80"}
    if len(origins) > 1:
        gates |= {f"accuracy[{origin}]": gates["accuracy"] for origin in origins}
    if len(kinds) > 1:
        gates["gap[phenomenon]"] = "<= 0.20"
    gates["discrepancy"] = "<= 1.5"
    about = (
        kinds[0].about
        if len(kinds) == 1
        else "Does the model score a right translation above one with a known error?"
    )
    notes = (
        made_with,
        "Read some of the pairs before you believe their numbers, and set bounds that suit your model.",
        *(_CIRCLE if "machine" in origins else ()),
    )
    return Preset(
        name=name,
        about=about,
        source=languages.source,
        target=languages.target,
        methods=("minimal-pairs",),
        gates=gates,
        categories=tuple(origins),
        cluster="group",
        notes=notes,
        made_by="mtprobe pairs",
    )
