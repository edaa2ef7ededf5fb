"""The demo model on a Ray cluster of this machine: two workers of one thread each against one.

Goal: at least 1.7 times as fast, with the same results. In turns; every worker has the model loaded before it counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from mtprobe.backends.model import Model
from mtprobe.backends.registry import ModelSpec
from mtprobe.backends.scorer import ScorePair
from mtprobe.plan import open_models
from mtprobe.settings import Settings
from mtprobe.suites import load_suite

from . import OCCUPATIONS
from .race import OURS, race

ROUNDS = 7
SENTENCES = 1024
CORES = 3  # that Ray is told of, so that all workers are there at once; one contestant works at a time


def main() -> list[str]:
    try:
        import ray
        from mtprobe_ray import open_ray
        from mtprobe_ray.surroundings import quiet_nodes
    except ImportError:
        return ["skipped: mtprobe-ray is not installed (pip install ./plugins/mtprobe-ray)"]
    with quiet_nodes():
        ray.init(
            address="local",
            num_cpus=CORES,
            include_dashboard=False,
            log_to_driver=False,
            logging_level="CRITICAL",
        )
    executors = [open_ray("?workers=2"), open_ray("?workers=1")]
    try:
        return measured(*(executor.place(demo()) for executor in executors))
    finally:
        for executor in executors:
            executor.close()
        ray.shutdown()


def demo() -> Model:
    (model,) = open_models(Settings(models=(ModelSpec.parse("demo"),), threads=1)).tested
    return model


def measured(two: Model, one: Model) -> list[str]:
    sources = [sample.source for sample in load_suite(OCCUPATIONS).take(SENTENCES).samples]
    here: Any = demo().backend
    translations = here.translate(sources)
    pairs = [ScorePair(source, text) for source, text in zip(sources, translations, strict=True)]
    tables = [
        race(
            f"{work}, the demo model ({OURS}: two workers)",
            {
                OURS: partial(run, two, work, things),
                "one worker": partial(run, one, work, things),
                "no cluster, one thread": partial(getattr(here, work), things),
            },
            len(things),
            ROUNDS,
        ).markdown()
        for work, things in (("translate", sources), ("score", pairs))
    ]
    same = run(two, "translate", sources) == translations
    scores = zip(run(two, "score", pairs), here.score(pairs), strict=True)
    largest = max(abs(a - b) for there, local in scores for a, b in zip(there, local, strict=True))
    return [
        *tables,
        f"translations are {'the same' if same else 'NOT the same'}; scores differ by at most {largest:.1g}",
    ]


def run(model: Model, work: str, things: Sequence[Any]) -> list[Any]:
    made: list[Any] = getattr(model.runner, work)(things)
    return made


if __name__ == "__main__":
    print("\n\n".join(main()))
