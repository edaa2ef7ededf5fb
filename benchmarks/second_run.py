"""How much faster a second run is when nothing changed, judged on scores. Goal: at least 50 times."""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path

from mtprobe.plan import Planner, open_models
from mtprobe.plan.tracker import Tracker
from mtprobe.runner import RunContext, run_suite
from mtprobe.settings import read_settings
from mtprobe.store import Store
from mtprobe.suites import load_suite

SUITE = Path(__file__).parent.parent / "suites" / "gender" / "occupations.mt.yaml"


def seconds(store: Path) -> float:
    settings = read_settings(models="demo")
    models = open_models(settings)
    plan = Planner(settings, models, has_baseline=False).plan_suite(load_suite(SUITE), models.tested[0])
    plan = replace(plan, methods=plan.methods[:1])
    started = time.perf_counter()
    with Store(store) as kept:
        run_suite(plan, RunContext(kept), Tracker())
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
