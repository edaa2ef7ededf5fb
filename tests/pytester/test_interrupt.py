"""Ctrl-C, and SIGTERM as CI runners send it: what is done is kept, the rest is told, and the same command goes on."""

from __future__ import annotations

import http.server
import json
import os
import shlex
import signal
import sqlite3
import sys
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from mtprobe.cli import main
from mtprobe.records import RecordError, read_run
from mtprobe.store.rows import SCORE, TRANSLATION
from tests.pytester.running import running, wait_for
from tests.soak import soak_only

pytestmark = pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="processes are counted in /proc")

# Seconds: two, and what a busy machine may take. All that is interrupted here would take a minute, and xdist waits ten
# for workers that do not come down.
SOON = 8.0

# Translates two sentences at a time; `stuck` says what takes for ever.
SLOW = """
import os, time
from toys import fair, note


class Slow:
    fingerprint = "slow"
    chunk = 2

    def __init__(self, stuck):
        self.stuck = stuck
        self.translated = 0

    def __call__(self, sources):
        if self.stuck == "loading":
            self.hang("loading")
        if self.stuck == "translating" and self.translated >= 6:
            self.hang("translating")
        self.translated += len(sources)
        return fair(sources)

    def score(self, pairs):
        if self.stuck == "scoring":
            self.hang("scoring")
        return fair.score(pairs)

    def hang(self, what):
        note(f"stuck {what}")
        time.sleep(60)  # as in another library's code: Python does not get a word in


class Stubborn(Slow):
    def hang(self, what):
        note(f"stuck {what}")
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                time.sleep(0.05)
            except BaseException:
                pass


loading, translating, scoring = Slow("loading"), Slow("translating"), Slow("scoring")
stubborn = Stubborn("translating")
"""


@pytest.fixture
def slow(project):
    """The toys' suite, and one that comes behind it."""
    text = (project.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8")
    other = text.replace("name: occupations", "name: second").replace("harbour", "library")
    project.suite("second", other.replace("the others", "the guests"))
    (project.path / "slow.py").write_text(SLOW, encoding="utf-8")
    return project


def model(spec):
    return [f"--mt-model={spec}", "--mt-target=pt", "--mt-report=report.html"]


def interrupted(project, path=".mtprobe/last-run.jsonl"):
    with pytest.raises(RecordError, match="interrupted"):
        read_run(project.path / path)
    return read_run(project.path / path, whole=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stuck", "how"),
    [
        ("loading", "SIGINT"),
        ("translating", "SIGTERM"),
        ("scoring", "SIGINT"),
        *soak_only(("loading", "SIGTERM"), ("translating", "SIGINT"), ("scoring", "SIGTERM")),
    ],
)
def test_a_run_stops_at_once_and_goes_on_next_time(slow, stuck, how):
    step, translated = {
        "loading": ("translating", 0),
        "translating": ("translating", 6),
        "scoring": ("scoring", 24),
    }[stuck]
    told = f"interrupted while {step}: {translated} of 24 sentences translated, 0 of 24 samples judged"
    with running(slow.path, *model(f"python:slow:{stuck}"), "suites") as run:
        run.until(lambda: slow.calls(f"stuck {stuck}"))
        os.kill(run.process.pid, getattr(signal, how))
        said, seconds = run.end()
    assert seconds < SOON
    assert run.process.returncode == pytest.ExitCode.INTERRUPTED
    assert f"mtprobe: occupations on python-slow-{stuck} was {told}" in said
    assert "the same command continues from there" in said
    assert "Traceback" not in said
    (one,) = interrupted(slow).failed
    assert one.reason == told
    assert (one.interrupted.samples, one.interrupted.translated) == (24, translated)
    before = slow.calls("translate")
    assert len(before) == translated
    (slow.path / "slow.py").write_text(SLOW.replace("time.sleep(60)", "pass"), encoding="utf-8")
    slow.pytest(*model(f"python:slow:{stuck}"), model=None).assert_outcomes(passed=8)
    assert sorted(slow.calls("translate")) == sorted(set(slow.calls("translate")))  # none a second time
    assert read_run(slow.path / ".mtprobe/last-run.jsonl").whole


@pytest.mark.slow
def test_what_was_done_before_is_in_record_and_report(slow):
    (slow.path / "slow.py").write_text(
        SLOW.replace("self.translated >= 6", "any('library' in one for one in sources)"), encoding="utf-8"
    )
    with running(slow.path, *model("python:slow:translating"), "--junitxml=junit.xml", "suites") as run:
        run.until(lambda: slow.calls("stuck"))
        run.ctrl_c()
        said, seconds = run.end()
    assert seconds < SOON
    found = interrupted(slow)
    assert [(one.suite, len(one.results), len(one.gates)) for one in found.suites] == [("occupations", 24, 4)]
    assert [one.suite for one in found.failed] == ["second"]
    page = (slow.path / "report.html").read_text(encoding="utf-8")
    assert "Unfinished run." in page
    assert "Interrupted." in page
    assert "12 of 24 sentences translated" in page
    assert "report: report.html" in said
    assert (slow.path / "junit.xml").exists()


@pytest.mark.slow
def test_code_that_swallows_interruptions_is_left_behind(slow):
    with running(slow.path, *model("python:slow:stubborn"), "suites") as run:
        run.until(lambda: slow.calls("stuck"))
        os.kill(run.process.pid, signal.SIGINT)
        said, seconds = run.end()
    assert seconds < SOON
    assert "6 of 24 sentences translated" in said
    assert interrupted(slow).failed[0].interrupted.translated == 6


@pytest.mark.slow
def test_a_second_ctrl_c_loses_nothing(slow):
    with running(slow.path, *model("python:slow:stubborn"), "suites") as run:
        run.until(lambda: slow.calls("stuck"))
        for _ in range(4):
            run.ctrl_c()
            time.sleep(0.15)
        said, seconds = run.end()
    assert seconds < SOON
    assert "Traceback" not in said
    assert interrupted(slow).failed[0].interrupted.translated == 6


# Starts a child of its own, which says who it is; neither of them ends.
PROGRAM = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
with open("programs.txt", "a") as stream:
    print(os.getpid(), child.pid, file=stream)
time.sleep(60)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "spread"),
    [("terminal", ["-n2"]), ("SIGTERM", []), *soak_only(("terminal", []), ("SIGTERM", ["-n2"]))],
)
def test_no_program_is_left_behind(slow, how, spread):
    (slow.path / "program.py").write_text(PROGRAM, encoding="utf-8")
    command = f"cmd:{shlex.quote(sys.executable)} program.py"
    programs = slow.path / "programs.txt"
    count = 2 if spread else 1
    with running(slow.path, *model(command), "--mt-evaluator=python:toys:fair", *spread, "suites") as run:
        run.until(lambda: programs.exists() and programs.read_text().count("\n") == count)
        assert len(run.members) >= 3
        if how == "terminal":
            run.ctrl_c()
        else:
            os.kill(run.process.pid, signal.SIGTERM)
        said, seconds = run.end()
        wait_for(lambda: not run.members, patience=SOON)
    assert seconds < SOON
    assert "0 of 24 sentences translated" in said
    assert len(interrupted(slow).failed) == count


