"""Damage to a folder of files: to what a file says, to its bytes, to its tensors, to its kind."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import yaml

from tests.fuzz import byte_damage, tree_damage
from tests.fuzz.hostile_values import MERGE_BOMB, RAW_NUMBERS, SIZES, WORDS
from tests.fuzz.tensor_damage import FORMATS, damage_tensors


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


def _tree_in(path: Path) -> tuple[Any, Callable[[Any], bytes]]:
    """What a JSON or YAML file says, and how to write it; None if it was damaged more than these readers can bear."""
    read, write = tree_damage.reader_of(path.name)  # type: ignore[misc]
    try:
        return None if b"<<" in (content := path.read_bytes())[-2_000:] else read(content), write
    except (ValueError, RecursionError, yaml.YAMLError):
        return None, write


def other_tree(folder: Path, _: Path, rng: Random) -> None:
    """Damage to what a JSON or YAML file says."""
    path = _some_file(folder, rng, ".json", ".yml")
    if path is None:
        return
    tree, write = _tree_in(path)
    if tree is None:
        return
    if sum(1 for _ in tree_damage._paths(tree)) < 5_000:
        path.write_bytes(write(tree_damage.damaged(tree, rng)))


def other_value(folder: Path, _: Path, rng: Random) -> None:
    """A field of a configuration gets another size or word."""
    path = _some_file(folder, rng, ".json", ".yml")
    if path is None:
        return
    tree, write = _tree_in(path)
    if tree is None:
        return
    places = [place for place in tree_damage._paths(tree) if place]
    if not places:
        return
    shallow = [place for place in places if len(place) == 1 or rng.random() < 0.1]
    for place in rng.sample(shallow or places, 1):
        tree_damage._set(tree, place, rng.choice(SIZES if rng.random() < 0.7 else WORDS))
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
    path = _some_file(folder, rng, *FORMATS)
    if path is not None:
        damage_tensors(path, rng)


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
