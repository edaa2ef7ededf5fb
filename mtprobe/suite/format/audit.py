"""The keys of audit pairs: translations whose reading is known."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Discriminator, Field, Tag

from mtprobe.suite.format.fields import Strict, Text, Texts
from mtprobe.suite.format.sides import is_mapping


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
    Discriminator(lambda value: "audit file" if is_mapping(value) else "pairs"),
]
