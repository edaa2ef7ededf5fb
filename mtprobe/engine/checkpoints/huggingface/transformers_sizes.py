"""Checks the sizes of a model that transformers loads, which allocates whatever config.json asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mtprobe.engine.checkpoints.huggingface.files import CONFIG, GENERATION_CONFIG, ModelFolder
from mtprobe.engine.checkpoints.reading import MOST_LAYERS, library_errors, read_optional_json, shown_value
from mtprobe.errors import ModelError

# By parts of the names of fields: nothing near these numbers exists. The first that matches counts.
_LARGEST = {
    "layer": MOST_LAYERS,
    "depth": MOST_LAYERS,
    "position": 131_072,
    "label": 100_000,
    "beam": 100,
    "": 2**31,
}
_WIDTHS = ("d_model", "hidden_size", "dim", "n_embd", "embedding_size")
_COMPUTED = 16_000_000  # numbers that are computed rather than stored, such as positions


def check_sizes(folder: ModelFolder, kind: Any, what: str) -> None:
    """Raises `ModelError`, starting with `what`, if the configuration asks for more than the weights contain.

    `kind` is the class of transformers that will load the model; here it builds one without any memory.
    """
    import torch
    from transformers import AutoConfig

    path = folder.path / CONFIG
    stored = sum(weights.stat().st_size for weights in folder.weights)
    for file in (path, folder.file(GENERATION_CONFIG)):
        for name, value in _integers(read_optional_json(file)):
            largest = next(largest for part, largest in _LARGEST.items() if part in name)
            if abs(value) > largest or (name in _WIDTHS and value * value > stored):
                raise ModelError(
                    f'{file}: "{name[:40]}": {shown_value(value)} is too large for these weights'
                )
    with library_errors(f"{what}: transformers cannot load it"), torch.device("meta"):
        config = AutoConfig.from_pretrained(str(folder.path), local_files_only=True, trust_remote_code=False)
        model = kind.from_config(config, trust_remote_code=False)
        needed = sum(tensor.numel() for tensor in (*model.parameters(), *model.buffers()))
    if needed > stored + _COMPUTED:  # a number takes at least one byte
        raise ModelError(
            f"{path}: the sizes are not those of the weights: {needed:,} numbers, but the files have {stored:,} bytes"
        )


def _integers(value: object, name: str = "") -> Iterator[tuple[str, int]]:
    """Each integer with the name of the field that it is in, however deep."""
    waiting: list[tuple[str, object]] = [(name, value)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend((str(key), inner) for key, inner in value.items())
        elif isinstance(value, list):
            waiting.extend((name, inner) for inner in value)
        elif isinstance(value, int):
            yield name, value
