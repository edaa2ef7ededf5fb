"""Encoded examples, padded to tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .encode import Encoded, Tokens

if TYPE_CHECKING:
    from torch import Tensor

IGNORED = -100  # the label of padding, and of tokens that the decoder is given


@dataclass(frozen=True, slots=True)
class Foci:
    """All focus tokens of a batch: row and column in the labels, the right token and then the alternatives."""

    rows: Tensor
    columns: Tensor
    candidates: Tensor  # [foci, candidates]
    known: Tensor  # [foci, candidates]: not padding


@dataclass(frozen=True, slots=True)
class Batch:
    """Sources with one target each."""

    sources: Tensor
    source_mask: Tensor
    given: Tensor  # what the decoder reads
    labels: Tensor  # what it should write, IGNORED elsewhere
    foci: Foci | None = None
    rejected: Batch | None = None  # each rejected target, with its source
    opposed: Tensor | None = None  # [rejected targets]: the row of the right one

    @property
    def tokens(self) -> int:
        """The number of target tokens."""
        return int((self.labels != IGNORED).sum())


def batch_of(examples: Sequence[Encoded], pad: int, device: str = "cpu") -> Batch:
    import torch

    pairs = [(row, tokens) for row, example in enumerate(examples) for tokens in example.rejected]
    rejected = None
    if pairs:
        rejected = _padded(
            [(examples[row].source, examples[row].prefix, tokens) for row, tokens in pairs], pad, device
        )
    right = _padded([(example.source, example.prefix, example.target) for example in examples], pad, device)
    return Batch(
        right.sources,
        right.source_mask,
        right.given,
        right.labels,
        foci=_foci(examples, device),
        rejected=rejected,
        opposed=torch.tensor([row for row, _ in pairs], device=device) if pairs else None,
    )


def _padded(sentences: Sequence[tuple[Tokens, Tokens, Tokens]], pad: int, device: str) -> Batch:
    sources = [source for source, _, _ in sentences]
    given = [(*prefix, *target[:-1]) for _, prefix, target in sentences]
    labels = [(*[IGNORED] * (len(prefix) - 1), *target) for _, prefix, target in sentences]
    return Batch(
        _tensor(sources, pad, device),
        _tensor([(1,) * len(source) for source in sources], 0, device),
        _tensor(given, pad, device),
        _tensor(labels, IGNORED, device),
    )


def _tensor(rows: Sequence[Sequence[int]], fill: int, device: str) -> Tensor:
    import torch

    longest = max(map(len, rows))
    padded = [[*row, *[fill] * (longest - len(row))] for row in rows]
    return torch.tensor(padded, dtype=torch.long, device=device)


def _foci(examples: Sequence[Encoded], device: str) -> Foci | None:
    import torch

    listed = [(row, example, focus) for row, example in enumerate(examples) for focus in example.foci]
    if not listed:
        return None
    candidates = [(example.target[focus.place], *focus.alternatives) for _, example, focus in listed]
    columns = [len(example.prefix) - 1 + focus.place for _, example, focus in listed]
    return Foci(
        torch.tensor([row for row, _, _ in listed], device=device),
        torch.tensor(columns, device=device),
        _tensor(candidates, 0, device),
        _tensor([(1,) * len(tokens) for tokens in candidates], 0, device).bool(),
    )
