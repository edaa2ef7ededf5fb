"""External programs: their pipes, and what becomes of those that take too long or write without end"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from mtprobe.system.programs import Limits, TooMuchOutput, TooSlow, run_program

# Starts a child of its own, says who both are, and waits.
FAMILY = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(os.getpid(), child.pid, file=sys.stderr, flush=True)
with open(sys.argv[1], "w") as stream:
    print(os.getpid(), child.pid, file=stream, flush=True)
{}
"""


def python(code, *arguments):
    return [sys.executable, "-c", code, *map(str, arguments)]


def lives(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] not in "ZX"


def family(path):
    """The processes that the program named, once they are gone or ten seconds have passed."""
    processes = [int(word) for word in path.read_text().split()]
    deadline = time.monotonic() + 10
    while any(map(lives, processes)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return {process for process in processes if lives(process)}, len(processes)


def test_all_pipes_flow_at_once():
    given = b"0123456789" * 100_000
    code = "import sys; data = sys.stdin.buffer.read(); sys.stderr.buffer.write(data[::-1]); sys.stdout.buffer.write(data)"
    done = run_program(python(code), given, Limits(60, 2_000_000))
    assert (done.returncode, done.stdout) == (0, given)
    assert given[::-1].endswith(done.stderr)
    assert 10_000 < len(done.stderr) < 100_000


def test_a_program_need_not_read_what_it_is_given():
    assert run_program(python("print('done')"), b"x" * 1_000_000).stdout.split() == [b"done"]


@pytest.mark.slow
def test_a_program_that_takes_too_long_is_killed_with_its_children(tmp_path):
    began = time.monotonic()
    with pytest.raises(TooSlow):
        run_program(python(FAMILY.format("time.sleep(60)"), tmp_path / "ids"), limits=Limits(seconds=3))
    assert time.monotonic() - began < 20
    assert family(tmp_path / "ids") == (set(), 2)


def test_a_program_that_writes_without_end_is_killed_with_its_children(tmp_path):
    endless = "while True: print('x' * 10_000)"
    with pytest.raises(TooMuchOutput):
        run_program(python(FAMILY.format(endless), tmp_path / "ids"), limits=Limits(60, 1_000_000))
    assert family(tmp_path / "ids") == (set(), 2)


def test_errors_without_end_fill_no_memory():
    code = "import sys\nfor _ in range(300): sys.stderr.write('x' * 100_000)\nsys.stderr.write('the end')"
    done = run_program(python(code))
    assert len(done.stderr) < 100_000
    assert done.stderr.endswith(b"the end")
