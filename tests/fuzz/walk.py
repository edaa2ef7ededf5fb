"""The whole way of a suite without a model: load, expand, plan the gates, lint, collect. And its law:
it loads, or it gives located errors; nothing else escapes, within seconds and within a gigabyte."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from mtprobe.backends.model import Model
from mtprobe.backends.protocols import LanguagePair
from mtprobe.backends.python import ScoringFunctionBackend
from mtprobe.backends.scorer import ScorePair
from mtprobe.errors import MissingData, Problem, SuiteError
from mtprobe.gates import gates_for
from mtprobe.methods import MethodOptions, check_evidence
from mtprobe.plan.suite import choose_methods
from mtprobe.suite import Suite
from mtprobe.suite.content import content_digest
from mtprobe.suite.lint import warnings
from mtprobe.suite.samples.focus import contrastive_sources
from mtprobe.suites import load_suite
from tests.fuzz import byte_damage, tree_damage
from tests.fuzz.corpus import SUITE, Seed, small, whole

# Of processor time, for what is within the limits of size: some megabytes, read at more than one a second.
SECONDS = 3.0
MEGABYTES = 1_000
LONGEST_MESSAGE = 2_000
MOST_PROBLEMS = 40  # in one error


class TooSlow(BaseException):
    """Not an `Exception`: nobody on the way may take it for one of theirs."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Stops what takes more of the processor's time, with the traceback of where it was."""

    def stop(*_: object) -> None:
        raise TooSlow(f"more than {seconds} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def peak_megabytes() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000


def damaged(seed: Seed, rng: Random) -> dict[str, bytes]:
    """The seed's files, one of them damaged, the suite as often as the files that it names."""
    files = dict(seed.files)
    others = [name for name in files if name != SUITE]
    name = SUITE if not others or rng.random() < 0.5 else rng.choice(others)
    read_write = tree_damage.reader_of(name)
    if read_write and rng.random() < 0.5:
        read, write = read_write
        files[name] = write(tree_damage.damaged(read(files[name]), rng))
    else:
        files[name] = byte_damage.mutated(files[name], rng)
    return files


def any_seed(rng: Random) -> Seed:
    """A small one, and now and then a shipped suite as it is."""
    return rng.choice(whole()) if rng.random() < 0.02 else rng.choice(small())


class _Echo:
    """Never asked: planning who judges what needs only to know that it could be."""

    fingerprint = "echo"

    def __call__(self, sources: list[str]) -> list[str]:
        return sources

    def score(self, pairs: list[ScorePair]) -> list[list[float]]:
        return [[0.0] for _ in pairs]


_MODEL = Model("echo", ScoringFunctionBackend("echo", _Echo(), LanguagePair("en", "de")))


def walk(path: Path) -> Suite | SuiteError:
    """A suite that came through, or the error that told what is wrong; what breaks the law escapes."""
    try:
        suite = load_suite(path)
        check_evidence(suite)
        for target in (None, "de", "pt-BR"):
            gates_for(suite, target)
        choose_methods(suite, _MODEL, None, MethodOptions())
    except SuiteError as error:
        check_error(error, path.parent)
        return error
    for problem in warnings(suite):
        check_problem(problem, path.parent)
    for sample in suite.samples[:50]:
        contrastive_sources(sample, suite.source)
        content_digest(sample, "de")
        sample.id.encode()
    return suite


def check_error(error: SuiteError, folder: Path) -> None:
    """It says what is wrong, where, in a few words that can be printed."""
    assert error.problems
    assert len(error.problems) <= MOST_PROBLEMS, len(error.problems)
    for problem in error.problems:
        check_problem(problem, folder, located=not isinstance(error, MissingData))


def check_problem(problem: Problem, folder: Path, *, located: bool = True) -> None:
    assert problem.message.strip()
    assert str(problem.place.path).startswith(str(folder)), problem.place
    assert not located or problem.place.line or "cannot be read" in problem.message, str(problem)[:200]
    assert len(problem.message) < LONGEST_MESSAGE, problem.message[:300]
    str(problem).encode()
    assert "Traceback" not in problem.message


def write(files: dict[str, bytes], folder: Path) -> Path:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder / SUITE


def prepare(folder: Path) -> None:
    """The cases share nothing but the seeds, which are in this repository."""


def run_case(number: int, folder: Path, _: Path) -> str:
    """The case of this number, always the same one, written into an own folder."""
    rng = Random(number)
    path = write(damaged(any_seed(rng), rng), folder)
    with within(SECONDS):
        came = walk(path)
    return "loaded" if isinstance(came, Suite) else "refused"
