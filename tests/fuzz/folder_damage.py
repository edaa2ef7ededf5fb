"""Damage to a folder of files: to what a file says, to its bytes, to its tensors, to its kind."""

from __future__ import annotations

import hashlib
import io
import json
import os
import pickle
import socket
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import yaml

from tests.fuzz import byte_damage, tree_damage

SIZES: list[Any] = [
    0, 1, -1, 2, 3, 5, 7, 15, 17, 100, 999, 1000, 1001, 16_384, 65_536, 131_072, 10**6, 10**7, 10**9, 2**31 - 1, 2**31, 2**63, 2**64,
    10**100, 10**400, True, False, None, 1.5, -0.0, 1e300, "512", "", [], [1], {}, [[]], [[1]], [[0, 1]], {"a": 1}, "x" * 5_000,
]  # fmt: skip
WORDS: list[Any] = [
    "relu", "gelu", "swish", "marian", "m2m_100", "mbart", "t5", "bert", "roberta", "bart", "nobody", "MarianTokenizer", "NllbTokenizer",
    "M2M100Tokenizer", "MBart50Tokenizer", "BertTokenizer", "rnn", "self-attention", "average-attention", "never", "en", "pt", "xx", "zz-@",
    "\u0000", "\n", "é", "a" * 300, "..", "../x", "/dev/zero", "n", "dan", "[PAD]", "<unk>", "", " ", "▁",
]  # fmt: skip
RAW_NUMBERS = [b"NaN", b"Infinity", b"-Infinity", b"1e999", b"9" * 5_000, b"-" + b"9" * 4_000, b"1e-999", b"0x10", b"010", b'"\\ud800"',
               b"2026-11-16", b"2026-13-45", b"2026-11-16 25:61:61", b"1:2:3", b"!!binary x", b"!!int z", b"~", b"[" * 2_000, b'{"a":' * 2_000]  # fmt: skip
MERGE_BOMB = (
    b"a0: &a0 {k: v}\n" + b"".join(b"a%d: &a%d {<<: [%s], k%d: v}\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9), n) for n in range(1, 12))
)  # fmt: skip


def damage(folder: Path, seeds: Path, rng: Random) -> None:
    """One to three mutations; where a manifest names digests, they are made to fit as often as not."""
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3))):
        rng.choice(MUTATIONS)(folder, seeds, rng)
    if rng.random() < 0.7:
        forge(folder)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file() and not path.is_symlink())


def _some_file(folder: Path, rng: Random, *suffixes: str) -> Path | None:
    files = [path for path in _files(folder) if not suffixes or path.suffix in suffixes]
    return rng.choice(files) if files else None


def other_tree(folder: Path, _: Path, rng: Random) -> None:
    """Damage to what a JSON or YAML file says."""
    path = _some_file(folder, rng, ".json", ".yml")
    if path is None:
        return
    read, write = tree_damage.reader_of(path.name)  # type: ignore[misc]
    try:
        tree = None if b"<<" in (content := path.read_bytes())[-2_000:] else read(content)
    except (ValueError, RecursionError, yaml.YAMLError):
        tree = None
    if tree is None:  # damaged before, more than these readers can bear
        return
    if sum(1 for _ in tree_damage._paths(tree)) < 5_000:
        path.write_bytes(write(tree_damage.damaged(tree, rng)))


def other_value(folder: Path, _: Path, rng: Random) -> None:
    """A field of a configuration gets another size or word."""
    path = _some_file(folder, rng, ".json", ".yml")
    if path is None:
        return
    read, write = tree_damage.reader_of(path.name)  # type: ignore[misc]
    try:
        tree = None if b"<<" in (content := path.read_bytes())[-2_000:] else read(content)
    except (ValueError, RecursionError, yaml.YAMLError):
        tree = None
    if tree is None:  # damaged before, more than these readers can bear
        return
    places = [place for place in tree_damage._paths(tree) if place]
    if not places:
        return
    shallow = [place for place in places if len(place) == 1 or rng.random() < 0.1]
    for _ in range(rng.choice((1, 1, 1, 2))):
        place = rng.choice(shallow or places)
        tree_damage._set(tree, place, rng.choice(SIZES if rng.random() < 0.7 else WORDS))
        if len(place) > 1:
            break
    path.write_bytes(write(tree))


def raw_value(folder: Path, _: Path, rng: Random) -> None:
    """A value that no writer of JSON or YAML would write."""
    path = _some_file(folder, rng, ".json", ".yml")
    if path is None:
        return
    data = path.read_bytes()
    ends = [at for at in range(len(data)) if data[at : at + 1] == b":"][:500]
    if ends:
        at = rng.choice(ends) + 1
        end = min(
            [found for sign in (b",", b"\n", b"}") if (found := data.find(sign, at)) >= 0], default=len(data)
        )
        path.write_bytes(data[:at] + b" " + rng.choice(RAW_NUMBERS) + data[end:])


def bomb(folder: Path, _: Path, rng: Random) -> None:
    path = _some_file(folder, rng, ".yml")
    if path is None:
        path = folder / "README.md"
        path.write_bytes(b"---\n" + MERGE_BOMB + b"language: en\n---\n")
    else:
        path.write_bytes(rng.choice((MERGE_BOMB, path.read_bytes() + MERGE_BOMB)))


def other_bytes(folder: Path, _: Path, rng: Random) -> None:
    path = _some_file(folder, rng)
    if path is not None:
        path.write_bytes(byte_damage.mutated(path.read_bytes(), rng))