@pytest.mark.slow
@pytest.mark.parametrize("how", ["terminal", "SIGTERM", *soak_only("SIGINT")])
def test_with_xdist_every_worker_hands_over_what_it_has(slow, how):
    with running(slow.path, *model("python:slow:translating"), "-n2", "suites") as run:
        run.until(lambda: len(slow.calls("stuck")) == 2)
        if how == "terminal":
            run.ctrl_c()
        else:
            os.kill(run.process.pid, getattr(signal, how))
        said, seconds = run.end()
        wait_for(lambda: not run.members, patience=SOON)
    assert seconds < SOON
    assert run.process.returncode == pytest.ExitCode.INTERRUPTED
    found = interrupted(slow)
    assert sorted(one.suite for one in found.failed) == ["occupations", "second"]
    assert [one.interrupted.translated for one in found.failed] == [6, 6]
    assert said.count("interrupted while translating: 6 of 24") == 2


@pytest.mark.slow
def test_a_service_that_does_not_answer_is_not_waited_for(slow):
    pytest.importorskip("mtprobe_libretranslate")
    asked = threading.Event()

    class Silent(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            asked.set()
            time.sleep(30)

        def do_GET(self):
            asked.set()
            time.sleep(30)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Silent)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    spec = f"libretranslate:?url=http://127.0.0.1:{server.server_port}"
    try:
        with running(
            slow.path, *model(spec), "--mt-source=en", "--mt-evaluator=python:toys:fair", "suites"
        ) as run:
            run.until(asked.is_set)
            os.kill(run.process.pid, signal.SIGTERM)
            said, seconds = run.end()
    finally:
        server.shutdown()
        server.server_close()
    assert seconds < SOON
    assert "Traceback" not in said


def stored(project):
    with closing(sqlite3.connect(project.path / ".mtprobe/store.sqlite")) as connection:
        return [value.decode() for (value,) in connection.execute("SELECT value FROM kept")]


