"""The pipeline from Python: `mtprobe.run(suites, model) -> Run`."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing, nullcontext
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path

import mtprobe
from mtprobe.backends.costs import check_budget, costs_of
from mtprobe.backends.executor import open_executor
from mtprobe.backends.model import Model, open_models
from mtprobe.backends.protocols import Backend
from mtprobe.backends.registry import ModelSpec
from mtprobe.errors import MissingData, ModelError, MtprobeError
from mtprobe.gates import gates_for
from mtprobe.methods import check_evidence
from mtprobe.methods.alignment import check_alignment
from mtprobe.methods.method import MethodOptions
from mtprobe.notices import LOGGER
from mtprobe.plan import Judging, judging, sources_to_translate
from mtprobe.progress import Progress
from mtprobe.records import Run, RunFacts, SuiteRun, write_run
from mtprobe.records.baseline import Baseline, read_baseline, with_adjusted_p
from mtprobe.runner import run_suite
from mtprobe.settings import Settings
from mtprobe.store import Store
from mtprobe.suite.find import suite_files
from mtprobe.suite.sample import Suite
from mtprobe.suites import load_suite


def run(
    suites: str | PathLike[str] | Iterable[str | PathLike[str]],
    model: str | Backend,
    evaluator: str | Backend | None = None,
    *,
    source: str | None = None,
    target: str | None = None,
    method: str | None = None,
    lemmatiser: str = "auto",
    alignment: str | None = None,
    take: int | None = None,
    salience: int | None = None,
    data_root: str | PathLike[str] | None = None,
    store: str | PathLike[str] | None = None,
    record: str | PathLike[str] | None = None,
    device: str = "auto",
    dtype: str = "fp32",
    executor: str | None = None,
    budget: float | None = None,
    baseline: str | PathLike[str] | Run | None = None,
    progress: Progress | None = None,
) -> Run:
    """Runs suites (files, or folders of them) on a model: a spec, or an object of your own.

    Suites that do not fit the model's languages are left out, and so are those whose data is not here and
    that say `missing: skip`, and methods that the model does not allow; `method` picks one of a suite's
    methods. If none is left, that is an error. Nothing is kept on disk unless `store` or `record` say
    where. `executor`: where models run, as `--mt-executor` has it; an object of your own runs here.
    `salience`: of how many minimal pairs a suite to tell which source words count. `budget`: US dollars
    that services may cost; a run that would cost more is an error before it starts. Gates on regression are
    judged against `baseline`, an earlier run or its record; without one they are left out.
    """
    settings = Settings(
        models=(ModelSpec.parse(model),) if isinstance(model, str) else (),
        evaluator=ModelSpec.parse(evaluator) if isinstance(evaluator, str) else None,
        source=source,
        target=target,
        device=device,
        dtype=dtype,
    )
    opened, judge = open_models(settings)
    tested = opened[0] if isinstance(model, str) else Model(type(model).__name__, model)
    if evaluator is not None and not isinstance(evaluator, str):
        judge = Model(type(evaluator).__name__, evaluator)
    runs = open_executor(executor)
    tested, judge = runs.place(tested), runs.place(judge) if judge else None
    check_alignment(alignment, 1)
    if isinstance(baseline, Run):
        against: Baseline | None = Baseline(baseline, only=True)
    else:
        against = read_baseline(Path(baseline), only=True) if baseline is not None else None
    named = [suites] if isinstance(suites, str | PathLike) else list(suites)
    wanted: list[tuple[Suite, Judging]] = []
    missing: MissingData | None = None
    unjudged: list[str] = []
    for path in suite_files(map(Path, named)):
        try:
            suite = load_suite(path, Path(data_root) if data_root is not None else None)
        except MissingData as error:
            missing = error
            continue
        check_evidence(suite)
        if not suite.fits(tested.languages.source, tested.languages.target):
            continue
        found = judging(suite, tested, judge, method, MethodOptions(lemmatiser, alignment))
        if found.mistake is not None:
            raise ModelError(found.mistake)
        if not found.methods:
            unjudged.append(f"{suite.path}: {'; '.join(found.left_out.values())}")
        else:
            wanted.append((suite.take(take) if take else suite, found))
    done: list[SuiteRun] = []
    with closing(runs), Store(Path(store)) if store is not None else nullcontext() as kept:
        _check_costs(tested, judge, wanted, kept, budget)
        for suite, found in wanted:
            done += run_suite(
                suite,
                gates_for(suite, tested.languages.target),
                found.methods,
                tested,
                judge,
                notes=found.notes,
                partial=bool(take),
                salience=salience,
                store=kept,
                progress=progress,
                baseline=against,
            )
    if not done and missing is not None:
        raise missing
    if not done and unjudged:
        raise MtprobeError("\n".join(unjudged))
    if not done:
        raise MtprobeError(f"no suite fits a model that translates {tested.languages}")
    created = datetime.now(UTC).isoformat(timespec="seconds")
    finished = Run(RunFacts(mtprobe.__version__, created), with_adjusted_p(done))
    if record is not None:
        write_run(Path(record), finished)
    return finished


def _check_costs(
    model: Model,
    evaluator: Model | None,
    suites: Iterable[tuple[Suite, Judging]],
    store: Store | None,
    budget: float | None,
) -> None:
    def sources(suite: Suite, found: Judging) -> list[str]:
        gates = gates_for(suite, model.languages.target)
        return sources_to_translate(suite, gates, found.methods, model, evaluator)

    costs = costs_of(((model, sources(suite, found)) for suite, found in suites), store)
    check_budget(costs, budget)
    for cost in costs:
        LOGGER.warning("%s", cost)
