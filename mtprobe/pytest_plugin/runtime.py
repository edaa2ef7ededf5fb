"""The part of the plugin that runs only when there are suites."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mtprobe.errors import MtprobeError
from mtprobe.plan import SuitePlan
from mtprobe.printable import printable
from mtprobe.pytest_plugin import is_suite
from mtprobe.pytest_plugin.brief import Listed, hide, is_ours, is_verbose, with_headline
from mtprobe.pytest_plugin.collected import HUNT, Ids, SuiteOnModel
from mtprobe.pytest_plugin.collection import GateItem, ProbeItem
from mtprobe.pytest_plugin.interrupts import exit_if_abandoned, kill_processes
from mtprobe.pytest_plugin.options import option, usage_error, with_flags
from mtprobe.pytest_plugin.outputs import write_outputs
from mtprobe.pytest_plugin.selection import gates_of, ids_of
from mtprobe.pytest_plugin.session import ProbeSession
from mtprobe.pytest_plugin.settings import shown_path
from mtprobe.pytest_plugin.tracebacks import printable_traceback
from mtprobe.records import FailedSuite, Run

_NAMED = 10  # suites that were not judged, in the summary


class Runtime:
    def __init__(self, session: ProbeSession) -> None:
        self.session = session
        self.config = session.config
        self.collected = session.collected
        self.ids = Ids()
        self.listed = Listed()
        self.deselected: list[pytest.Item] = []
        self.pytest_session: pytest.Session | None = None  # once tests run
        self.seen = 0  # items of suites that came to an end
        self.run: Run | None = None
        self.written: list[str] = []  # what was written where
        self.shown = False  # the summary's last lines
        self.problems: list[str] = []  # why a run without failures is not green
        self.finished: pytest.Session | None = None
        self.stopped_by_failure = False  # -x or --maxfail: the same command would stop there again

    # -- before anything runs: what is the user's mistake is a usage error --

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        try:
            self._check(items)
        except pytest.UsageError as error:
            if not self.session.is_worker:
                raise
            self.session.parts.keep_mistake(
                str(error)
            )  # raised here, it would be an internal error of xdist's
            items.clear()

    def _check(self, items: Sequence[pytest.Item]) -> None:
        if self.session.mistake is not None:
            raise usage_error(self.session.mistake)
        ours = [item for item in items if isinstance(item, ProbeItem)]
        if not ours:
            return
        self.session.check_models()
        if not self.session.models.tested and self._suites_were_named(items):
            raise pytest.UsageError("suites need a model: name one with --mt-model, as in --mt-model=demo")
        self._check_scorers(ours)
        if not self.config.getoption("collectonly", False):
            self.session.check_baseline(
                [
                    (item.gate, SuiteOnModel.of(item.results.plan))
                    for item in ours
                    if isinstance(item, GateItem)
                    and item.results.model
                    and not item.get_closest_marker("skip")
                ]
            )
        try:
            self.session.planner.check_overrides()
        except MtprobeError as error:
            raise usage_error(error) from None

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        self.deselected += items

    def _suites_were_named(self, items: Sequence[pytest.Item]) -> bool:
        """Whether the user asked for suites, rather than for everything there is."""
        if self.session.is_worker or self.config.args_source is not pytest.Config.ArgsSource.ARGS:
            return False
        by_name = any(is_suite(Path(argument.split("::")[0]), self.config) for argument in self.config.args)
        return by_name or all(isinstance(item, ProbeItem) for item in items)

    def _check_scorers(self, items: Sequence[ProbeItem]) -> None:
        plans = _running(items)
        for plan in plans:
            if plan.mistake is not None:
                raise pytest.UsageError(with_flags(plan.mistake))
        obstacles = dict.fromkeys(plan.obstacle for plan in plans if plan.obstacle)
        if obstacles and not any(plan.runs for plan in plans):
            raise pytest.UsageError("\n".join(with_flags(str(obstacle)) for obstacle in obstacles))

    def pytest_report_header(self) -> list[str]:
        """On xdist's controller, which collects nothing; elsewhere suites are found after the header."""
        return [printable(line) for line in self.session.opened.headlines() if line]

    def pytest_report_collectionfinish(self) -> list[str]:
        return [printable(line) for line in self.session.opened.headlines() if line]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """The last moment before anything costs money; nothing is asked while only collecting."""
        if not self.config.getoption("collectonly", False):
            ours = [item for item in session.items if isinstance(item, ProbeItem)]
            self.pytest_session = session
            self.ids = ids_of(session.items, self.deselected)
            self.collected.expect(item.nodeid for item in ours)
            self.session.selected = gates_of(session.items)
            self.session.interrupts.watch()
            if self.session.is_worker:
                self.session.parts.sign_in(_worker_id(self.config))
                self.session.parts.keep_ids(self.ids)
            self.session.hunts = sum(
                item.name == HUNT and not item.get_closest_marker("skip") for item in ours
            )
            self.session.check_costs(_running(ours))
            self.session.note_repeats(_running(ours))
        return (yield)

    # -- running: outside of pytest's capture, so that progress shows --

    @pytest.hookimpl(wrapper=True, trylast=True)  # inside of what measures or limits an item's time
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        if isinstance(item, ProbeItem):
            item.prepare()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if isinstance(item, ProbeItem):
            error = call.excinfo.value if call.excinfo else None
            if isinstance(error, pytest.fail.Exception) and not error.pytrace:
                report.longrepr = str(error)
            report.longrepr = printable_traceback(report.longrepr)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not is_ours(report):
            return
        if not self.session.is_worker:
            with_headline(report)
            self.listed.add(report)
        self.seen += report.when == "setup"
        self.session.judged += self.collected.add(report)

    # -- what keeps gates from being judged --

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A suite that cannot be collected, or a folder in which there may be some."""
        path = self.config.rootpath / report.nodeid.split("::")[0]
        if report.failed and (path.is_dir() or is_suite(path, self.config)):
            lines = [line for line in report.longreprtext.splitlines() if line.strip()] or [""]
            reason = lines[-1].removeprefix("E").strip() if path.is_dir() else lines[0]
            self.collected.uncollected[str(shown_path(path))] = reason

    @pytest.hookimpl(tryfirst=True)
    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self._stopped_by("an internal error ended the session", excinfo)

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self._stopped_by("the session was stopped", excinfo)

    def _stopped_by(self, what: str, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """The last line of a message: that of a worker's error is a traceback."""
        error = excinfo.value
        message = (str(error).strip().splitlines() or [""])[-1].removeprefix("E").strip()
        kind = "" if isinstance(error, KeyboardInterrupt | pytest.exit.Exception) else type(error).__name__
        facts = [what, kind, message]
        self.collected.stopped = self.collected.stopped or ": ".join(fact for fact in facts if fact)

    # -- xdist --

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        root = self.config.rootpath
        self.collected.expect(nodeid for nodeid in ids if is_suite(root / nodeid.split("::")[0], self.config))

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["mtprobe_parts"] = str(self.session.parts.folder)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.session.parts.sign_out(node.gateway.id)
        self.problems += getattr(node, "workeroutput", {}).get("mtprobe_unkept", ())

    # -- the end --

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self._finish(session)

    def _finish(self, session: pytest.Session) -> None:
        """Once, from the first hook that gets here: another plugin may have raised in those before."""
        self.pytest_session = None
        self.session.interrupts.hold()
        self.finished = session
        if self.config.getoption("collectonly", False):
            return
        if self.session.is_worker:
            self.session.parts.sign_out(_worker_id(self.config))
            self.config.workeroutput["mtprobe_unkept"] = self.session.unkept  # type: ignore[attr-defined]
            return
        self.stopped_by_failure = bool(session.shouldfail)
        why = session.shouldfail or session.shouldstop or "the session ended before"
        self.collected.stopped = self.collected.stopped or str(why)
        if not self.ids.suites:
            self.ids = self.session.parts.read_ids()
        mistake = self.session.parts.read_mistake()
        workers = self.session.parts.stop_workers() if self.collected.unfinished(self.ids) else []
        self.run = self.session.finish(self.ids)
        try:
            self.config.hook.pytest_mtprobe_run_finished(config=self.config, run=self.run)
        finally:
            if self._leaves_a_run(self.run):
                written = write_outputs(self.session, self.run)
                self.written += written.paths
                self.problems += written.problems
            kill_processes(workers)
        if not self.run.whole and session.exitstatus == pytest.ExitCode.OK:
            self.problems.append(
                "the run is not whole, so it is not green: gates were collected but not judged"
            )
        if self.seen and not self._anything_judged():
            self.problems.append(
                "no gate was judged, so this run is not green (--mt-allow-skips accepts that)"
            )
        elif (missing := self.collected.unjudged_targets) and not option(self.config, "allow-skips"):
            self.problems.append(
                f"no gate was judged for {', '.join(missing)}, so this run is not green "
                "(--mt-allow-skips accepts that)"
            )
        if self.problems and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if mistake:
            self.problems.append(mistake)
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def _leaves_a_run(self, run: Run) -> bool:
        """One in which every gate was skipped does too: reports of an earlier run must not pass for its own."""
        return bool(run.suites or run.failed or (self.seen and self.session.models.tested))

    def _anything_judged(self) -> bool:
        return bool(
            self.session.judged or not self.session.models.tested or option(self.config, "allow-skips")
        )

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.run:
            self._show_summary(self.run, terminalreporter)
        self._show_last_lines(terminalreporter)

    def _show_summary(self, run: Run, reporter: pytest.TerminalReporter) -> None:
        if is_verbose(self.config):
            from mtprobe.report.terminal import summary

            text = summary(run, reporter, list(self.listed.items(self.ids)))
            hide(reporter)
        else:
            from mtprobe.report.screen.summary import screen

            text = screen(run, list(self.listed.items(self.ids)), reporter)
        if text:
            reporter.write_sep("=", "mtprobe")
            reporter.write(text)

    def _show_last_lines(self, reporter: pytest.TerminalReporter) -> None:
        """Shows output paths, missing parts, and why the run is red."""
        self.shown = True
        if self.run and self._leaves_a_run(self.run):
            for line in self.written:
                reporter.write_line(printable(line))
            for line in self._to_go_on(self.run):
                reporter.write_line(f"mtprobe: {printable(line)}", yellow=True)
        for problem in self.problems:
            reporter.write_line(f"mtprobe: {printable(problem)}", red=True)

    def _to_go_on(self, run: Run) -> Iterator[str]:
        """The unfinished work, and how to resume it."""
        if run.whole and not run.failed:
            return
        missing = [*self._not_run(run), *run.unjudged]
        yield from map(str, missing[:_NAMED])
        if len(missing) > _NAMED:
            yield f"and {len(missing) - _NAMED} more: they are in the record"
        if self.session.settings.store is None:
            yield "nothing was kept for the next run (--mt-no-store)"
        elif self.stopped_by_failure and run.suites:
            yield "what was translated and scored is kept: without -x or --maxfail, pytest continues from there"
        elif not self.stopped_by_failure and self._anything_kept(run):
            yield "what was translated and scored is kept: the same command continues from there"

    def _anything_kept(self, run: Run) -> bool:
        interrupted = any(suite.interrupted for suite in run.failed)
        return bool(run.suites or self.session.kept_some) or interrupted

    def _not_run(self, run: Run) -> list[FailedSuite]:
        """Without suites whose gates have errors that the summary lists."""
        if is_verbose(self.config):
            return list(run.failed)
        errors = [item for item in self.listed.items(self.ids) if item.status == "ERROR"]
        listed = {(item.path, item.model, item.target) for item in errors}
        return [suite for suite in run.failed if (suite.path, suite.model, suite.target) not in listed]

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        if self.pytest_session is not None:
            self._finish(self.pytest_session)
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if self.run is not None and not self.shown and reporter is not None:
            with suppress(OSError):  # nobody reads it
                self._show_last_lines(reporter)  # pytest shows no summary after an internal error
        self.session.work.end()
        self.session.opened.close()
        self.session.interrupts.leave()
        status = self.finished.exitstatus if self.finished else pytest.ExitCode.INTERRUPTED
        exit_if_abandoned(self.session.work, status)


def _worker_id(config: pytest.Config) -> str:
    return str(config.workerinput["workerid"])  # type: ignore[attr-defined]


def _running(items: Sequence[ProbeItem]) -> list[SuitePlan]:
    """The plan of each suite that will run, on each of its models."""
    plans = {id(item.results): item.results.plan for item in items if not item.get_closest_marker("skip")}
    return list(plans.values())
