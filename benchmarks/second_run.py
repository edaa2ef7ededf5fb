"""How much faster a second run is when nothing changed, for every shipped suite that fits the demo models.

Each run is a process of its own. Measured is the run itself, without loading the suite: seconds, and seconds of processor
time. Goal: at least 50 times, with no model, aligner, lemmatizer or language identifier loaded.
`python -m benchmarks.second_run gender/occupations` measures one suite.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
HEAVY = ("onnxruntime", "simplemma", "py3langid", "mtprobe.language.alignment.ibm1", "scipy")
WARM_RUNS = 3


def suites() -> list[tuple[Path, str]]:
    """With the model that each runs on."""
    paths = sorted((ROOT / "suites").rglob("*.mt.yaml"))
    others = {"en-de", "en-fr", "public"}
    return [
        (path, "demo:pt-en" if "pt-en" in path.parts else "demo")
        for path in paths
        if others.isdisjoint(path.parts)
    ]


def measure(path: str, model: str, store: str) -> dict[str, object]:
    """In this process."""
    from mtprobe.backends.costs import Purse
    from mtprobe.plan import Planner, open_models
    from mtprobe.plan.tracker import Tracker
    from mtprobe.runner import RunContext, run_suite
    from mtprobe.settings import read_settings
    from mtprobe.store import Store
    from mtprobe.suites import load_suite

    settings = read_settings(models=model)
    models = open_models(settings)
    plan = Planner(settings, models, has_baseline=False).plan_suite(load_suite(Path(path)), models.tested[0])
    began, worked = time.perf_counter(), time.process_time()
    with Store(Path(store)) as kept:
        runs = run_suite(plan, RunContext.of(settings, kept, None, Purse()), Tracker())
    seconds, processor = time.perf_counter() - began, time.process_time() - worked
    loaded = [name for name in HEAVY if name in sys.modules]
    verdicts = repr([(run.results, run.gates, run.notes, run.noise, run.audit, run.in_place) for run in runs])
    return {"seconds": seconds, "processor": processor, "loaded": loaded, "verdicts": verdicts}


def in_a_process(path: Path, model: str, store: Path) -> dict[str, object]:
    arguments = [sys.executable, "-m", "benchmarks.second_run", "measure", str(path), model, str(store)]
    done = subprocess.run(arguments, cwd=ROOT, check=True, capture_output=True, text=True)
    answer: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return answer


def row(path: Path, model: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.sqlite"
        cold = in_a_process(path, model, store)
        runs = [in_a_process(path, model, store) for _ in range(WARM_RUNS)]
    warm = min(runs, key=lambda run: float(str(run["seconds"])))
    numbers = [float(str(run[key])) for key in ("seconds", "processor") for run in (cold, warm)]
    same = "yes" if all(run["verdicts"] == cold["verdicts"] for run in runs) else "NO"
    first, second, first_cpu, second_cpu = numbers
    return (
        f"| {name_of(path)} | {first:.2f} | {second:.3f} | {first / second:.0f} | "
        f"{first_cpu:.2f} | {second_cpu:.3f} | {first_cpu / second_cpu:.0f} | {same} | {', '.join(warm['loaded']) or '–'} |"  # type: ignore[arg-type]
    )


def main(names: Sequence[str] = ()) -> list[str]:
    found = suites()
    if names:
        found = [(path, model) for path, model in found if name_of(path) in names]
    head = "| suite | first, s | second, s | × | processor: first | second | × | same verdicts | loaded |"
    return ["\n".join([head, "|---" * 9 + "|", *(row(path, model) for path, model in found)])]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT / "suites").as_posix().removesuffix(".mt.yaml")


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        print(json.dumps(measure(*sys.argv[2:])))
    else:
        print("\n\n".join(main(sys.argv[1:])))
