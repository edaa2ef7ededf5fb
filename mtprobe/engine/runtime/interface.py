"""The protocol of networks that translate token by token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from mtprobe.engine.runtime.packing import Integers

Floats: TypeAlias = npt.NDArray[np.float32]
Tokens: TypeAlias = Sequence[int]
State = TypeVar("State")


class StepNetwork(Protocol[State]):
    """Translates token by token; its state has one row per hypothesis.

    A state is used for one step or join only, so its memory may be reused.
    """

    def start(self, sources: Sequence[Tokens], prefixes: Sequence[Tokens]) -> State:
        """One row per source, after all tokens of its prefix except the last.

        A prefix is what the decoder starts from: its start token, and a language token if the model has one.
        Prefixes may differ in length.
        """

    def step(
        self, state: State, rows: Integers, tokens: Integers, top: int
    ) -> tuple[State, Floats, Integers]:
        """Continues row `rows[i]` of the state with token `tokens[i]`, as row i of the new state.

        Rows may be omitted or repeated, in any order. Returns [n, top] natural log-probabilities and token ids
        of the next token of each row: likeliest first, ties by ascending id, and fewer than `top` only if the
        vocabulary is smaller.
        """

    def join(self, states: Sequence[State]) -> State:
        """The rows of all states in order, whatever the lengths of their sources and hypotheses."""
