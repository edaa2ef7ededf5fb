"""Whole runs of pytest that a server judges: what is stored, what the signature says, what it may cost"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.plugins.imitations import KEY
from tests.plugins.loopback import Loopback, loopback
from tests.plugins.scoring.imitations import VLLM
from tests.pytester.conftest import Project


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    return Project(pytester)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with loopback(VLLM) as running:
        yield running


@pytest.fixture
def run(project: Project, server: Loopback) -> Callable[..., pytest.RunResult]:
    """pytest on a toy model, judged by the server."""

    def started(*args: str, options: str = "") -> pytest.RunResult:
        evaluator = f"openai:chatty-1?url={server.address}/v1&template=chatml{options}"
        return project.pytest(f"--mt-evaluator={evaluator}", *args, model="fair")

    return started


def test_a_server_judges_and_the_next_run_asks_nothing(run, project, server):
    run()
    asked = len(server.translations())
    assert asked > 3
    run()
    assert len(server.translations()) == asked
    suite = next(line for line in project.record() if line["kind"] == "suite")
    assert suite["evaluator"]["name"] == "openai-chatty-1"
    assert "template=chatml-" in suite["evaluator"]["decoding"]
    assert "template=chatml-" in suite["evaluator"]["scoring"]
    verdicts = [line["verdict"] for line in project.record() if line["kind"] == "sample"]
    assert "error" not in {verdict["outcome"] for verdict in verdicts}


def test_scores_over_the_budget_are_not_asked_for(run, server):
    result = run("--mt-budget=0.01", options="&price_in=100&price_out=100")
    assert "left of the budget; they were not sent" in result.stdout.str()
    assert server.translations() == []


def test_scores_within_the_budget_are(run, server):
    result = run("--mt-budget=50", options="&price_in=100&price_out=100")
    assert "the budget" not in result.stdout.str()
    assert len(server.translations()) > 3


def test_a_budget_needs_a_price(run, server):
    result = run("--mt-budget=50")
    assert "the price of scores is not known: give US dollars per million tokens" in result.stdout.str()
    assert server.translations() == []


def test_a_server_that_cannot_score_is_an_error_of_the_gates(run, server):
    server.imitation = lambda asked: VLLM(asked) if asked.method == "GET" else _without(VLLM(asked))
    result = run()
    assert "chatty-1 cannot score: POST /completions was asked" in result.stdout.str()
    assert result.parseoutcomes().get("passed", 0) == 0


def _without(reply):
    for choice in reply.content["choices"]:
        choice["logprobs"] = None
    return reply
