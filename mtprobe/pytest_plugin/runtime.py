"""The part of the plugin that runs only when there are suites."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest

from mtprobe.errors import MtprobeError
from mtprobe.plan import SuitePlan
from mtprobe.printable import printable
from mtprobe.pytest_plugin import is_suite
from mtprobe.pytest_plugin.collected import Ids, SuiteOnModel
from mtprobe.pytest_plugin.collection import GateItem, MissingItem, ProbeItem
from mtprobe.pytest_plugin.interrupts import exit_if_abandoned, kill_processes
from mtprobe.pytest_plugin.options import option, usage_error, with_flags
from mtprobe.pytest_plugin.session import ProbeSession
from mtprobe.pytest_plugin.settings import shown_path
from mtprobe.pytest_plugin.tracebacks import printable_traceback
from mtprobe.records import Run

_NAMED = 10  # suites that were not judged, in the summary


class Runtime:
    def __init__(self, session: ProbeSession) -> None:
        self.session = session
        self.config = session.config
        self.collected = session.collected
        self.ids = Ids()
        self.pytest_session: pytest.Session | None = None  # once tests run
        self.seen = 0  # items of suites that came to an end
        self.run: Run | None = None
        self.written: list[str] = []  # what was written where
        self.shown = False  # the summary's last lines
        self.problems: list[str] = []  # why a run without failures is not green
        self.finished: pytest.Session | None = None

    # -- before anything runs: what is the user's mistake is a usage error --

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: Sequence[pytest.Item]) -> None:
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
                    (item.gate, str(item.results.suite.path), item.results.model.name)
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

    def _suites_were_named(self, items: Sequence[pytest.Item]) -> bool:
        """Whether the user asked for suites, rather than for everything there is."""
        if self.session.is_worker or self.config.args_source is not pytest.Config.ArgsSource.ARGS:
            return False
        by_name = any(is_suite(Path(argument.split("::")[0]), self.config) for argument in self.config.args)
        return by_name or all(isinstance(item, ProbeItem) for item in items)

    def _check_scorers(self, items: Sequence[ProbeItem]) -> None:
        for plan in _running(items):
            if plan.mistake is not None:
                raise pytest.UsageError(with_flags(plan.mistake))

    def pytest_report_header(self) -> str:
        """On xdist's controller, which collects nothing; elsewhere suites are found after the header."""
        return printable(self.session.models.headline())

    def pytest_report_collectionfinish(self) -> str:
        return printable(self.session.models.headline())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """The last moment before anything costs money; nothing is asked while only collecting."""
        if not self.config.getoption("collectonly", False):
            ours = [item for item in session.items if isinstance(item, ProbeItem)]
            self.pytest_session = session
            self.ids = _ids_of(session.items)
            self.collected.expect(item.nodeid for item in ours)
            self.session.interrupts.watch()
            if self.session.is_worker:
                self.session.parts.sign_in(_worker_id(self.config))
                self.session.parts.keep_ids(self.ids)
            self.session.check_costs(_running(ours))
        return (yield)

    # -- running: outside of pytest's capture, so that progress shows --

    @pytest.hookimpl(wrapper=True, trylast=True)  # inside of what measures or limits an item's time
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        if isinstance(item, ProbeItem):
            item.prepare()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if isinstance(item, ProbeItem):
            report.longrepr = printable_traceback(report.longrepr)
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not any(name == "mtprobe_suite" for name, _ in report.user_properties):
            return
        self.collected.add(report)
        self.seen += report.when == "setup"
        if report.when == "call" and (report.outcome != "skipped" or hasattr(report, "wasxfail")):
            self.session.judged += 1
        elif report.failed:
            self.session.judged += 1  # an error is red by itself

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
        why = session.shouldfail or session.shouldstop or "the session ended before"
        self.collected.stopped = self.collected.stopped or str(why)
        ids = self.ids if self.ids.suites else self.session.parts.read_ids()
        workers = self.session.parts.stop_workers() if self.collected.unfinished(ids) else []
        self.run = self.session.finish(ids)
        try:
            self.config.hook.pytest_mtprobe_run_finished(config=self.config, run=self.run)
        finally:
            if self.run.suites or self.run.failed:
                self._write(self.run)
            kill_processes(workers)
        if not self.run.whole and session.exitstatus == pytest.ExitCode.OK:
            self.problems.append(
                "the run is not whole, so it is not green: gates were collected but not judged"
            )
        if self.seen and not self._anything_judged():
            self.problems.append(
                "no gate was judged, so this run is not green (--mt-allow-skips accepts that)"
            )
        if self.problems and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _anything_judged(self) -> bool:
        return bool(
            self.session.judged or not self.session.models.tested or option(self.config, "allow-skips")
        )

    def _write(self, run: Run) -> None:
        """Writes record and reports; one that cannot be written is reported, and the others are written all the same."""
        from mtprobe.report.github import add_to, summary_path
        from mtprobe.report.html.report import write_html
        from mtprobe.report.markdown import run_markdown
        from mtprobe.system.atomic import write_text

        writers: list[tuple[str, Path | None, Callable[[Path], None]]] = [
            ("record", self.session.record_path, lambda _: self.session.recorder.finish(run)),
            (
                "markdown",
                self.session.output_path("markdown"),
                lambda path: write_text(path, run_markdown(run)),
            ),
            ("step summary", summary_path(), lambda path: add_to(path, run_markdown(run))),
        ]
        if run.suites:
            writers.append(("report", self.session.output_path("report"), lambda path: write_html(run, path)))
        for what, path, write in writers:
            if path is not None:
                try:
                    with nullcontext() if what == "record" else self.session.interrupts.allowed():
                        write(path)
                    self.written.append(f"{what}: {path}")
                except OSError as error:
                    self.problems.append(f"the {what} could not be written: {error}")
                except KeyboardInterrupt:
                    self.problems.append(
                        f"the {what} was given up; it can be had from the record: mtprobe report"
                    )

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.run and self.run.suites:
            from mtprobe.report.terminal import summary

            terminalreporter.section("mtprobe")
            terminalreporter.write(summary(self.run, terminalreporter))
        self._show_last_lines(terminalreporter)

    def _show_last_lines(self, reporter: pytest.TerminalReporter) -> None:
        """Where things are, what is missing, and why the run is red."""
        self.shown = True
        if self.run and (self.run.suites or self.run.failed):
            for line in self.written:
                reporter.write_line(printable(line))
            for line in self._to_go_on(self.run):
                reporter.write_line(f"mtprobe: {printable(line)}", yellow=True)
        for problem in self.problems:
            reporter.write_line(f"mtprobe: {printable(problem)}", red=True)

    def _to_go_on(self, run: Run) -> Iterator[str]:
        """What is not done, and how it will be."""
        if run.whole and not run.failed:
            return
        missing = [*run.failed, *run.unjudged]
        yield from map(str, missing[:_NAMED])
        if len(missing) > _NAMED:
            yield f"and {len(missing) - _NAMED} more: they are in the record"
        if self.session.settings.store is None:
            yield "nothing was kept for the next run (--mt-no-store)"
        else:
            yield "what was translated and scored is kept: the same command goes on from there"

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


def _ids_of(items: Sequence[pytest.Item]) -> Ids:
    """What a record must hold; items that are marked as skipped it need not."""
    suites = {}
    skipped = []
    for item in items:
        if isinstance(item, MissingItem) or (isinstance(item, ProbeItem) and item.get_closest_marker("skip")):
            skipped.append(item.nodeid)
        if isinstance(item, ProbeItem) and item.parent is not None:
            suite, model = item.results.suite, item.results.model
            suites[item.parent.nodeid] = SuiteOnModel(
                suite.name, str(suite.path), model.name if model else ""
            )
    return Ids(suites, frozenset(skipped))


def _running(items: Sequence[ProbeItem]) -> list[SuitePlan]:
    """The plan of each suite that will run, on each of its models."""
    plans = {id(item.results): item.results.plan for item in items if not item.get_closest_marker("skip")}
    return list(plans.values())
