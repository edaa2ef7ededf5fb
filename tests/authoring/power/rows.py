"""Verdicts made by hand, and a suite for them."""

from __future__ import annotations

from pathlib import Path

from mtprobe.authoring.power.simulate import Bench, Columns, Simulation
from mtprobe.gates import Gate, gates_for
from mtprobe.methods.verdict import Outcome, Result, Verdict
from mtprobe.suites import load_suite

HEAD = """\
mtprobe: 1
name: made-by-hand
about: What do gates catch?
languages: {source: en, targets: any}
method: preserve
preserve: numbers
categories: [left, right]
"""


def a_bench(folder: Path, **gates: str) -> tuple[Bench, tuple[Gate, ...]]:
    """A suite with these gates; `accuracy_left` stands for accuracy[left]."""
    lines = [f'  {key.replace("_left", "[left]")}: "{bound}"' for key, bound in gates.items()]
    samples = "".join(
        f"  - {{source: {n} cars, category: {side}}}\n" for n, side in ((1, "left"), (2, "right"))
    )
    path = folder / "made.mt.yaml"
    path.write_text(HEAD + "gates:\n" + "\n".join(lines) + "\nsamples:\n" + samples, encoding="utf-8")
    suite = load_suite(path)
    return Bench(suite), gates_for(suite, None)


def a_row(number: int, outcome: Outcome = Outcome.CORRECT, cluster: int | None = None) -> Result:
    return Result(
        id=str(number),
        source=f"{number} cars",
        focus=None,
        category=("left", "right")[number % 2],
        attributes={},
        cluster=f"c{number if cluster is None else cluster}",
        path="made.mt.yaml",
        line=1,
        translation=f"{number} carros",
        verdict=Verdict(outcome),
    )


def all_right(n: int, per_cluster: int = 1) -> Columns:
    """Every sample is right, and wrong once it is mutated."""
    clusters = [number // per_cluster for number in range(n)]
    return Columns(
        "digits",
        tuple(a_row(number, cluster=clusters[number]) for number in range(n)),
        tuple(a_row(number, Outcome.INCORRECT, clusters[number]) for number in range(n)),
    )


def a_simulation(bench: Bench, columns: Columns, seed: int = 0) -> Simulation:
    return Simulation(bench, columns, seed)