def other_header(folder: Path, _: Path, rng: Random) -> None:
    """Damage to the first bytes of a binary file, where its counts are."""
    path = _some_file(folder, rng, ".bin", ".npz", ".safetensors", ".spm", ".model", ".onnx")
    if path is not None:
        data = bytearray(path.read_bytes())
        for _ in range(rng.choice((1, 1, 3))):
            at = rng.randrange(min(len(data), 4_000) or 1)
            data[at : at + 8] = rng.choice(
                (
                    struct.pack("<Q", rng.choice((0, 1, 2**31, 2**63, 2**64 - 1, 10**9))),
                    os.urandom(0),
                    rng.randbytes(8),
                )
            )
        path.write_bytes(bytes(data))


def other_length(folder: Path, _: Path, rng: Random) -> None:
    path = _some_file(folder, rng)
    if path is not None:
        data = path.read_bytes()
        path.write_bytes(
            rng.choice(
                (
                    b"",
                    data[: rng.randrange(len(data) + 1)],
                    data + bytes(rng.choice((1, 100, 10_000))),
                    data * 2,
                )
            )
        )


def other_kind(folder: Path, _: Path, rng: Random) -> None:
    """Not a file, or not there."""
    path = _some_file(folder, rng)
    if path is None:
        return
    path.unlink()
    kind = rng.choice(
        ("missing", "folder", "fifo", "socket", "zero", "null", "random", "loop", "dangling", "elsewhere")
    )
    if kind == "folder":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        here = Path.cwd()
        os.chdir(folder)  # the names of sockets are short
        try:
            with socket.socket(socket.AF_UNIX) as listening:
                listening.bind(path.name[-90:])
        finally:
            os.chdir(here)
    elif kind != "missing":
        targets = {"zero": "/dev/zero", "null": "/dev/null", "random": "/dev/urandom", "loop": path.name, "dangling": "nowhere",
                   "elsewhere": __file__}  # fmt: skip
        path.symlink_to(targets[kind])


def another_file(folder: Path, seeds: Path, rng: Random) -> None:
    """The content of another file, of this model or of another one; or a second file of a kind."""
    path = _some_file(folder, rng)
    others = [other for seed in sorted(seeds.iterdir()) if seed.is_dir() for other in _files(seed)]
    if path is None:
        return
    alike = [other for other in others if other.suffix == path.suffix] or others
    content = rng.choice(alike if rng.random() < 0.8 else others).read_bytes()
    if rng.random() < 0.8:
        path.write_bytes(content)
    else:
        path.with_name(rng.choice(("model.yyxx.bin", "vocab.yyxx.spm", "x.npz", "pytorch_model.bin", "added_tokens.json",
                                   "special_tokens_map.json", "generation_config.json", "srcvocab.xxyy.spm", "README.md",
                                   "model.safetensors.index.json", "tokenizer.json", "vocab.json"))).write_bytes(content)  # fmt: skip


def index_of_parts(folder: Path, _: Path, rng: Random) -> None:
    path = folder / "model.safetensors"
    if path.is_file():
        name = rng.choice(
            ("part-1.safetensors", "../model.safetensors", "a\0b", "x" * 300, "part-1.bin", "", 7)
        )
        if isinstance(name, str) and "\0" not in name and 0 < len(name) < 200:
            path.rename(folder / name) if "/" not in name else path.unlink()
        (folder / "model.safetensors.index.json").write_text(
            json.dumps({"weight_map": {"a": name, "b": name}})
        )


def other_tensors(folder: Path, _: Path, rng: Random) -> None:
    """A tensor is missing, has another shape, type or name, or holds what is not a number."""
    path = _some_file(folder, rng, ".npz", ".safetensors", ".bin")
    if path is None:
        return
    try:
        read, write = _tensor_format(path)
        tensors, more = read(path)
    except Exception:
        return
    if not tensors:
        return
    for _ in range(rng.choice((1, 1, 2))):
        name = rng.choice(sorted(tensors))
        values = tensors[name]
        change = rng.choice(TENSOR_CHANGES)
        if change == "drop":
            del tensors[name]
        elif change == "rename":
            tensors[
                rng.choice(
                    (
                        name.upper(),
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
        member = sorted(tensors)[0] if tensors else "x"
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


def forge(folder: Path) -> None:
    """Makes the digests of a manifest fit the files, as an attacker would."""
    manifest = folder / "mtprobe.json"
    try:
        content = json.loads(manifest.read_bytes()) if manifest.is_file() else {}
        for name, file in content["files"].items():
            if (folder / name).is_file():
                data = (folder / name).read_bytes()
                file.update({"size": len(data), "sha256": hashlib.sha256(data).hexdigest()})
        manifest.write_text(json.dumps(content))
    except (ValueError, TypeError, KeyError, AttributeError, OSError, RecursionError):
        return


def write_yaml(path: Path, content: Any) -> None:
    path.write_text(yaml.safe_dump(content), encoding="utf-8")


Mutation = Callable[[Path, Path, Random], None]
MUTATIONS: tuple[Mutation, ...] = (
    other_tree, other_tree, other_value, other_value, other_value, other_value, raw_value, raw_value, bomb, other_bytes, other_bytes,
    other_header, other_length, other_kind, other_kind, another_file, index_of_parts, other_tensors, other_tensors, other_tensors,
)  # fmt: skip
