"""What a search asks of a network that translates token by token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

State = TypeVar("State")


class StepNetwork(Protocol[State]):
    """A network whose state has one row for each hypothesis.

    A state is stepped from or joined once and then forgotten, so its memory may be used again.
    """

    def start(self, sources: Sequence[Sequence[int]], prefixes: Sequence[Sequence[int]]) -> State:
        """One row for each source, behind all tokens of its prefix but the last.

        A prefix begins with the decoder's start token; prefixes may differ in length.
        """

    def step(
        self, state: State, rows: NDArray[np.intp], tokens: NDArray[np.intp], top: int
    ) -> tuple[State, NDArray[np.float32], NDArray[np.intp]]:
        """Continues row `rows[i]` of the state with token `tokens[i]`, as row i of the new state.

        Rows may be left out or repeated, and come in any order.
        Gives [n, top] natural log-probabilities and token ids of what may follow each row: likeliest first,
        equal ones by rising id, and fewer than `top` only where the vocabulary is smaller.
        """

    def join(self, states: Sequence[State]) -> State:
        """The rows of all states in order, whatever the lengths of their sources and hypotheses.

        A step follows that leaves rows out, so the work may wait until it is known which.
        """
