"""Damage to the tensors of a file, and to what each format of files says about them."""

from __future__ import annotations

import io
import json
import pickle
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import yaml

from tests.fuzz import byte_damage
from tests.fuzz.hostile_values import MERGE_BOMB, RAW_NUMBERS

FORMATS = (".npz", ".safetensors", ".bin")


def damage_tensors(path: Path, rng: Random) -> None:
    """A tensor is missing, has another shape, type or name, or holds what is not a number."""
    try:
        read, write = _tensor_format(path)
        tensors, more = read(path)
    except Exception:
        return
    if not tensors:
        return
    for _ in range(rng.choice((1, 1, 2))):
        name = rng.choice(sorted(tensors, key=str))
        values = tensors[name]
        change = rng.choice(TENSOR_CHANGES)
        if change == "drop":
            del tensors[name]
        elif change == "rename":
            tensors[
                rng.choice(
                    (
                        str(name).upper(),
                        "x" * 3_000,
                        "encoder_l" + "9" * 5_000 + "_x",
                        "",
                        "\ud7ff",
                        "decoder_l7_self_Wq",
                    )
                )
            ] = tensors.pop(name)
        else:
            tensors[name] = _changed(values, change, rng)
        if not tensors:
            break
    write(path, tensors, more, rng)


TENSOR_CHANGES = ("drop", "rename", "transpose", "cut", "nan", "inf", "type", "flat", "dimensions", "empty", "scalar", "large", "longer", "huge values")  # fmt: skip


def _changed(values: np.ndarray, change: str, rng: Random) -> np.ndarray:
    if change == "transpose":
        return np.ascontiguousarray(values.T)
    if change == "cut":
        return np.ascontiguousarray(values[: max(0, len(values) - 1)]) if values.ndim else values
    if change in ("nan", "inf") and values.size:
        flat = values.astype(np.float32).reshape(-1)
        flat[rng.randrange(flat.size)] = np.nan if change == "nan" else np.inf
        return flat.reshape(values.shape)
    if change == "type":
        return values.astype(
            rng.choice((np.int8, np.float64, np.float16, np.int64, np.bool_, np.complex64, np.uint16))
        )
    if change == "flat":
        return values.reshape(-1)
    if change == "dimensions":
        return values.reshape((1,) * rng.choice((1, 20, 60 - values.ndim)) + values.shape)
    if change == "empty":
        return values[:0] if values.ndim else values
    if change == "scalar":
        return np.float32(1).reshape(())
    if change == "large":
        return np.zeros((rng.choice((300, 3_000)), 300), np.float32)
    if change == "longer" and values.ndim:
        return np.concatenate([values, values])
    return values.astype(np.float32) * np.float32(1e30)


def _tensor_format(path: Path) -> tuple[Callable[[Path], Any], Callable[..., None]]:
    if path.suffix == ".npz":
        return _read_npz, _write_npz
    if path.suffix == ".safetensors":
        return _read_safetensors, _write_safetensors
    if path.name == "pytorch_model.bin":
        return _read_pickled, _write_pickled
    return _read_bin, _write_bin


def _read_npz(path: Path) -> tuple[dict[str, np.ndarray], Any]:
    with np.load(path) as archive:
        return dict(archive), None


def _write_npz(path: Path, tensors: dict[str, np.ndarray], _: Any, rng: Random) -> None:
    """Sometimes with a member whose header lies, that is pickled, packed, named twice, or not an array."""
    odd = rng.choice(
        ("", "", "dimensions", "shape", "object", "packed", "twice", "text", "header", "structured")
    )
    kind = zipfile.ZIP_DEFLATED if odd == "packed" else zipfile.ZIP_STORED
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name, values in tensors.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, np.asarray(values))
            archive.writestr(f"{name[:60_000]}.npy", content.getvalue())
        member = sorted(tensors, key=str)[0] if tensors else "x"
        if odd in ("dimensions", "shape"):
            shape = (
                (1,) * 70
                if odd == "dimensions"
                else rng.choice(((10**12,), (-1, 4), (2**62, 8), (10**5, 10**5)))
            )
            header = {"descr": "<f4", "fortran_order": False, "shape": shape}
            content = io.BytesIO()
            np.lib.format.write_array_header_1_0(content, header)
            archive.writestr("odd.npy", content.getvalue() + bytes(4))
        elif odd == "object":
            archive.writestr(
                "odd.npy",
                b"\x93NUMPY\x01\x00\x46\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,)}         \n"
                + pickle.dumps([print]),
            )
        elif odd == "packed":
            archive.writestr("odd.npy", b"\x93NUMPY" + bytes(30_000_000))
        elif odd == "twice":
            archive.writestr(f"{member}.npy", b"\x93NUMPY")
        elif odd == "text":
            archive.writestr("readme", b"words")
        elif odd == "header":
            archive.writestr("odd.npy", b"\x93NUMPY\x01\x00\xf0\x20" + b"(" * 8_400)
        elif odd == "structured":
            content = io.BytesIO()
            np.lib.format.write_array(content, np.zeros(3, [("a", "<f4"), ("b", "<i8")]))
            archive.writestr("odd.npy", content.getvalue())


