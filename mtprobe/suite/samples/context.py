"""Controls for context: copies of samples with another context or without one."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from mtprobe.errors import SuiteError
from mtprobe.suite.format.suite import SuiteModel
from mtprobe.suite.parsing.tree import Tree
from mtprobe.suite.sample import Sample

ATTRIBUTE = "context"
GIVEN, RANDOM, NONE = "given", "random", "none"


def with_controls(samples: tuple[Sample, ...], model: SuiteModel, tree: Tree) -> tuple[Sample, ...]:
    """The samples; each that has a context is followed by its controls. All of them share their cluster."""
    place = tree.place(("context_controls",))
    if not any(sample.context for sample in samples):
        raise SuiteError.at(place, "context_controls: no sample has a `context`")
    others = _other_contexts(samples, model.seed)
    if RANDOM in model.context_controls and not others:
        raise SuiteError.at(place, "context_controls: random needs samples with different contexts")
    controlled: list[Sample] = []
    for sample in samples:
        if not sample.context:
            controlled.append(sample)
            continue
        contexts = {GIVEN: sample.context, RANDOM: others.get(sample.id, ()), NONE: ()}
        for name in (GIVEN, *model.context_controls):
            controlled.append(
                replace(
                    sample,
                    id=sample.id if name == GIVEN else f"{sample.id}@{name}",
                    context=contexts[name],
                    attributes={**sample.attributes, ATTRIBUTE: name},
                )
            )
    return tuple(controlled)


def _other_contexts(samples: tuple[Sample, ...], seed: int) -> dict[str, tuple[str, ...]]:
    """For each sample the context of another one: of the next in a fixed random order whose context is another.

    Samples with the same source may be the same sentence in another context, which would be no control: they are not taken.
    """

    def rank(sample: Sample) -> bytes:
        return hashlib.blake2b(f"context\0{seed}\0{sample.id}".encode(), digest_size=16).digest()

    shuffled = sorted((sample for sample in samples if sample.context), key=rank)
    chosen: dict[str, tuple[str, ...]] = {}
    for place, sample in enumerate(shuffled):
        following = (*shuffled[place + 1 :], *shuffled[:place])
        other = next(
            (
                other
                for other in following
                if other.context != sample.context and other.source != sample.source
            ),
            None,
        )
        if other is not None:
            chosen[sample.id] = other.context
    return chosen if len(chosen) == len(shuffled) else {}
