"""Whole runs of pytest on a service: what is kept, what is said, what it costs"""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from tests.plugins.imitations import DEEPL, KEY, deepl
from tests.plugins.loopback import Asked, Loopback, Reply, loopback, status
from tests.pytester.conftest import TOYS, Project
from tests.pytester.test_progress import in_a_terminal

TOY: dict = {"__file__": __file__}
exec(compile(TOYS, "toys", "exec"), TOY)
EVALUATOR = "--mt-evaluator=python:toys:fair"
TARGET = "--mt-target=pt"
MTPROBE = "from mtprobe.cli import main; raise SystemExit(main())"
CHARACTERS = sum(
    len(f"The {person} finished her shift before the others arrived.")
    + len(f"The {person} has sold her house near the old harbour.")
    for person in TOY["NOUNS"]
    for _ in ("her", "his")
)


def speaks_portuguese(asked: Asked) -> Reply:
    reply = deepl(asked)
    if reply.status == 200:
        for one, text in zip(reply.content["translations"], asked.json["text"], strict=True):
            one["text"] = TOY["fair"].one(text)
    return reply


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    return Project(pytester)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    monkeypatch.setenv(DEEPL.key, KEY)
    with loopback(speaks_portuguese) as running:
        yield running


@pytest.fixture
def run(project: Project, server: Loopback) -> Callable[..., pytest.RunResult]:
    """pytest on the service, five sentences a request, one request at a time."""

    def started(*args: str, options: str = "", alone: bool = False) -> pytest.RunResult:
        spec = f"deepl:?url={server.address}&batch=5&concurrency=1{options}"
        return project.pytest(f"--mt-model={spec}", TARGET, EVALUATOR, *args, model=None, alone=alone)

    return started


def sentences(server: Loopback) -> list[str]:
    return [text for asked in server.asked for text in asked.json["text"]]


def test_a_service_is_judged_like_any_model(run, project, server):
    result = run()
    result.assert_outcomes(passed=4)
    assert len(sentences(server)) == 24
    suite = next(line for line in project.record() if line["kind"] == "suite")
    assert suite["model"]["name"] == "deepl"
    assert suite["model"]["fingerprint"].startswith("deepl:")
    assert suite["model"]["provider"] == "quality_optimized"


def test_a_second_run_asks_nothing(run, server):
    run()
    run().assert_outcomes(passed=4)
    assert len(sentences(server)) == 24


def test_collecting_asks_nothing(run, server):
    run("--collect-only")
    assert server.asked == []


def test_a_wait_is_said_in_the_terminal(run, server):
    server.plan = [status(429, {"message": "Too many requests"}, retry_after="0.05")]
    result = run()
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["mtprobe: deepl: HTTP 429: Too many requests; again in 0.1 s (try 2)"])


def test_a_wait_is_said_in_a_quiet_run_too(run, server):
    server.plan = [status(503, b"", retry_after="0.05")]
    result = run("-q")
    result.stderr.fnmatch_lines(["mtprobe: deepl: HTTP 503; again in 0.1 s (try 2)"])


@pytest.mark.slow
def test_a_wait_is_said_beside_the_bar(project, server):
    server.plan = [status(503, b"", retry_after="0.05")]
    spec = f"--mt-model=deepl:?url={server.address}&batch=5&concurrency=1"
    shown = in_a_terminal(project, spec, TARGET, EVALUATOR, "suites")
    assert "mtprobe: deepl: HTTP 503; again in 0.1 s (try 2)" in shown
    assert "4 passed" in shown


@pytest.mark.slow
def test_workers_say_their_waits_as_well(run, server):
    server.plan = [status(503, b"", retry_after="0.05")]
    result = run("-n2")
    result.assert_outcomes(passed=4)
    result.stderr.fnmatch_lines(["mtprobe: deepl: HTTP 503; again in 0.1 s (try 2)"])
    assert len(sentences(server)) == 24 + 5


def test_a_key_that_expires_stops_the_run_and_the_next_goes_on(run, server):
    honest = [lambda handler, truth: handler.send(truth())] * 2
    server.plan = [*honest]
    server.always = lambda handler, _: handler.send(Reply(403, b""))
    result = run()
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(
        ["*deepl: HTTP 403: the key in DEEPL_API_KEY is wrong, expired, or not allowed*"]
    )
    assert "Traceback" not in result.stdout.str()
    server.always = None
    asked = len(sentences(server))
    run().assert_outcomes(passed=4)
    assert len(sentences(server)) - asked == 24 - 10


