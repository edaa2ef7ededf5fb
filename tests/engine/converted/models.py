"""Small Firefox Translations models in folders, and sentences in their alphabet."""

from __future__ import annotations

from pathlib import Path

from mtprobe.backends.scorer import ScorePair
from tests.engine.tiny import Shape, random_tensors, train_vocabulary, write_bin

SOURCES = ["bak dem", "fig", "gol nut pas rev", "zaz bab"]
PAIRS = [
    ScorePair(source, target) for source, target in zip(SOURCES, ["nip", "sov tuk", "", "bab"], strict=True)
]


def put_firefox(folder: Path, seed: int = 0, shape: Shape = Shape(vocabulary=90)) -> Path:  # noqa: B008
    folder.mkdir(parents=True, exist_ok=True)
    write_bin(folder / "model.xxyy.bin", random_tensors(shape, seed), shape.config())
    train_vocabulary(folder / "vocab.xxyy.spm", shape.vocabulary)
    return folder
