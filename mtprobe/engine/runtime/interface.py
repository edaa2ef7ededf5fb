"""What a network looks like to those who score and translate with it: token ids in, numbers out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from mtprobe.engine.runtime.packing import Integers

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


class OccludedNetwork(Protocol):
    """Says how likely given targets are when a token of the source is not there."""

    def score_without(
        self,
        sources: Sequence[Tokens],
        targets: Sequence[Tokens],
        prefixes: Sequence[Tokens],
        without: Sequence[int | None],
    ) -> list[Floats]:
        """As `score`, with zeros for the embedding of the source token at the given place; None: of no token."""


class StepNetwork(Protocol[State]):
    """Translates token by token; its state has one row for each hypothesis.

    A state is stepped from or joined once and then forgotten, so its memory may be used again.
    """

    def start(self, sources: Sequence[Tokens], prefixes: Sequence[Tokens]) -> State:
        """One row for each source, behind all tokens of its prefix but the last.

        A prefix begins with the decoder's start token; prefixes may differ in length.
        """

    def step(
        self, state: State, rows: Integers, tokens: Integers, top: int
    ) -> tuple[State, Floats, Integers]:
        """Continues row `rows[i]` of the state with token `tokens[i]`, as row i of the new state.

        Rows may be left out or repeated, and come in any order. Gives [n, top] natural log-probabilities
        and token ids of what may follow each row: likeliest first, equal ones by rising id, and fewer than
        `top` only where the vocabulary is smaller.
        """

    def join(self, states: Sequence[State]) -> State:
        """The rows of all states in order, whatever the lengths of their sources and hypotheses."""