def test_one_sentence_that_fails_is_counted_and_asked_for_again(run, server, project):
    def refuses(handler, truth):
        one = truth()
        handler.send(Reply(400, {"message": "no dancers"}) if b"dan\\u00e7arina vendeu" in one.body else one)

    server.always = refuses
    result = run()
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["*cannot be judged: 1 of * deepl: HTTP 400: no dancers*"])
    outcomes = [line["verdict"]["outcome"] for line in project.record() if line["kind"] == "sample"]
    assert outcomes.count("error") == 1
    server.always, server.asked[:] = None, []
    run().assert_outcomes(passed=4)
    assert len(sentences(server)) == 1


# -- what it costs --


def test_the_price_is_reported_before_anything_is_sent(run):
    result = run()
    dollars = CHARACTERS * 25 / 1e6
    result.stdout.fnmatch_lines(
        [
            f"mtprobe: deepl: {CHARACTERS:,} characters, about {dollars:.2g} USD (25 USD per million characters)"
        ]
    )


def test_a_run_beyond_its_budget_does_not_start(run, server):
    result = run("--mt-budget=0.01")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*would cost about 0.032 USD, more than the budget of 0.01 USD; nothing was sent*"]
    )
    assert server.asked == []


@pytest.mark.slow
def test_workers_keep_to_the_budget(run, server):
    result = run("--mt-budget=0.01", "-n2")
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["*more than the budget of 0.01 USD*"])
    assert server.asked == []


def test_repeats_cost_as_often_and_what_is_stored_costs_nothing(run, server):
    result = run("--mt-budget=0.04", "--mt-repeat=3")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*would cost about 0.097 USD, more than the budget of 0.04 USD*"])
    run("--mt-repeat=2").assert_outcomes(passed=4)
    run("--mt-budget=0.04", "--mt-repeat=3").assert_outcomes(passed=4)
    assert len(sentences(server)) == 3 * 24


def test_a_run_with_repeats_that_is_stopped_goes_on_where_it_was(run, server):
    honest = [lambda handler, truth: handler.send(truth())] * 7
    server.plan = [*honest]
    server.always = lambda handler, _: handler.send(Reply(403, b""))
    run("--mt-repeat=3").assert_outcomes(errors=4)
    server.always = None
    asked = len(sentences(server))
    run("--mt-repeat=3").assert_outcomes(passed=4)
    assert len(sentences(server)) - asked == 3 * 24 - (5 + 5 + 5 + 5 + 4 + 5 + 5)


def test_a_run_within_its_budget_starts(run):
    run("--mt-budget=0.04").assert_outcomes(passed=4)


def test_only_what_the_store_lacks_is_paid(run, project):
    run()
    assert "characters" not in run("--mt-budget=0").stdout.str()
    project.change("dancer]", "dancer, writer of plays]")
    result = run("--mt-budget=0.0001")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*deepl: 2[0-9][0-9] characters*"])


def test_a_sequential_run_is_as_sure_as_the_money_allows(run, server, project):
    """240 sentences would cost 0.29 USD; the clear gates are decided for less, a close one is not."""
    project.enlarge()
    project.change('gap: "<= 0.20"', 'gap: "<= 0.00"')
    result = run("--mt-sequential", "--mt-budget=0.12")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        ["*::gap*undecided: must be <= 0.00; the budget ended, after * of 240 samples"]
    )
    (suite,) = (line for line in project.record() if line["kind"] == "suite")
    assert suite["stopped"]["reason"] == "the budget ended"
    assert len(sentences(server)) == suite["stopped"]["asked"]
    paid = sum(map(len, sentences(server))) * 25 / 1e6
    assert 0.11 < paid <= 0.12
    run("--mt-sequential", "-k", "female", "--mt-budget=0").assert_outcomes(passed=1, deselected=3)


def test_a_sequential_run_pays_for_what_it_asks(run, server, project):
    project.enlarge()
    result = run("--mt-sequential")
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(
        ["mtprobe: deepl: 11,256 characters, about 0.28 USD *; at most, since the run is sequential"]
    )
    assert len(sentences(server)) == 92
    assert sum(map(len, sentences(server))) * 25 / 1e6 < 0.11


