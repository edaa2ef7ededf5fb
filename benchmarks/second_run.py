"""How much faster a second run is when nothing changed, judged on scores. Goal: at least 50 times."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from mtprobe.backends.model import open_models
from mtprobe.backends.registry import ModelSpec
from mtprobe.gates import gates_for
from mtprobe.methods import methods_of
from mtprobe.runner import run_suite
from mtprobe.settings import Settings
from mtprobe.store import Store
from mtprobe.suites import load_suite

SUITE = Path(__file__).parent.parent / "suites" / "gender" / "occupations.mt.yaml"


def seconds(store: Path) -> float:
    (model,), _ = open_models(Settings(models=(ModelSpec.parse("demo"),)))
    suite = load_suite(SUITE)
    started = time.perf_counter()
    with Store(store) as kept:
        run_suite(suite, gates_for(suite, "pt"), methods_of(suite)[:1], model, store=kept)
    return time.perf_counter() - started


def main() -> list[str]:
    with tempfile.TemporaryDirectory() as name:
        store = Path(name) / "store.sqlite"
        first = seconds(store)
        seconds(store)  # the language identifier is loaded by now
        second = min(seconds(store) for _ in range(5))
    return [f"first run {first:.2f} s, second run {second:.3f} s: {first / second:.0f} times faster; goal 50"]


if __name__ == "__main__":
    print("\n\n".join(main()))
