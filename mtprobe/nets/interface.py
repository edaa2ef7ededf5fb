"""What a network looks like to those who score and translate with it: token ids in, numbers out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from mtprobe.nets.packing import Integers

Floats: TypeAlias = npt.NDArray[np.float32]
Tokens: TypeAlias = Sequence[int]
State = TypeVar("State")


class ScoreNetwork(Protocol):
    """Says how likely given targets are."""

    @property
    def provider(self) -> str | None:
        """What it runs on; known once something has run."""

    def score(
        self, sources: Sequence[Tokens], targets: Sequence[Tokens], prefixes: Sequence[Tokens]
    ) -> list[Floats]:
        """The natural log-probability of each target token, given its source, the prefix and those before.

        The prefix is what the decoder starts from: its start token, and a language token where there is
        one. It is not scored. Batches are the caller's: everything runs at once.
        """


class StepNetwork(Protocol[State]):
    """Translates token by token, as many translations at once as its state has rows."""

    def start(self, sources: Sequence[Tokens], prefixes: Sequence[Tokens]) -> State:
        """One row a source, behind all of its prefix but the last token."""

    def step(
        self, state: State, rows: Integers, tokens: Integers, top: int
    ) -> tuple[State, Floats, Integers]:
        """Row i of the new state continues row `rows[i]` of the old one with `tokens[i]`.

        Gives [rows, top] natural log-probabilities, best first, and the tokens that may follow. Old rows
        may be left out, moved or continued several times; the old state remains as it was.
        """