@pytest.mark.slow
def test_workers_of_a_sequential_run_share_the_budget(run, server, project):
    project.enlarge()
    project.change('gap: "<= 0.20"', 'gap: "<= 0.00"')
    run("--mt-sequential", "--mt-budget=0.12", "-n2", "--mt-undecided=skip").assert_outcomes(
        passed=3, skipped=1
    )
    assert sum(map(len, sentences(server))) * 25 / 1e6 <= 0.06


def test_without_money_every_gate_of_a_sequential_run_is_undecided(run, server, project):
    project.enlarge()
    result = run("--mt-sequential", "--mt-budget=0.0001", "--mt-report=report.html", "-v")
    result.assert_outcomes(failed=4)
    result.stdout.fnmatch_lines(["*the budget ended, after 0 of 240 samples*"])
    assert server.asked == []


def test_ones_own_price(run):
    run("--mt-budget=0.01", options="&price=5").assert_outcomes(passed=4)


def test_several_models_share_a_budget(project, server):
    specs = [f"--mt-model={name}=deepl:?url={server.address}&version={name}" for name in ("a", "b")]
    result = project.pytest(*specs, TARGET, EVALUATOR, "--mt-budget=0.05", model=None)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*would cost about 0.065 USD*", "  a: 1,296 characters*", "  b: 1,296 characters*"]
    )


@pytest.mark.parametrize("budget", ["much", "-1", "nan", "inf"])
def test_a_budget_is_an_amount(run, budget):
    result = run(f"--mt-budget={budget}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*--mt-budget: {budget} is not an amount of US dollars*"])


def test_from_python(project, server, monkeypatch, caplog):
    import mtprobe
    from mtprobe.errors import ModelError

    monkeypatch.syspath_prepend(project.path)
    asked = {"evaluator": "python:toys:fair", "source": "en", "target": "pt"}
    spec = f"deepl:?url={server.address}"
    with pytest.raises(ModelError, match="more than the budget"):
        mtprobe.run(project.path / "suites", spec, budget=0.001, **asked)
    assert server.asked == []
    assert mtprobe.run(project.path / "suites", spec, budget=1.0, **asked).passed
    assert "1,296 characters" in caplog.text


# -- where the key is not --


@pytest.mark.slow
def test_the_key_is_in_no_file_and_no_output(run, project, server):
    server.plan = [status(500, {"message": f"who sent me {KEY}?"})]
    result = run(
        "--showlocals", "--tb=long", "-vv", "-o", "log_cli=true", "--log-level=DEBUG", "--log-file=all.log",
        "--mt-report=report.html", "--mt-record=record.jsonl", "--mt-store=store.sqlite", "--junitxml=junit.xml",
        alone=True,
    )  # fmt: skip
    result.assert_outcomes(passed=4)
    assert KEY not in result.stdout.str() + result.stderr.str()
    assert "who sent me [hidden key]?" in result.stdout.str()
    for name in ("all.log", "report.html", "record.jsonl", "store.sqlite", "junit.xml"):
        assert (project.path / name).stat().st_size, name
    for path in project.path.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path
    with sqlite3.connect(project.path / "store.sqlite") as store:
        assert KEY not in "\n".join(store.iterdump())


@pytest.mark.slow
def test_the_key_is_not_in_the_list_of_processes(run, server):
    seen: list[str] = []

    def looks(handler, truth):
        listed = subprocess.run(["ps", "-eww", "-o", "args"], capture_output=True, text=True, check=True)
        seen.append(listed.stdout)
        handler.send(truth())

    server.always = looks
    run(alone=True).assert_outcomes(passed=4)
    assert any(re.search(r"deepl:\?url=", listing) for listing in seen)
    assert KEY not in "".join(seen)


def test_mtprobe_translate_asks_the_service_too(server):
    done = subprocess.run(
        [sys.executable, "-c", MTPROBE, "translate", f"deepl:?url={server.address}", "--target", "pt"],
        input="The doctor finished her shift before the others arrived.\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "A médica terminou o turno antes que os outros chegassem.\n")


def test_a_name_of_a_model_holds_no_address(server):
    from mtprobe.backends.registry import ModelSpec

    assert ModelSpec.parse(f"deepl:?url={server.address}/v9&formality=more").name == "deepl"
