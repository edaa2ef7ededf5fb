"""Warnings about relations: missing controls, and further sources that lost words."""

from __future__ import annotations

from collections.abc import Iterator

from mtprobe.errors import Problem
from mtprobe.suite.parsing.tree import Tree
from mtprobe.suite.sample import CONTROL, Sample, Suite

_PHRASES = ("contains",)  # whose further sources are shorter by design
_FALSE_ALARMS = "false_alarms"


def relation_warnings(suite: Suite, tree: Tree) -> Iterator[Iterator[Problem]]:
    """One kind after the other."""
    yield _without_controls(suite)
    yield _ungated_controls(suite, tree)
    yield _lost_words(suite)


def _without_controls(suite: Suite) -> Iterator[Problem]:
    first: dict[str, Sample] = {}
    for sample in suite.samples:
        if sample.relation:
            first.setdefault(sample.relation, sample)
    controlled = {sample.relation for sample in suite.samples if CONTROL in sample.attributes}
    for relation, sample in first.items():
        if relation not in controlled:
            yield Problem(
                sample.place,
                f"relation: {relation} has no controls, so false alarms are not measured; "
                "add samples with `control: true`",
            )


def _ungated_controls(suite: Suite, tree: Tree) -> Iterator[Problem]:
    controls = any(CONTROL in sample.attributes and sample.relation for sample in suite.samples)
    if controls and suite.gates and not any(gate.key.startswith(_FALSE_ALARMS) for gate in suite.gates):
        yield Problem(tree.place(("gates",)), f"gates: there are controls, but no gate on `{_FALSE_ALARMS}`")


def _lost_words(suite: Suite) -> Iterator[Problem]:
    """In flow style, `[Before we left, we ate.]` is two sentences."""
    for sample in suite.samples:
        if sample.relation in _PHRASES:
            continue
        for variant in sample.against:
            if len(variant.text.split()) < len(sample.source.split()) / 2:
                yield Problem(
                    sample.place,
                    f'against: "{variant.text}" is less than half as long as its source; did a comma inside […] split it?',
                )