def _read_safetensors(path: Path) -> tuple[dict[str, np.ndarray], Any]:
    from safetensors.numpy import load

    return load(path.read_bytes()), None


def _write_safetensors(path: Path, tensors: dict[str, np.ndarray], _: Any, rng: Random) -> None:
    from safetensors.numpy import save

    kept = {
        name: np.ascontiguousarray(values) for name, values in tensors.items() if values.dtype != np.complex64
    }
    data = save(kept, {"format": "pt"})
    (size,) = struct.unpack("<Q", data[:8])
    header, content = json.loads(data[8 : 8 + size]), data[8 + size :]
    odd = rng.choice(("", "", "shape", "type", "offsets", "dimensions", "header", "keys"))
    entry = header[rng.choice([name for name in header if name != "__metadata__"])] if kept else {}
    if odd == "shape":
        entry["shape"] = rng.choice(([10**12], [-1], [2**63, 2], [], ["a"], None, [1.5], [0, 2**62]))
    elif odd == "type":
        entry["dtype"] = rng.choice(("BF16", "F16", "I8", "F8_E4M3", "BOOL", "nothing", 7, "U64"))
    elif odd == "offsets":
        entry["data_offsets"] = rng.choice(([0, 0], [0, 2**63], [-1, 4], [8, 4], [0], None, [0, 10**12]))
    elif odd == "dimensions":
        entry["shape"] = [1] * 70 + list(entry.get("shape", []))
    elif odd == "keys":
        header["extra"] = rng.choice(
            (7, None, [], {"dtype": "F32"}, {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]})
        )
    text = json.dumps(header).encode()
    if odd == "header":
        text = rng.choice((b"[" * 5_000, b"{}", b"null", b"\xff" * 10, b'{"a": NaN}', text[:-3]))
    path.write_bytes(
        struct.pack(
            "<Q", rng.choice((len(text), len(text), len(text), 2**63, 10**9, 0)) if odd else len(text)
        )
        + text
        + content
    )


def _read_pickled(path: Path) -> tuple[dict[str, np.ndarray], Any]:
    import torch

    return {name: values.numpy() for name, values in torch.load(path, weights_only=True).items()}, None


def _write_pickled(path: Path, tensors: dict[str, np.ndarray], _: Any, rng: Random) -> None:
    import torch

    state: dict[Any, Any] = {
        name: torch.from_numpy(np.ascontiguousarray(values))
        for name, values in tensors.items()
        if values.dtype != np.uint16
    }
    odd = rng.choice(("", "", "views", "object", "names", "list", "code"))
    if odd == "views":  # one number that claims to be a million millions
        state[rng.choice(sorted(state, key=str) or ["x"])] = torch.zeros(1).expand(10**6, 10**6)
    elif odd == "object":
        state["odd"] = {"nested": [1, 2]}
    elif odd == "names":
        state[7] = torch.zeros(3)
    content: Any = [*state.values()] if odd == "list" else state
    if odd == "code":
        path.write_bytes(pickle.dumps({"x": print}))
    else:
        torch.save(content, path, _use_new_zipfile_serialization=rng.random() < 0.7)


def _read_bin(path: Path) -> tuple[dict[str, np.ndarray], Any]:
    from mtprobe.engine.checkpoints.bergamot.binary import read_bergamot

    file = read_bergamot(path)
    return {name: np.array(values) for name, values in file.tensors.items()}, dict(file.config)


def _write_bin(path: Path, tensors: dict[str, np.ndarray], config: Any, rng: Random) -> None:
    from tests.engine.tiny import FLOAT32, INT8, layout

    items = [
        (
            name,
            FLOAT32 if rng.random() < 0.95 else rng.choice((INT8, 0x4101, 0x4102, 0x0402, 7)),
            values.shape,
            values.astype("<f4").tobytes(),
        )
        for name, values in tensors.items()
        if values.dtype != np.complex64
    ]
    odd = rng.choice(("", "", "dimensions", "shape", "bomb", "config", "numbers"))
    text = yaml.safe_dump(config).encode() + b"\0"
    if odd == "dimensions":
        items.append(("odd", FLOAT32, (1,) * 70, bytes(4)))
    elif odd == "shape":
        items.append(
            ("odd", FLOAT32, rng.choice(((2**31 - 1, 2**31 - 1), (0, 2**31 - 1), (-1, -1))), bytes(4))
        )
    elif odd == "bomb":
        text = MERGE_BOMB
    elif odd == "config":
        text = byte_damage.mutated(text, rng)
    elif odd == "numbers":
        text += b"\ntransformer-heads: " + rng.choice(RAW_NUMBERS) + b"\n"
    items.append(("special:model.yml", INT8, (len(text),), text))
    path.write_bytes(layout(items))
