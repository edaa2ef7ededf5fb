"""What a run is asked to do, the same from the command line of pytest and from Python."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mtprobe.backends.registry import ModelSpec

DEFAULT_STORE = Path(".mtprobe") / "store.sqlite"


@dataclass(frozen=True, slots=True)
class Settings:
    models: tuple[ModelSpec, ...] = ()
    evaluator: ModelSpec | None = None  # None: a model that can score judges itself
    source: str | None = None
    target: str | None = None
    method: str | None = None  # instead of the suite's own
    lemmatiser: str = "auto"
    take: int | None = None
    alignment: str | None = None  # who aligns words; None: the light aligner of our own
    salience: int | None = None  # of how many minimal pairs a suite; None: of none
    overrides: tuple[tuple[str, str, str], ...] = ()  # suite, gate, bound
    data_root: Path | None = None
    store: Path | None = None  # None: nothing is kept
    device: str = "auto"
    dtype: str = "fp32"
    threads: int | None = None
    executor: str | None = None  # where models run; None: here
    budget: float | None = None  # US dollars that services may cost; None: no limit
