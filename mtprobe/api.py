"""The Python API: `mtprobe.run(suites, model) -> Run`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from os import PathLike
from pathlib import Path
from typing import Any

from mtprobe.backends.model import Model
from mtprobe.backends.protocols import Opened
from mtprobe.backends.registry import ModelSpec
from mtprobe.errors import ModelError, MtprobeError
from mtprobe.language import tags
from mtprobe.methods.gender_morphology import check_alignment
from mtprobe.plan import Models, Plan, Planner, SuitePlan, open_models
from mtprobe.progress import Progress
from mtprobe.records import Run, write_run
from mtprobe.records.baseline import Baseline, read_baseline
from mtprobe.runner import run_plan
from mtprobe.settings import NO_BASELINE, EvaluatorSpec, SettingError, Settings, read_settings
from mtprobe.suite.find import suite_files

Evaluators = str | Opened | Sequence[str | Opened]
Paths = str | PathLike[str] | Iterable[str | PathLike[str]]


def run(
    suites: Paths,
    model: str | Opened,
    evaluator: Evaluators | Mapping[str, Evaluators] | None = None,
    *,
    back: str | Opened | None = None,
    baseline: str | PathLike[str] | Run | None = None,
    record: str | PathLike[str] | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Run:
    """Runs suites (files or folders) on a model, given as a spec or as your own object.

    A list of evaluators (specs or objects) scores together. `target` may name several languages, as a list or
    separated by commas; a multilingual model runs once for each, and `evaluator` may be a mapping from languages.
    `back` is the model for back-translation, for suites with round trips.
    `settings` correspond to the pytest options: `source`, `target`, `method`, `lemmatizer`, `alignment`, `take`, `repeat`,
    `judge_repeat`, `sequential`, `salience`, `unfit`, `unaudited`, `counterfactuals`, `overrides` (`{"SUITE:GATE": ">= 0.7"}`), `data_root`, `store`, `device`, `dtype`, `threads`,
    `executor`, `budget`, `timeout`. Nothing is written to disk unless `store` or `record` is set.

    Suites for other languages, methods that the model does not support, and suites with `missing: skip` whose data is absent
    are skipped. If nothing remains, that is an error. Regression gates are decided against `baseline`, an earlier run or
    its record; without a baseline, they are skipped.
    """
    if "lemmatiser" in settings:  # the old spelling
        settings["lemmatizer"] = settings.pop("lemmatiser")
    evaluators = list(_listed(evaluator))
    chosen = read_settings(
        models=[model] if isinstance(model, str) else None,
        evaluators=[
            EvaluatorSpec(ModelSpec.parse(judge), tag) if tag else judge
            for tag, judge in evaluators
            if isinstance(judge, str)
        ],
        back=back if isinstance(back, str) else None,
        **settings,
    )
    models = open_models(
        chosen,
        model=None if isinstance(model, str) else model,
        evaluators=[(tag, judge) for tag, judge in evaluators if not isinstance(judge, str)],
        back=None if isinstance(back, str) else back,
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


def _listed(
    evaluator: Evaluators | Mapping[str, Evaluators] | None,
) -> Iterator[tuple[str | None, str | Opened]]:
    """Evaluators, each with the target language that it is for; None: it is for all."""
    if isinstance(evaluator, Mapping):
        for tag, judges in evaluator.items():
            if not tags.is_language(tag):
                raise SettingError("evaluator", f'"{tag}" is not a language tag')
            yield from ((tags.standard(tag), judge) for _, judge in _listed(judges))
    elif isinstance(evaluator, Sequence) and not isinstance(evaluator, str):
        yield from ((None, judge) for judge in evaluator)
    elif evaluator is not None and evaluator != "":
        yield None, evaluator


def _files(suites: Paths) -> Iterable[Path]:
    named = [suites] if isinstance(suites, str | PathLike) else list(suites)
    return suite_files(map(Path, named))


def _baseline(given: str | PathLike[str] | Run | None) -> Baseline | None:
    if given is None or given == NO_BASELINE:
        return None
    return Baseline(given, only=True) if isinstance(given, Run) else read_baseline(Path(given), only=True)


def _check(plan: Plan, models: Models, settings: Settings) -> None:
    """A plan that cannot be carried out, or in which nothing runs for a target, is an error that says why."""
    for suite in plan.suites:
        if suite.mistake is not None:
            raise ModelError(suite.mistake)
    if obstacles := dict.fromkeys(suite.obstacle for suite in plan.suites if suite.obstacle):
        raise MtprobeError("\n".join(map(str, obstacles)))
    for model in models.tested:
        suites = [suite for suite in plan.suites if suite.model is model]
        if not any(suite.runs for suite in suites):
            raise _nothing_runs(model, suites, plan, settings)


def _nothing_runs(model: Model, suites: Sequence[SuitePlan], plan: Plan, settings: Settings) -> MtprobeError:
    if plan.missing:
        return plan.missing[-1]
    fitting = [
        suite
        for suite in suites
        if suite.suite.fits(model.languages.source, model.languages.target)
        and (not settings.method or set(settings.method) & set(suite.suite.methods))
    ]
    if fitting:
        return MtprobeError("\n".join(f"{suite.suite.path}: {suite.skip}" for suite in fitting))
    if suites and settings.method:
        return MtprobeError("\n".join(f"{suite.suite.path}: {suite.skip}" for suite in suites))
    return MtprobeError(f"no suite fits a model that translates {model.languages}")
