"""The base of all networks: opens graphs on demand and projects to a vocabulary."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mtprobe.backends.device import Device
from mtprobe.engine.graphs.definition import Dimensions, Graph, Graphs, SavedGraph
from mtprobe.engine.runtime.interface import Floats
from mtprobe.engine.runtime.packing import Integers
from mtprobe.engine.runtime.session import Session, Value
from mtprobe.errors import ModelError


@dataclass
class ProjectingNetwork:
    """A network that opens its graphs when they are first used."""

    dimensions: Dimensions
    graphs: Graphs
    device: Device
    threads: int | None

    @cached_property
    def _project(self) -> Session:
        return self._open_for_steps(self.graphs["project"])

    def _open_for_steps(self, graph: Graph | SavedGraph) -> Session:
        """A session for translating token by token."""
        return Session(graph, self.device, self.threads)

    @property
    def state_dtype(self) -> type[np.floating]:
        """The type of arrays that are passed from run to run."""
        return np.float16 if self.dimensions.dtype == "fp16" else np.float32

    def refuse_overflow(self, logprobs: Floats) -> Floats:
        """Raises `ModelError` if sums have overflowed, which makes log-probabilities NaN."""
        if self.dimensions.dtype == "fp16" and np.isnan(logprobs).any():
            raise ModelError(
                "the range of fp16 is too small for this model: sums overflow; use the dtype fp32"
            )
        return logprobs

    def likeliest(self, hidden: Value, top: int) -> tuple[Floats, Integers]:
        """The log-probabilities and ids of the likeliest next tokens, [rows, top], best first."""
        logprobs, words = self._project.run(
            ["top_logprobs", "top_words"],
            {"hidden": hidden, "top": np.array([min(top, self.dimensions.target_vocabulary)])},
        )
        return self.refuse_overflow(logprobs), words
