"""kill -9 at random moments: the next run completes, with the same numbers, and does nothing again that was stored"""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from mtprobe.records import read_run
from mtprobe.store import Store
from tests.pytester.running import Running, running, wait_for
from tests.soak import soak_only, times

pytestmark = pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="processes are counted in /proc")

ARGS = ["--mt-model=python:logged:logged", "--mt-target=pt", "--mt-counterfactuals=0"]

# What is asked of it is on disk before it answers.
LOGGED = """
import os, time
from toys import HERE, fair


def log(text):
    where = os.open(HERE / "calls.txt", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(where, f"{text}\\n".encode())
    os.fsync(where)
    os.close(where)


class Logged:
    fingerprint = "logged"
    chunk = 2

    def __call__(self, sources):
        for source in sources:
            log(f"translate {source}")
        time.sleep(0.02)
        return [fair.one(source) for source in sources]

    def score(self, pairs):
        for source, target in pairs:
            log(f"score {source} => {target}")
        time.sleep(0.1)
        return [fair.likelihood(*pair) for pair in pairs]


logged = Logged()
"""


class Counted:
    """A project of three suites that have no sentence in common, and what an undisturbed run makes of them."""

    def __init__(self, project) -> None:
        self.project = project
        self.path = project.path
        text = (self.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8")
        for name, place, people in (("second", "library", "guests"), ("third", "station", "nurses")):
            other = text.replace("name: occupations", f"name: {name}").replace("harbour", place)
            project.suite(name, other.replace("the others", f"the {people}"))
        (self.path / "logged.py").write_text(LOGGED, encoding="utf-8")
        project.pytest(*ARGS, "--mt-no-store", "--mt-record=whole.jsonl", model=None).assert_outcomes(
            passed=12
        )
        self.whole = self.record("whole.jsonl")
        self.asked = Counter(project.calls(""))
        assert set(self.asked.values()) == {1}
        self.forget()

    def record(self, path=".mtprobe/last-run.jsonl"):
        return [
            {name: value for name, value in line.items() if name != "created"}
            for line in self.project.record(path)
        ]

    def forget(self):
        (self.path / "calls.txt").unlink(missing_ok=True)
        for path in (self.path / ".mtprobe").glob("*"):
            path.unlink()

    def held(self):
        """The calls whose answers are in the store."""
        where = self.path / ".mtprobe/store.sqlite"
        if not where.exists():
            return set()
        run = read_run(self.path / "whole.jsonl")
        (fingerprint,) = {suite.model.fingerprint for suite in run.suites}
        results = [result for suite in run.suites for result in suite.results]
        pairs = [
            (evidence.text, result.translation) for result in results for evidence in result.verdict.evidence
        ]
        with Store(where) as store:
            translated = store.translations(fingerprint, [result.source for result in results])
            scored = store.scores(fingerprint, pairs)
        return {f"translate {source}" for source in translated} | {
            f"score {source} => {target}" for source, target in scored
        }

    def check_next_run(self, held, before):
        """It completes, and asks for what was not held when `before` calls had been made, and for nothing else."""
        self.project.pytest(*ARGS, model=None).assert_outcomes(passed=12)
        assert self.record() == self.whole
        since = Counter(self.project.calls("")[before:])
        assert since == self.asked - Counter(held)
        assert not (self.path / ".mtprobe/last-run.jsonl.unfinished").exists()


@pytest.fixture
def counted(project):
    return Counted(project)


def wait_for_some(run: Running, counted: Counted, chance: random.Random) -> None:
    """To a moment between the start of the process and its end."""
    calls = chance.randrange(len(counted.asked) + 1)
    wait_for(lambda: len(counted.project.calls("")) >= calls or run.process.poll() is not None)
    time.sleep(chance.uniform(0, 0.15))


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 2, *soak_only(1, *range(3, 20))])
def test_a_run_that_is_killed_goes_on(counted, number, record_property):
    chance = random.Random(number)
    spread = ["-n2"] if number % 3 == 2 else []
    with running(counted.path, *ARGS, *spread, "suites") as run:
        wait_for_some(run, counted, chance)
        for process in run.members:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        wait_for(lambda: not run.members)
    held, calls = counted.held(), counted.project.calls("")
    record_property("asked, stored", (len(calls), len(held)))
    assert held <= set(calls)
    counted.check_next_run(held, len(calls))