@pytest.mark.slow
def test_what_a_service_answered_before_it_fell_silent_is_kept(slow):
    """Ctrl-C in the middle of a request: no half an answer is stored, and the next run asks for the rest."""
    asked = []
    silent = threading.Event()

    class Service(http.server.BaseHTTPRequestHandler):
        answers = 3

        def do_POST(self):
            texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["q"]
            asked.extend(texts)
            body = json.dumps(
                {"translatedText": [f"Uma frase que fala de {text}" for text in texts]}
            ).encode()
            if len(asked) > 2 * self.answers:
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[: len(body) // 2])
                self.wfile.flush()
                silent.set()
                time.sleep(30)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    options = f"url=http://127.0.0.1:{server.server_port}&version=1&batch=2&concurrency=1"
    args = [
        *model(f"libretranslate:?{options}"),
        "--mt-source=en",
        "--mt-evaluator=python:toys:fair",
        "suites/occupations.mt.yaml",
    ]
    try:
        with running(slow.path, *args) as run:
            run.until(lambda: silent.is_set() and len(stored(slow)) == 6)
            run.ctrl_c()
            said, seconds = run.end()
            wait_for(lambda: not run.members, patience=SOON)
        assert seconds < SOON
        assert "Traceback" not in said
        assert run.process.returncode == pytest.ExitCode.INTERRUPTED
        (one,) = interrupted(slow).failed
        assert one.interrupted.translated == 6
        assert sorted(stored(slow)) == sorted(f"Uma frase que fala de {text}" for text in asked[:6])
        Service.answers = 100
        with running(slow.path, *args) as run:
            run.end()
        assert len(set(asked)) == 24
        assert len(asked) == 24 + 2  # those whose answer was torn apart
    finally:
        server.shutdown()
        server.server_close()
    assert read_run(slow.path / ".mtprobe/last-run.jsonl").whole


# Large enough for seconds of work on the demo model.
MANY = """
mtprobe: 1
name: many
about: Does the translation keep the gender?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female]
cues:
  male:   {correct: man,   incorrect: woman}
  female: {correct: woman, incorrect: man}
gates: {minimum_accuracy: ">= 0"}
generate:
  - id: walk
    source: "The <{occupation}> told {possessive} story about the {colour} {thing} to everybody in the {place}."
    slots:
      occupation: [doctor, lawyer, teacher, engineer, writer, dancer]
      possessive:
        her: {category: female}
        his: {category: male}
      colour: [old, new, red, green]
      thing: [house, car, boat, garden]
      place: [town, office, school, station]
"""


@pytest.mark.slow
@pytest.mark.parametrize("doing", ["loading", "translating", "scoring", *soak_only("judging")])
def test_onnx_runtime_is_not_waited_for(project, doing):
    (project.path / "suites/occupations.mt.yaml").unlink()
    project.suite("many", MANY)
    store = project.path / ".mtprobe/store.sqlite"

    def rows(kind):
        with suppress(sqlite3.Error), closing(sqlite3.connect(store)) as connection:
            return connection.execute("SELECT count(*) FROM kept WHERE kind = ?", (kind,)).fetchone()[0]
        return 0

    reached = {
        "loading": store.exists,
        "translating": lambda: rows(TRANSLATION),
        "judging": lambda: rows(TRANSLATION) == 768,
        "scoring": lambda: rows(SCORE),
    }
    with running(project.path, "--mt-model=demo", "suites") as run:
        run.until(reached[doing])
        time.sleep(0.1)
        run.ctrl_c()
        said, seconds = run.end()
    assert seconds < SOON
    assert "Traceback" not in said
    assert run.process.returncode == pytest.ExitCode.INTERRUPTED
    (one,) = interrupted(project).failed
    assert one.interrupted.samples == 768
    if doing in ("judging", "scoring"):
        assert "768 of 768 sentences translated" in one.reason
    if doing == "scoring":
        assert one.reason.startswith("interrupted while scoring")


@pytest.mark.slow
def test_verbs_say_that_the_run_was_interrupted(slow, capsys):
    with running(slow.path, *model("python:slow:translating"), "suites") as run:
        run.until(lambda: slow.calls("stuck"))
        run.ctrl_c()
        run.end()
    record = str(slow.path / ".mtprobe/last-run.jsonl")
    for verb in (
        ["show", record, "shift/doctor/her"],
        ["report", record, "-o", "r.html"],
        ["compare", record, record],
    ):
        assert main(verb) != 0
        told = "occupations on python-slow-translating was interrupted while translating: 6 of 24 sentences"
        assert told in capsys.readouterr().err
