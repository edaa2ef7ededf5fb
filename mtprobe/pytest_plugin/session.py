"""The state of a pytest session: its settings, models and store, and the suites that it has run."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import pytest

from mtprobe.backends.costs import Purse
from mtprobe.backends.protocols import Priced
from mtprobe.errors import MtprobeError, words_of
from mtprobe.gates import Gate
from mtprobe.methods.gender_morphology import check_alignment
from mtprobe.plan import Models, Plan, Planner, SuitePlan
from mtprobe.plan.repeats import unneeded_repeats
from mtprobe.plan.tracker import Tracker
from mtprobe.progress import LOGGER, Progress, notices_to
from mtprobe.pytest_plugin.collected import Collected, Ids, SuiteOnModel
from mtprobe.pytest_plugin.interrupts import Interrupts, Work
from mtprobe.pytest_plugin.models import OpenedModels
from mtprobe.pytest_plugin.options import option, usage_error
from mtprobe.pytest_plugin.parts import Parts
from mtprobe.pytest_plugin.settings import settings_of, shown_path
from mtprobe.records import FailedSuite, Recorder, Run, RunFacts, SuiteRun
from mtprobe.records.baseline import HOW_TO, Baseline, read_baseline, with_adjusted_p
from mtprobe.records.counterpart import with_duplicates_noted
from mtprobe.report.github import in_actions
from mtprobe.report.progress import NotesOnly, progress_for
from mtprobe.runner import RunContext, new_facts, run_suite
from mtprobe.settings import NO_BASELINE
from mtprobe.store import Store, keep_out_of_git

KEY = pytest.StashKey["ProbeSession"]()


def start(config: pytest.Config) -> ProbeSession:
    """The session; created with the first suite, so that runs without one pay nothing."""
    session = config.stash.get(KEY, None)
    if session is None:
        from mtprobe.pytest_plugin.brief import Brief
        from mtprobe.pytest_plugin.runtime import Runtime

        session = config.stash[KEY] = ProbeSession(config)
        config.pluginmanager.register(Runtime(session), "mtprobe-runtime")
        config.pluginmanager.register(Brief(config), "mtprobe-brief")
        if in_actions() and not session.is_worker:
            from mtprobe.pytest_plugin.annotations import Annotations

            config.pluginmanager.register(Annotations(config), "mtprobe-annotations")
    return session


class ProbeSession:
    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.is_worker = hasattr(config, "workerinput")
        self.settings = settings_of(config)
        self.opened = OpenedModels(self.settings)
        self.finished: dict[SuiteOnModel, tuple[SuiteRun, ...] | BaseException] = {}  # one result per method
        self.failed: list[FailedSuite] = []
        self.compared: set[SuiteOnModel] = set()  # suites with regression gates
        self.kept_some = False  # a suite that failed had translations before
        self.judged = 0  # gates with a decision
        self.hunts = 0  # items that may ask for more than their suites have
        self._estimated = 0.0  # US dollars that the suites will cost
        self.selected: dict[
            SuiteOnModel, frozenset[str]
        ] = {}  # the gates that a sequential run has to decide
        self.purse = Purse()  # what the budget leaves for sequential suites
        self.collected = Collected()
        self.mistake: MtprobeError | None = None  # a setting that the suites show to be wrong
        self.refused: MtprobeError | None = None  # why nothing may run, on a worker
        self.unkept: list[str] = []  # what a worker could not hand over
        self.interrupts = Interrupts()
        self.work = Work()  # models and store are used there and nowhere else

    # -- models --

    @property
    def models(self) -> Models:
        return self.opened.models

    @cached_property
    def planner(self) -> Planner:
        """A missing baseline is a usage error later on, so regression gates are planned unless it is `none`."""
        return Planner(self.settings, self.models, has_baseline=self.settings.baseline != NO_BASELINE)

    def check_models(self) -> None:
        """Models that cannot be opened are a usage error, raised before anything runs."""
        self.opened.check(several_processes=self.is_worker or self.config.getoption("dist", "no") != "no")
        try:
            check_alignment(self.settings.alignment, len(self.models.tested))
        except MtprobeError as error:
            raise pytest.UsageError(f"--mt-{error}") from None

    # -- the baseline --

    @cached_property
    def baseline(self) -> Baseline | None:
        """Read when the first gate needs it."""
        given = self.settings.baseline
        if given is None or given == NO_BASELINE:
            return None
        return read_baseline(Path(given), only=len(self.models.names) == 1)

    def check_baseline(self, gates: Sequence[tuple[Gate, SuiteOnModel]]) -> None:
        """A baseline that is missing or cannot be read is a usage error, raised before anything runs."""
        gated = [gate for gate, _ in gates if gate.metric.needs_baseline]
        self.compared = {key for gate, key in gates if gate.metric.needs_baseline}
        if self.settings.baseline == NO_BASELINE:
            return
        try:
            if self.baseline is None and gated:
                raise MtprobeError(
                    f"{gated[0].place}: {gated[0].key} needs a baseline: name one with --mt-baseline=RECORD; "
                    f"{HOW_TO} (--mt-baseline=none runs without one and skips regression gates)"
                )
        except MtprobeError as error:
            raise pytest.UsageError(f"--mt-baseline: {error}") from None

    @property
    def comparison_command(self) -> str:
        """The command that shows every flip since the baseline."""
        given = self.settings.baseline
        if given is None or given == NO_BASELINE:
            return ""
        return shlex.join(["mtprobe", "compare", str(given), str(self.record_path), "--all"])

    # -- running --

    def check_costs(self, suites: Sequence[SuitePlan]) -> None:
        """Reports what the run will cost, and refuses one over budget. May ask a service for its version."""
        priced = any(plan.model and isinstance(plan.model.backend, Priced) for plan in suites)
        if not priced and self.settings.budget is None:
            return
        from mtprobe.backends.costs import hold_budget

        plan = Plan(self.settings, self.models, tuple(suites))
        progress = self.progress()
        try:
            with notices_to(progress.note):
                costs = self.work.do(lambda: plan.costs(self.store))
            workers = getattr(self.config, "workerinput", {}).get("workercount", 1)
            self.purse = self.work.do(lambda: plan.purse(self.store, workers))
            hold_budget(self.models.opened, costs, self.settings.budget, workers)
        except MtprobeError as error:
            if not self.is_worker:
                raise usage_error(error) from None
            self.refused = error
            return
        self._estimated = sum(cost.estimate.dollars or 0.0 for cost in costs)
        if self._speaks:
            for cost in costs:
                progress.note(f"{cost}{plan.at_most}")

    def note_repeats(self, suites: Sequence[SuitePlan]) -> None:
        """Reports repeats that change nothing, before the user waits for them."""
        if self._speaks:
            for note in dict.fromkeys(unneeded_repeats(suites, self.settings)):
                self.progress().note(note)

    @property
    def _speaks(self) -> bool:
        """Whether this process reports messages that all processes know."""
        return not self.is_worker or os.environ.get("PYTEST_XDIST_WORKER") == "gw0"

    @property
    def dollars_per_hunt(self) -> float | None:
        """The rest of the budget per hunt; None: no limit."""
        budget = self.settings.budget
        return None if budget is None else max(0.0, budget - self._estimated) / max(1, self.hunts)

    @cached_property
    def store(self) -> Store | None:
        if self.settings.store is None:
            return None
        keep_out_of_git(self.settings.store.parent)
        store = Store(self.settings.store, tell=self._warn_once)
        self.config.add_cleanup(store.close)
        return store

    def _warn_once(self, text: str) -> None:
        """Workers share a disk: when it is full, one of them reports it."""
        if not self.is_worker or self.parts.first_to_say(text):
            LOGGER.warning(text)

    def run(self, plan: SuitePlan, progress: Progress) -> None:
        """Runs a suite on a model, once; what fails is kept for the items that ask for it."""
        key = SuiteOnModel.of(plan)
        if key in self.finished:
            return
        plan = replace(plan, selected=self.selected.get(key))
        tracker = Tracker(progress)
        self._begin(key)

        def work() -> tuple[SuiteRun, ...]:
            context = RunContext.of(self.settings, self.store, self.baseline, self.purse)
            runs = run_suite(plan, context, tracker)
            # With more regression gates to come, their p-values are adjusted together at the end.
            return with_adjusted_p(runs) if self.compared == {key} else runs

        try:
            if self.refused is not None:
                raise self.refused
            with notices_to(progress.note):
                runs = self.work.do(work, tracker.stop)
        except (KeyboardInterrupt, pytest.exit.Exception):
            self._keep_interrupted(key, tracker)
            raise
        except BaseException as error:  # raised again in the setup of each of its gates
            self.finished[key] = _of_a_suite(error)
            reason = words_of(error).partition("\n")[0]
            self.failed.append(key.failed(reason))
            self.kept_some = self.kept_some or tracker.translated > 0
            self._keep(key, self.failed[-1:])
            return
        finally:
            progress.done()
        with self.interrupts.held():
            self.finished[key] = runs
            self._keep(key, runs)
            for suite_run in runs:
                self.config.hook.pytest_mtprobe_suite_finished(config=self.config, suite_run=suite_run)

    def _begin(self, key: SuiteOnModel) -> None:
        """A worker that is killed leaves a note of what it was running."""
        if self.is_worker:
            self._keep(key, [key.failed("the process that ran it died before it was done")])

    def _keep_interrupted(self, key: SuiteOnModel, tracker: Tracker) -> None:
        runs = tuple(tracker.finished)
        stopped = key.failed(tracker.reason(), tracker.interruption())
        with self.interrupts.held():
            self.finished[key] = runs
            self.failed.append(stopped)
            self._keep(key, [*runs, stopped])

    def _keep(self, key: SuiteOnModel, outcomes: Sequence[SuiteRun | FailedSuite]) -> None:
        """Writes to the record, or to a worker's part of it, as soon as there is something."""
        if not self.is_worker:
            for outcome in outcomes:
                self.recorder.add(outcome)
            return
        try:
            self.parts.keep(key, outcomes)
        except OSError as error:
            problem = f"{key.path} on {key.title} is missing from the record: {error.strerror}"
            if problem not in self.unkept:
                self.unkept.append(problem)

    def progress(self) -> Progress:
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if self.is_worker or reporter is None or self.config.getoption("quiet", 0) > 0:
            return NotesOnly()
        return progress_for(reporter)

    # -- finishing --

    @cached_property
    def parts(self) -> Parts:
        """The folder in which xdist's workers save finished suites for the controller."""
        given = getattr(self.config, "workerinput", {}).get("mtprobe_parts")
        try:
            return Parts(Path(given or tempfile.mkdtemp(prefix="mtprobe-")))
        except OSError:  # no room: a folder that does not exist, and workers report what they cannot write
            return Parts(self.record_path.absolute().with_name(f".parts-{os.getpid()}"))

    def finish(self, ids: Ids) -> Run:
        """Everything that was run, by this process and by workers, in the order of paths and models."""
        suites = [run for runs in self.finished.values() if isinstance(runs, tuple) for run in runs]
        from_workers, failed = self.parts.read()
        suites += from_workers
        self.failed += failed
        shutil.rmtree(self.parts.folder, ignore_errors=True)
        models = [model.name for model in self.settings.models]
        targets = {target: place for place, target in enumerate(self.settings.targets)}
        suites.sort(key=lambda run: (run.path, models.index(run.model.name), targets.get(run.target, 0)))
        self.failed.sort(key=lambda suite: (suite.path, suite.model, targets.get(suite.target, 0)))
        unjudged = tuple(self.collected.unjudged(ids, suites, self.failed))
        whole = not (unjudged or self.collected.unfinished(ids))
        noted = with_adjusted_p(with_duplicates_noted(self.collected.with_exclusions(ids, suites)))
        failed_samples = len(self.collected.failed_samples)
        return Run(self.facts, noted, tuple(self.failed), whole, unjudged, ids.unselected, failed_samples)

    @cached_property
    def facts(self) -> RunFacts:
        return new_facts()

    @cached_property
    def recorder(self) -> Recorder:
        with suppress(OSError):  # reported when the record cannot be written
            keep_out_of_git(self.record_path.parent)
        return Recorder(self.record_path, self.facts)

    @property
    def record_path(self) -> Path:
        given = option(self.config, "record")
        return Path(given) if given else shown_path(self.config.rootpath / ".mtprobe" / "last-run.jsonl")

    def output_path(self, name: str) -> Path | None:
        """The path for `--mt-report`, `--mt-markdown` or `--mt-history`, if requested."""
        given = option(self.config, name)
        return Path(given) if given else None


def _of_a_suite(error: BaseException) -> BaseException:
    """The error as its gates raise it: what would end pytest, or skip a gate, ends a suite only."""
    if isinstance(error, Exception):
        return error
    own = isinstance(error, pytest.fail.Exception)  # of pytest-timeout, say: its text is enough
    return MtprobeError(str(error) if own else f"{type(error).__name__}: {words_of(error)}")
