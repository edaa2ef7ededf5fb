"""Training examples in a file: for people to read, and for resuming an interrupted training."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from mtprobe.backends import MtprobeError
from mtprobe.verbs import write_text

from .example import Example, Part

EXAMPLES = "examples.jsonl"


@dataclass(frozen=True, slots=True)
class Material:
    """The training examples, and those that decide when to stop."""

    train: tuple[Example, ...]
    dev: tuple[Example, ...]

    @property
    def parts(self) -> Mapping[Part, Sequence[Example]]:
        return {"train": self.train, "dev": self.dev}


def write_material(folder: Path, material: Material) -> None:
    lines = (
        json.dumps({"part": part, **asdict(example)}, ensure_ascii=False)
        for part, examples in material.parts.items()
        for example in examples
    )
    write_text(folder / EXAMPLES, "".join(f"{line}\n" for line in lines))


def read_material(folder: Path) -> Material | None:
    """None if it was never written."""
    path = folder / EXAMPLES
    if not path.exists():
        return None
    parts: dict[str, list[Example]] = {"train": [], "dev": []}
    try:
        for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n"):
            record = json.loads(line)
            rejected = tuple(record.pop("rejected"))
            parts[record.pop("part")].append(Example(rejected=rejected, **record))
    except (ValueError, KeyError, TypeError):
        raise MtprobeError(f"{path}: is damaged; delete {folder} and start again") from None
    return Material(tuple(parts["train"]), tuple(parts["dev"]))
