"""Checkpoints that survive `kill -9`: one folder each, renamed when it is complete; safetensors and JSON only."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mtprobe.backends import MtprobeError

from .state import State

if TYPE_CHECKING:
    from torch import Tensor

_PREFIX = "checkpoint-"
_WEIGHTS = "weights.safetensors"
_BEST = "best.safetensors"
_OPTIMIZER = "optimizer.safetensors"
_STATE = "state.json"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """All that a training needs to go on as if nothing had happened."""

    state: State
    weights: Mapping[str, Tensor]
    best: Mapping[str, Tensor] | None  # the weights of the best validation, if they are not these
    optimizer: Mapping[str, Tensor]  # also the states of random number generators


def write_checkpoint(folder: Path, checkpoint: Checkpoint) -> None:
    """Replaces the checkpoint before it, which stays if anything fails."""
    part, previous = folder / "checkpoint.part", latest(folder)
    name = folder / f"{_PREFIX}{checkpoint.state.step:08}"
    with _disk_errors(folder, previous, part):
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        _save(part / _WEIGHTS, checkpoint.weights)
        _save(part / _OPTIMIZER, checkpoint.optimizer)
        if checkpoint.best is not None:
            _save(part / _BEST, checkpoint.best)
        (part / _STATE).write_text(json.dumps(checkpoint.state.record()), encoding="utf-8")
        part.rename(name)
    for path in folder.glob(f"{_PREFIX}*"):
        if path != name:
            shutil.rmtree(path, ignore_errors=True)


def latest(folder: Path) -> Path | None:
    """The newest complete checkpoint."""
    return max(folder.glob(f"{_PREFIX}*"), default=None)


def read_checkpoint(folder: Path, device: str) -> Checkpoint | None:
    path = latest(folder)
    if path is None:
        return None
    try:
        state = State.read(json.loads((path / _STATE).read_text(encoding="utf-8")))
        best = _load(path / _BEST, device) if (path / _BEST).exists() else None
        return Checkpoint(state, _load(path / _WEIGHTS, device), best, _load(path / _OPTIMIZER, "cpu"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MtprobeError(
            f"{path}: the checkpoint is damaged ({error}); delete {folder} and start again"
        ) from None


def remove_checkpoints(folder: Path) -> None:
    for path in (*folder.glob(f"{_PREFIX}*"), folder / "checkpoint.part"):
        shutil.rmtree(path, ignore_errors=True)


def optimizer_tensors(optimizer: Any) -> dict[str, Tensor]:
    """The optimizer's state with a name for each tensor."""
    state = optimizer.state_dict()["state"]
    return {f"{number}.{name}": tensor for number, values in state.items() for name, tensor in values.items()}


def restore_optimizer(optimizer: Any, tensors: Mapping[str, Tensor]) -> None:
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        number, _, key = name.partition(".")
        if number.isdecimal():
            state.setdefault(int(number), {})[key] = tensor
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})


def random_tensors() -> dict[str, Tensor]:
    """The states of the random number generators, on which dropout depends."""
    import torch

    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []
    return {
        "random.cpu": torch.get_rng_state(),
        **{f"random.cuda{at}": state for at, state in enumerate(cuda)},
    }


def restore_random(tensors: Mapping[str, Tensor]) -> None:
    import torch

    torch.set_rng_state(tensors["random.cpu"])
    for name, state in tensors.items():
        if name.startswith("random.cuda") and torch.cuda.is_available():
            torch.cuda.set_rng_state(state, int(name.removeprefix("random.cuda")))


def _save(path: Path, tensors: Mapping[str, Tensor]) -> None:
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    try:
        save_file({name: tensor.detach().contiguous() for name, tensor in tensors.items()}, path)
    except SafetensorError as error:  # it has no error number, only a message
        full = f"os error {errno.ENOSPC}" in str(error)
        raise OSError(errno.ENOSPC if full else errno.EIO, str(error), str(path)) from None


def _load(path: Path, device: str) -> dict[str, Tensor]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        tensors: dict[str, Tensor] = load_file(path, device)
    except SafetensorError as error:
        raise ValueError(str(error)) from None
    return tensors


@contextmanager
def _disk_errors(folder: Path, previous: Path | None, part: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        reason = "the disk is full" if error.errno == errno.ENOSPC else os.strerror(error.errno or errno.EIO)
        step = int(previous.name.removeprefix(_PREFIX)) if previous else 0
        kept = f"that of step {step:,} is intact" if previous else "there is none yet"
        raise MtprobeError(
            f"{folder}: a checkpoint cannot be written: {reason}; {kept}. The same command continues from there"
        ) from None
