"""The names that a suite may use: installed methods and data formats, passed in by upper layers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from mtprobe.suite.data import DataFormat
from mtprobe.suite.format.keys import MethodKeys


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    methods: Mapping[str, type[MethodKeys] | None]  # the keys that each adds to suites
    formats: Mapping[str, DataFormat]


class MetricText(Protocol):
    """The description of a metric for the schema and the reference."""

    @property
    def about(self) -> str:
        """One line."""

    @property
    def brackets(self) -> str:
        """The permitted brackets after its name; empty if none are."""
