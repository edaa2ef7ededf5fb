"""GitHub Actions: annotations at the lines of gates, and the step summary."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from mtprobe.printable import printable_lines

# A suite's problem as errors write it: path:line, perhaps :column, and the message.
_PROBLEM = re.compile(r"^(?P<path>[^:\n]+):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<message>.+)$")


def in_actions() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


def summary_path() -> Path | None:
    """The file for the step summary, if there is one."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    return Path(path) if path else None


def add_to(path: Path, text: str) -> None:
    """Appends to what is already there."""
    with path.open("a", encoding="utf-8") as stream:
        stream.write(text)


def annotation(path: Path | None, line: int, title: str, message: str) -> str:
    """A command that shows the message, at a line of a file unless it has none in the repository.

    Paths are relative to the repository's root.
    """
    if path is None:
        return f"::error title={_property(title)}::{_data(printable_lines(message))}"
    workspace = os.environ.get("GITHUB_WORKSPACE")
    absolute = path.absolute()
    if workspace and absolute.is_relative_to(workspace):
        path = absolute.relative_to(workspace)
    facts = f"file={_property(str(path))},line={max(1, line)},title={_property(title)}"
    return f"::error {facts}::{_data(printable_lines(message))}"


def problems_in(text: str) -> Iterator[tuple[Path, int, str]]:
    """Path, line and message of each problem in the text of an error."""
    for line in text.splitlines():
        if match := _PROBLEM.match(line.strip()):
            yield Path(match["path"]), int(match["line"]), match["message"]


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable_lines(text)).replace(":", "%3A").replace(",", "%2C")
