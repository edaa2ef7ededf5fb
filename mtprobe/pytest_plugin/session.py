"""What one pytest session knows: its settings, its models, its store, and the suites it has run."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

import pytest

import mtprobe
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import Priced
from mtprobe.errors import MtprobeError
from mtprobe.gates import Gate
from mtprobe.methods import METHODS, Method
from mtprobe.methods.alignment import check_alignment
from mtprobe.methods.method import MethodOptions
from mtprobe.notices import LOGGER, notices_to
from mtprobe.progress import Progress
from mtprobe.pytest_plugin.interrupts import Interrupts
from mtprobe.pytest_plugin.models import OpenedModels
from mtprobe.pytest_plugin.options import option
from mtprobe.pytest_plugin.parts import Parts
from mtprobe.pytest_plugin.settings import settings_of, shown_path
from mtprobe.pytest_plugin.work import Work
from mtprobe.records import FailedSuite, Recorder, Run, RunFacts, SuiteRun
from mtprobe.records.baseline import HOW_TO, Baseline, read_baseline, with_adjusted_p
from mtprobe.report.github import in_actions
from mtprobe.report.progress import NotesOnly, progress_for
from mtprobe.runner import run_suite
from mtprobe.store import Store, keep_out_of_git
from mtprobe.suite.sample import Suite
from mtprobe.underway import Underway

KEY = pytest.StashKey["ProbeSession"]()


def start(config: pytest.Config) -> ProbeSession:
    """The session; made with the first suite, so that runs without one pay nothing."""
    session = config.stash.get(KEY, None)
    if session is None:
        from mtprobe.pytest_plugin.runtime import Runtime

        session = config.stash[KEY] = ProbeSession(config)
        config.pluginmanager.register(Runtime(session), "mtprobe-runtime")
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
        self.suites: dict[str, Suite] = {}  # by path, as collected
        self.overridden: set[tuple[str, str]] = set()  # suite and gate that --mt-set changed
        # By path and model, one for each method.
        self.finished: dict[tuple[str, str], tuple[SuiteRun, ...] | BaseException] = {}
        self.failed: list[FailedSuite] = []
        self.compared: set[tuple[str, str]] = set()  # path and model of those that are gated on regression
        self.judged = 0  # gates that came out with a decision
        self.refused: MtprobeError | None = None  # why nothing may be run, on a worker
        self.unkept: list[str] = []  # what a worker could not hand over
        self.interrupts = Interrupts()
        self.work = Work()  # models and store are used there and nowhere else

    # -- models --

    @property
    def models(self) -> tuple[Model, ...]:
        return self.opened.models

    @property
    def evaluator(self) -> Model | None:
        return self.opened.evaluator

    def check_models(self) -> None:
        """What cannot be had is the user's mistake, told before anything runs."""
        self.opened.check(several_processes=self.is_worker or self.config.getoption("dist", "no") != "no")
        if self.settings.method is not None and self.settings.method not in METHODS:
            raise pytest.UsageError(
                f'--mt-method: unknown method "{self.settings.method}"; there is {", ".join(METHODS)}'
            )
        try:
            check_alignment(self.settings.alignment, len(self.settings.models))
        except MtprobeError as error:
            raise pytest.UsageError(f"--mt-{error}") from None

    @property
    def method_options(self) -> MethodOptions:
        return MethodOptions(self.settings.lemmatiser, self.settings.alignment)

    # -- the baseline --

    @property
    def no_baseline(self) -> bool:
        """Whether the user does without one, as the first run has to."""
        return bool(option(self.config, "baseline") == "none")

    @cached_property
    def baseline(self) -> Baseline | None:
        """Read when the first gate needs it."""
        given = option(self.config, "baseline")
        if not given or self.no_baseline:
            return None
        return read_baseline(Path(given), only=len(self.models) == 1)

    def check_baseline(self, gates: Sequence[tuple[Gate, str, str]]) -> None:
        """A baseline that cannot be had is the user's mistake, told before anything runs.

        Each gate comes with its suite's path and its model.
        """
        asking = [gate for gate, _, _ in gates if gate.metric.needs_baseline]
        self.compared = {(path, model) for gate, path, model in gates if gate.metric.needs_baseline}
        if self.no_baseline:
            return
        try:
            if self.baseline is None and asking:
                raise MtprobeError(
                    f"{asking[0].place}: {asking[0].key} needs a baseline: name one with --mt-baseline=RECORD; "
                    f"{HOW_TO} (--mt-baseline=none does without)"
                )
        except MtprobeError as error:
            raise pytest.UsageError(f"--mt-baseline: {error}") from None

    # -- running --

    def check_costs(self, asked: Sequence[tuple[Model, Sequence[str]]]) -> None:
        """Says what the run will cost, and refuses one that costs too much. May ask a service for its version.

        Each model comes with the sources that it will translate.
        """
        if not any(isinstance(model.backend, Priced) for model, _ in asked):
            return
        from mtprobe.backends.costs import check_budget, costs_of

        progress = self.progress()
        try:
            with notices_to(progress.note):
                costs = self.work.do(lambda: costs_of(asked, self.store))
            check_budget(costs, self.settings.budget)
        except MtprobeError as error:
            if not self.is_worker:
                raise pytest.UsageError(str(error)) from None
            self.refused = error
            return
        if not self.is_worker or os.environ.get("PYTEST_XDIST_WORKER") == "gw0":
            for cost in costs:
                progress.note(f"{cost}")

    @cached_property
    def store(self) -> Store | None:
        if self.settings.store is None:
            return None
        keep_out_of_git(self.settings.store.parent)
        store = Store(self.settings.store, tell=self._tell_once)
        self.config.add_cleanup(store.close)
        return store

    def _tell_once(self, text: str) -> None:
        """Workers share a disk: when it is full, one of them says so."""
        if not self.is_worker or self.parts.first_to_say(text):
            LOGGER.warning(text)

    def run(
        self,
        suite: Suite,
        gates: Sequence[Gate],
        methods: Sequence[Method],
        model: Model,
        notes: Sequence[str],
        progress: Progress,
    ) -> None:
        """Runs a suite on a model, once; what fails is kept for the items that ask for it."""
        key = (str(suite.path), model.name)
        if key in self.finished:
            return
        underway = Underway(progress)
        self._begin(key, suite)

        def work() -> tuple[SuiteRun, ...]:
            done = run_suite(
                suite,
                gates,
                methods,
                model,
                self.evaluator,
                notes=notes,
                partial=self.settings.take is not None,
                salience=self.settings.salience,
                store=self.store,
                underway=underway,
                baseline=self.baseline,
            )
            # Otherwise another gate on regression will be judged.
            return with_adjusted_p(done) if self.compared == {key} else done

        try:
            if self.refused is not None:
                raise self.refused
            with notices_to(progress.note):
                done = self.work.do(work, underway.stop)
        except Exception as error:  # raised again in the setup of each of its gates
            self.finished[key] = error
            reason = str(error).partition("\n")[0] or type(error).__name__
            self.failed.append(FailedSuite(suite.name, str(suite.path), model.name, reason))
            self._keep(key, self.failed[-1:])
            return
        except KeyboardInterrupt:
            self._keep_interrupted(key, suite, underway)
            raise
        finally:
            progress.done()
        with self.interrupts.held():
            self.finished[key] = done
            for one in done:
                self.config.hook.pytest_mtprobe_suite_finished(config=self.config, suite_run=one)
            self._keep(key, done)

    def _begin(self, key: tuple[str, str], suite: Suite) -> None:
        """A worker that is killed has left word of what it was at."""
        if self.is_worker:
            died = FailedSuite(suite.name, key[0], key[1], "the process that ran it died before it was done")
            self._keep(key, [died])

    def _keep_interrupted(self, key: tuple[str, str], suite: Suite, underway: Underway) -> None:
        done = tuple(underway.finished)
        stopped = FailedSuite(suite.name, *key, underway.reason(), underway.interruption())
        with self.interrupts.held():
            self.finished[key] = done
            self.failed.append(stopped)
            self._keep(key, [*done, stopped])

    def _keep(self, key: tuple[str, str], done: Sequence[SuiteRun | FailedSuite]) -> None:
        """On disk as soon as it is known: in the record, or in a worker's part of it."""
        if not self.is_worker:
            for one in done:
                self.recorder.add(one)
            return
        try:
            self.parts.keep(key, done)
        except OSError as error:
            told = f"{key[0]} on {key[1]} is missing in the record: {error.strerror}"
            if told not in self.unkept:
                self.unkept.append(told)

    def progress(self) -> Progress:
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if self.is_worker or reporter is None or self.config.getoption("quiet", 0) > 0:
            return NotesOnly()
        return progress_for(reporter)

    # -- finishing --

    @cached_property
    def parts(self) -> Parts:
        """Where xdist's workers write each finished suite for the controller."""
        given = getattr(self.config, "workerinput", {}).get("mtprobe_parts")
        try:
            return Parts(Path(given or tempfile.mkdtemp(prefix="mtprobe-")))
        except OSError:  # no room: a folder that is not there, and workers tell what they cannot leave in it
            return Parts(self.record_path.absolute().with_name(f".parts-{os.getpid()}"))

    def finish(self, *, whole: bool) -> Run:
        """Everything that was run, by this process and by workers, in the order of paths and models.

        It is `whole` when nothing stopped it.
        """
        suites = [one for done in self.finished.values() if isinstance(done, tuple) for one in done]
        kept, failed = self.parts.read()
        suites += kept
        self.failed += failed
        shutil.rmtree(self.parts.folder, ignore_errors=True)
        order = [model.name for model in self.settings.models]
        suites.sort(key=lambda done: (done.path, order.index(done.model.name)))
        self.failed.sort(key=lambda one: (one.path, one.model))
        run = Run(self.facts, with_adjusted_p(suites), tuple(self.failed), whole)
        self.config.hook.pytest_mtprobe_run_finished(config=self.config, run=run)
        return run

    @cached_property
    def facts(self) -> RunFacts:
        return RunFacts(mtprobe.__version__, datetime.now(UTC).isoformat(timespec="seconds"))

    @cached_property
    def recorder(self) -> Recorder:
        with suppress(OSError):  # told when the record cannot be written
            keep_out_of_git(self.record_path.parent)
        return Recorder(self.record_path, self.facts)

    @property
    def record_path(self) -> Path:
        given = option(self.config, "record")
        return Path(given) if given else shown_path(self.config.rootpath / ".mtprobe" / "last-run.jsonl")

    def output_path(self, name: str) -> Path | None:
        """Where `--mt-report` or `--mt-markdown` goes, if it was asked for."""
        given = option(self.config, name)
        return Path(given) if given else None
