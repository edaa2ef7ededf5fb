"""Texts that a terminal or a CI system would obey, and a look at what was printed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.pytester.running import OTHERS_OFF

HOSTILE = (
    "\x1b]0;title\x07\x1b[2J\r\x08\x7f\x9b31m\u202eright\u2066left\u200f\u2028next\x85line"
    "\n::error file=a.py,line=1::forged\n  ::stop-commands::x\n##[error]forged\n##vso[task.complete]x"
    "\n##teamcity[x]\n[bold]b[/bold] :smile: python:m:t"
)
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
    r"|##(?:vso|teamcity)?\["
)


OURS = re.compile(r"::error file=[^:]+,line=\d+,title=[^:]+::")


def obeyed(output: str) -> list[str]:
    """The lines that would be obeyed, but for annotations of our own, whose properties are complete and escaped."""
    lines = [OURS.sub("ours ", line, count=1) if OURS.match(line) else line for line in output.split("\n")]
    return [line for line in lines if _OBEYED.search(line) or line.lstrip().startswith("::")]


def hostile(value: Any, keys: set[str], within: bool = False) -> Any:
    """JSON whose texts under these keys are hostile as well."""
    if isinstance(value, str):
        return value + HOSTILE if within else value
    if isinstance(value, list):
        return [hostile(item, keys, within) for item in value]
    if isinstance(value, dict):
        return {name: hostile(item, keys, within or name in keys) for name, item in value.items()}
    return value


def run_verb(*words: str, cwd: Path, given: str = "") -> tuple[int, str, bytes]:
    """The exit code of a verb, and both of its outputs as they are."""
    code = "from mtprobe.cli import main; raise SystemExit(main())"
    return _run([sys.executable, "-c", code, *words], cwd, given)


def run_pytest(*words: str, cwd: Path) -> tuple[int, str, bytes]:
    return _run([sys.executable, "-m", "pytest", *OTHERS_OFF, *words], cwd, "")


def _run(words: list[str], cwd: Path, given: str) -> tuple[int, str, bytes]:
    done = subprocess.run(words, cwd=cwd, input=given.encode(), capture_output=True, check=False)
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "surrogateescape"), done.stdout
