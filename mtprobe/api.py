"""mtprobe from Python: `mtprobe.run(suites, model) -> Run`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from os import PathLike
from pathlib import Path
from typing import Any

from mtprobe.backends.protocols import Opened
from mtprobe.errors import ModelError, MtprobeError
from mtprobe.methods.gender_morphology import check_alignment
from mtprobe.plan import Models, Plan, Planner, open_models
from mtprobe.progress import Progress
from mtprobe.records import Run, write_run
from mtprobe.records.baseline import Baseline, read_baseline
from mtprobe.runner import run_plan
from mtprobe.settings import NO_BASELINE, Settings, read_settings
from mtprobe.suite.find import suite_files

Paths = str | PathLike[str] | Iterable[str | PathLike[str]]


def run(
    suites: Paths,
    model: str | Opened,
    evaluator: str | Opened | Sequence[str | Opened] | None = None,
    *,
    baseline: str | PathLike[str] | Run | None = None,
    record: str | PathLike[str] | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Run:
    """Runs suites (files, or folders of them) on a model: a spec, or an object of your own.

    Several evaluators score together: a list of specs or objects.
    `settings` are those of the pytest options: `source`, `target`, `method`, `lemmatizer`, `alignment`, `take`,
    `salience`, `unfit`, `unaudited`, `counterfactuals`, `overrides` (`{"SUITE:GATE": ">= 0.7"}`), `data_root`, `store`, `device`, `dtype`, `threads`,
    `executor`, `budget`, `timeout`. Nothing is kept on disk unless `store` or `record` say where.

    Suites that do not fit the model's languages are skipped, and so are methods that the model does not allow,
    and suites with `missing: skip` whose data is not here. If nothing is left, that is an error. Regression
    gates are decided against `baseline`, an earlier run or its record; without one they are skipped.
    """
    if "lemmatiser" in settings:  # the old spelling
        settings["lemmatizer"] = settings.pop("lemmatiser")
    evaluators = _listed(evaluator)
    chosen = read_settings(
        models=[model] if isinstance(model, str) else None,
        evaluators=[judge for judge in evaluators if isinstance(judge, str)],
        **settings,
    )
    models = open_models(
        chosen,
        model=None if isinstance(model, str) else model,
        evaluators=[judge for judge in evaluators if not isinstance(judge, str)],
    )
    with closing(models.executor):
        check_alignment(chosen.alignment, len(models.tested))
        against = _baseline(baseline)
        plan = Planner(chosen, models, has_baseline=against is not None).plan(_files(suites))
        _check(plan, models, chosen)
        finished = run_plan(plan, against, progress)
    if record is not None:
        write_run(Path(record), finished)
    return finished


def _listed(evaluator: str | Opened | Sequence[str | Opened] | None) -> list[str | Opened]:
    if isinstance(evaluator, str) or not isinstance(evaluator, Sequence):
        return [evaluator] if evaluator else []
    return list(evaluator)


def _files(suites: Paths) -> Iterable[Path]:
    named = [suites] if isinstance(suites, str | PathLike) else list(suites)
    return suite_files(map(Path, named))


def _baseline(given: str | PathLike[str] | Run | None) -> Baseline | None:
    if given is None or given == NO_BASELINE:
        return None
    return Baseline(given, only=True) if isinstance(given, Run) else read_baseline(Path(given), only=True)


def _check(plan: Plan, models: Models, settings: Settings) -> None:
    """A plan that cannot be carried out, or in which nothing runs, is an error that says why."""
    for suite in plan.suites:
        if suite.mistake is not None:
            raise ModelError(suite.mistake)
    if plan.running:
        return
    if plan.missing:
        raise plan.missing[-1]
    model = models.tested[0]
    fitting = [
        suite
        for suite in plan.suites
        if suite.suite.fits(model.languages.source, model.languages.target)
        and (settings.method is None or settings.method in suite.suite.methods)
    ]
    if fitting:
        raise MtprobeError("\n".join(f"{suite.suite.path}: {suite.skip}" for suite in fitting))
    if plan.suites and settings.method is not None:
        raise MtprobeError("\n".join(f"{suite.suite.path}: {suite.skip}" for suite in plan.suites))
    raise MtprobeError(f"no suite fits a model that translates {model.languages}")