KILLER = """
import os, pathlib, signal, pytest

class Killer:
    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        if item.nodeid.endswith({victim!r}):
            try:
                pathlib.Path("killed").touch(exist_ok=False)
            except FileExistsError:
                return (yield)
            os.kill(os.getpid(), signal.SIGKILL)
        return (yield)

def pytest_configure(config):
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Killer())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "victim",
    [
        "occupations.mt.yaml::accuracy[male]",
        "third.mt.yaml::gap",
        *soak_only("third.mt.yaml::accuracy[male]"),
    ],
)
def test_another_worker_takes_over_whatever_the_dead_one_was_at(counted, victim):
    (counted.path / "conftest.py").write_text(KILLER.format(victim=victim), encoding="utf-8")
    with running(counted.path, *ARGS, "-n2", "suites") as run:
        said, _ = run.end()
    assert "12 passed" in said, said
    assert f"crashed while running 'suites/{victim}'" in said
    assert counted.record() == counted.whole


@pytest.mark.slow
def test_a_suite_that_died_with_its_worker_is_named(counted):
    at_a_nurse = "        if 'nurses' in sources[0]:\n            os.kill(os.getpid(), 9)\n"
    (counted.path / "logged.py").write_text(
        LOGGED.replace("        time.sleep(0.02)\n", f"{at_a_nurse}        time.sleep(0.02)\n"),
        encoding="utf-8",
    )
    with running(counted.path, *ARGS, "-n2", "--max-worker-restart=0", "suites") as run:
        said, _ = run.end()
    assert run.process.returncode != 0
    found = read_run(counted.path / ".mtprobe/last-run.jsonl", whole=False)
    assert not found.passed
    assert "third" not in {suite.suite for suite in found.suites}
    (one,) = found.failed
    assert str(one) == (
        "third could not be run on python-logged-logged: the process that ran it died before it was done"
    )
    assert f"mtprobe: {one}" in said
    assert "the same command continues from there" in said
    (counted.path / "logged.py").write_text(LOGGED, encoding="utf-8")
    counted.check_next_run(counted.held(), len(counted.project.calls("")))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(times(1, 20)))
def test_a_worker_that_is_killed_takes_nothing_with_it(counted, number, record_property):
    chance = random.Random(1000 + number)
    with running(counted.path, *ARGS, "-n2", "suites") as run:
        wait_for(lambda: len(run.members) == 3)
        wait_for_some(run, counted, chance)
        workers = [process for process in run.members if process != run.process.pid]
        victim = chance.choice(workers) if workers else None
        if victim is not None:
            with suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
            wait_for(lambda: victim not in run.members)
        held = counted.held()
        before = len(counted.project.calls(""))
        record_property("asked, stored", (before, len(held)))
        said, _ = run.end()
        wait_for(lambda: not run.members)
    assert "Traceback" not in said, said
    assert not set(counted.project.calls("")[before:]) & held  # nothing that was stored when it died
    if counted.record() != counted.whole:
        found = read_run(counted.path / ".mtprobe/last-run.jsonl", whole=False)
        names = {suite.suite for suite in found.suites} | {one.suite for one in found.failed}
        assert not found.whole or names == {"occupations", "second", "third"}
        for one in found.failed:
            assert f"mtprobe: {one}" in said
        assert "the same command continues from there" in said
    held = counted.held()
    counted.check_next_run(held, len(counted.project.calls("")))


FULL = """
import resource
from mtprobe.language.identify import another_language


def pytest_collection_finish():
    another_language("The identifier unpacks itself into a file.", "en")
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
"""


@pytest.mark.slow
@pytest.mark.parametrize("spread", [[], ["-n2"]], ids=["alone", "n2"])
def test_a_full_disk_ends_no_run_and_the_next_one_completes(counted, spread):
    (counted.path / "logged.py").write_text(LOGGED.replace("def log(text):", "def log(text):\n    return"))
    (counted.path / "conftest.py").write_text(FULL, encoding="utf-8")
    with running(counted.path, *ARGS, "-p", "no:cacheprovider", *spread, "suites") as run:
        said, _ = run.end()
    assert "12 passed" in said, said
    assert run.process.returncode == pytest.ExitCode.TESTS_FAILED  # the record could not be had
    if spread:
        assert said.count("is missing from the record: File too large") == 3
    else:
        assert "the record could not be written: [Errno 27] File too large" in said
    (counted.path / "conftest.py").unlink()
    (counted.path / "logged.py").write_text(LOGGED, encoding="utf-8")
    counted.check_next_run(set(), 0)
