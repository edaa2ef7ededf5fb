"""The suite that `mtprobe import` writes around the samples of a public test set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from mtprobe.suite.sample import Scalar


@dataclass(frozen=True, slots=True)
class Preset:
    """The keys of the suite other than its samples."""

    name: str
    about: str
    source: str  # the language
    target: str | None  # None: any
    methods: tuple[str, ...]
    gates: Mapping[str, str]
    categories: tuple[str, ...] = ()
    cluster: str | None = None
    cues: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by category
    ties: Literal["correct", "incorrect"] | None = None  # if the set's own rule is not the method's
    notes: tuple[str, ...] = ()  # comments at the top
    # Attributes of targets, each with its values in order.
    variants: Mapping[str, tuple[Scalar, ...]] = field(default_factory=dict)
    made_by: str = "mtprobe import"
    other_targets: tuple[str, ...] = ()  # languages besides `target`
