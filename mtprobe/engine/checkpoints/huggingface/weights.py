"""The weights of a model as float32 arrays, by their names in transformers."""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mtprobe.engine.checkpoints.huggingface.bart import OUTPUT, SHARED, SOURCE, TARGET
from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig, UnknownArchitecture, read_config
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.checkpoints.reading import library_errors, open_file, what_it_is_instead
from mtprobe.engine.graphs.positions import marian_positions
from mtprobe.engine.graphs.weights import Tensor
from mtprobe.engine.runtime.installed import pip_install
from mtprobe.errors import ModelError

LOGITS_BIAS = "final_logits_bias"
POSITIONS = ("model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight")


def read_weights(
    folder: ModelFolder, config: Seq2SeqConfig | UnknownArchitecture | None = None
) -> Mapping[str, Tensor]:
    """Every tensor of the model, including those that a checkpoint may omit.

    Raises `ModelError` for a damaged file. `.bin` files need torch, which reads them as data, never as code.
    """
    tensors = read_tensors(folder)
    config = config or read_config(folder)
    if isinstance(config, Seq2SeqConfig):
        try:
            _fill_in(tensors, config, str(folder.weights[0]))
        except KeyError as missing:
            raise ModelError(f'{folder.weights[0]}: the tensor "{missing.args[0]}" is missing') from None
    return tensors


def read_tensors(folder: ModelFolder) -> dict[str, Tensor]:
    """Every tensor that the files contain."""
    tensors: dict[str, Tensor] = {}
    for path in folder.weights:
        read = _safetensors if path.suffix == ".safetensors" else _pickled
        tensors.update(read(path))
    return tensors


def _safetensors(path: Path) -> Iterator[tuple[str, Tensor]]:
    try:
        import safetensors
    except ImportError:
        raise ModelError(f"{path}: this file needs: {pip_install('hf')}") from None
    try:
        file = safetensors.safe_open(str(path), framework="numpy")
    except (safetensors.SafetensorError, OSError) as error:
        raise _damaged(path, "safetensors", str(error)) from None
    header: tuple[int, dict[str, Any]] | None = None
    with library_errors(f"{path}: not a usable safetensors file"), file as tensors:
        for name in tensors.keys():  # noqa: SIM118 - it is not a mapping
            kind = tensors.get_slice(name).get_dtype()
            if kind == "BF16":  # numpy has no such type
                header = header or _header(path)
                yield name, _bfloat16(path, *header, name)
            elif kind in ("F16", "F32", "F64"):
                yield name, tensors.get_tensor(name).astype(np.float32, copy=False)
            else:
                raise _not_a_float(path, name, kind)


def _header(path: Path) -> tuple[int, dict[str, Any]]:
    """The offset of the data, and its description, which the package has already checked."""
    with open_file(path) as file:
        (size,) = struct.unpack("<Q", file.read(8))
        return 8 + size, json.loads(file.read(size))


def _bfloat16(path: Path, data: int, entries: dict[str, Any], name: str) -> Tensor:
    """Decodes a tensor whose numbers are the upper halves of float32 numbers."""
    start, end = entries[name]["data_offsets"]
    with open_file(path) as file:
        file.seek(data + start)
        halves = np.frombuffer(file.read(end - start), "<u2")
    return (halves.astype(np.uint32) << 16).view(np.float32).reshape(entries[name]["shape"])


def _pickled(path: Path) -> Iterator[tuple[str, Tensor]]:
    try:
        import torch
    except ImportError:
        raise ModelError(
            f'{path}: torch is needed to read .bin files (pip install "mtprobe[torch]"); '
            "a model.safetensors would not need it"
        ) from None
    try:
        _refuse_compressed(path)
        tensors = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # pickle, zip and torch raise their own
        raise _damaged(path, "PyTorch", str(error).partition("\n")[0][:120]) from None
    if not isinstance(tensors, dict) or not all(
        isinstance(name, str) and isinstance(tensor, torch.Tensor) for name, tensor in tensors.items()
    ):
        raise _damaged(path, "PyTorch", "it does not contain named tensors")
    for name, tensor in tensors.items():
        if not tensor.is_floating_point():
            raise _not_a_float(path, name, str(tensor.dtype).removeprefix("torch."))
        with library_errors(f"{path}: not a usable PyTorch file"):
            if tensor.numel() * tensor.element_size() > tensor.untyped_storage().nbytes():
                raise ValueError(f'tensor "{name}" is larger than its data')
            values = tensor.detach().float().contiguous().numpy()
        yield name, values


def _refuse_compressed(path: Path) -> None:
    """torch writes its zip files without compression; a compressed one may unpack to any size."""
    with open_file(path) as file:
        if not zipfile.is_zipfile(file):
            return
        with zipfile.ZipFile(file) as archive:
            compressed = [entry for entry in archive.infolist() if entry.compress_type != zipfile.ZIP_STORED]
    if compressed:
        raise ValueError(f'its part "{compressed[0].filename}" is compressed')


def _damaged(path: Path, kind: str, reason: str) -> ModelError:
    try:
        with open_file(path) as file:
            instead = what_it_is_instead(file.read(64))
    except ModelError as error:
        return error
    return ModelError(f"{path}: not a usable {kind} file{instead or f': {reason}; is it truncated?'}")


def _not_a_float(path: Path, name: str, kind: str) -> ModelError:
    return ModelError(
        f'{path}: tensor "{name}" holds {kind} where floating-point numbers are expected; '
        "a quantised model cannot be used"
    )


def _fill_in(tensors: dict[str, Tensor], config: Seq2SeqConfig, where: str) -> None:
    """Adds what transformers ties or computes when it loads a model. Existing tensors are never replaced.

    The sizes in the configuration are compared with the weights before anything of that size is made.
    """
    tied = [TARGET]
    if config.share_encoder_decoder_embeddings:
        tied = [SHARED, SOURCE, TARGET]
    if config.tie_word_embeddings:
        tied.append(OUTPUT)
    original = next((tensors[name] for name in tied if name in tensors), None)
    if original is None:
        raise KeyError(tied[0])
    if original.shape != (expected := (config.decoder_vocab_size, config.d_model)):
        name = next(name for name in tied if name in tensors)
        raise ModelError(f'{where}: the tensor "{name}" has the shape {original.shape}; expected {expected}')
    for name in tied:
        tensors.setdefault(name, original)
    for name in (SOURCE, OUTPUT):
        if name not in tensors:
            raise KeyError(name)

    if config.model_type != "m2m_100":
        tensors.setdefault(LOGITS_BIAS, np.zeros((1, config.decoder_vocab_size), np.float32))
    if config.model_type == "marian":
        for name in POSITIONS:
            tensors.setdefault(name, marian_positions(config.max_position_embeddings, config.d_model))
