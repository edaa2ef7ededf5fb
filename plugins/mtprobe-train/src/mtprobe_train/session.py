"""Shared by both verbs: trains in a folder and saves the model there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mtprobe.backends import ModelError, MtprobeError
from mtprobe.verbs import counted, say, warn

from .material.example import Example
from .material.files import Material, read_material, write_material
from .networks.base import Base
from .networks.encode import Encoded, encode
from .networks.network import Network
from .objectives.objective import Objective
from .training.checkpoint import remove_checkpoints
from .training.folder import abandon, begin, finish
from .training.schedule import Schedule
from .training.state import State
from .training.train import Training, train


@dataclass(frozen=True, slots=True)
class Session:
    """A training from its first check to the finished folder."""

    base: Base
    folder: Path
    schedule: Schedule
    settings: Mapping[str, Any]  # that an interrupted training must have had, too
    threads: int | None = None

    def run(self, collect: Callable[[], Material], build: Callable[[], tuple[Network, Objective]]) -> State:
        """`collect` is asked only if the examples are not in the folder yet; `build` loads the network."""
        begin(self.folder, self.settings)
        material = read_material(self.folder)
        if material is None:
            try:
                material = collect()
            except BaseException:
                abandon(self.folder)
                raise
            write_material(self.folder, material)
        self._use_threads()
        network, objective = build()
        training = Training(
            network,
            objective,
            self.schedule,
            self._encoded(material.train, "training"),
            self._encoded(material.dev, "development"),
            self.folder,
        )
        state = train(training)
        self._save(network, state)
        return state

    def _encoded(self, examples: tuple[Example, ...], name: str) -> list[Encoded]:
        encoded = list(encode(examples, self.base.tokenizer()))
        if skipped := len(examples) - len(encoded):
            warn(f"{counted(skipped, f'{name} example')} skipped: too long, or not text")
        if examples and not encoded:
            raise MtprobeError(f"no {name} example is short enough")
        return encoded

    def _use_threads(self) -> None:
        import torch

        if self.threads:
            torch.set_num_threads(self.threads)

    def _save(self, network: Network, state: State) -> None:
        best = state.best
        results = {
            "steps": state.step,
            "best_step": state.step if best is None else best.step,
            "validations": [
                {"step": entry.step, "loss": entry.loss, "pairs_right": entry.right}
                for entry in state.history
            ],
            "losses": state.losses,
        }
        try:
            finish(self.folder, self.settings, results)
            self.base.save(network, self.folder)
        except (OSError, ModelError) as error:
            reason = (isinstance(error, OSError) and error.strerror) or error
            raise MtprobeError(
                f"{self.folder}: the model cannot be written: {reason}. Its checkpoint is intact: "
                "the same command writes it again"
            ) from None
        remove_checkpoints(self.folder)
        stopped = (
            f"weights of step {results['best_step']:,}" if best is not None else "weights of the last step"
        )
        say(f"trained for {counted(state.step, 'step')}; {stopped}", f"model: {self.base.spec(self.folder)}")
