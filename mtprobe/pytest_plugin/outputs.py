"""Writes the outputs of a session: the record and the requested reports."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from mtprobe.pytest_plugin.session import ProbeSession
from mtprobe.records import Run


@dataclass(slots=True)
class Written:
    """Lines for the end of the summary."""

    paths: list[str] = field(default_factory=list)  # what was written where
    problems: list[str] = field(default_factory=list)


def write_outputs(session: ProbeSession, run: Run) -> Written:
    """One that cannot be written is reported, and the others are written all the same."""
    from mtprobe.records.history import keep_in_history
    from mtprobe.report.github import add_to, summary_path
    from mtprobe.report.html.report import write_html
    from mtprobe.report.markdown import run_markdown
    from mtprobe.system.atomic import write_text

    written = Written()
    writers: list[tuple[str, Path | None, Callable[[Path], object]]] = [
        ("record", session.record_path, lambda _: session.recorder.finish(run)),
        ("markdown", session.output_path("markdown"), lambda path: write_text(path, run_markdown(run))),
        ("step summary", summary_path(), lambda path: add_to(path, run_markdown(run))),
        ("report", session.output_path("report"), lambda path: write_html(run, path)),
    ]
    if run.suites or run.failed:
        writers.insert(
            1, ("history", session.output_path("history"), lambda path: keep_in_history(path, run))
        )
    for what, path, write in writers:
        if path is not None:
            try:
                with nullcontext() if what == "record" else session.interrupts.allowed():
                    write(path)
                written.paths.append(f"{what}: {path}")
            except OSError as error:
                written.problems.append(f"the {what} could not be written: {error}")
            except KeyboardInterrupt:
                written.problems.append(
                    f"the {what} was given up; it can be had from the record: mtprobe report"
                )
    return written
