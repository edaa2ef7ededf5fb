"""Calls a backend and checks the form of its results; failures are worded for plugin authors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NoReturn

import pytest

from mtprobe.backends import (
    Backend,
    Failure,
    Request,
    ScorePair,
    Scorer,
    TokenLogProbs,
    as_request,
    can_score,
    can_translate,
    inputs_for,
    is_encodable,
)


def fail(message: str) -> NoReturn:
    """Fails with the message alone: a plugin's author needs no traceback of our code."""
    pytest.fail(message, pytrace=False)


def expect(condition: bool, message: str) -> None:
    if not condition:
        fail(message)


def translating(backend: object) -> Backend:
    """The backend, if it translates; otherwise skips."""
    if not can_translate(backend):
        pytest.skip("it does not translate: it has no `translate`")
    return backend


def scoring(backend: object) -> Scorer:
    """The backend, if it scores; otherwise skips."""
    if not can_score(backend):
        pytest.skip("it cannot score: it has no `score`")
    return backend


def translated(backend: Backend, sources: Sequence[str | Request]) -> list[str | Failure]:
    """One answer per source, each of the right form."""
    answers = backend.translate(inputs_for(backend, sources))
    _check_count("translate", answers, f"{len(sources)} sources", len(sources))
    for source, answer in zip(sources, answers, strict=True):
        _check_form(as_request(source).text, answer)
    return list(answers)


def _check_count(method: str, answers: object, given: str, count: int) -> None:
    if not isinstance(answers, list | tuple):
        fail(f"{method} returned a {type(answers).__name__}; it must return a list")
    expect(len(answers) == count, f"{method} returned {len(answers)} answers for {given}")


def _check_form(source: str, answer: str | Failure) -> None:
    expect(
        isinstance(answer, str | Failure),
        f"translate returned {answer!r} for {shown(source)}; it must return a text or a Failure",
    )
    failed = isinstance(answer, Failure)
    text = answer.reason if isinstance(answer, Failure) else answer
    expect(not failed or bool(text.strip()), f"the Failure for {shown(source)} has no reason")
    what = "reason" if failed else "translation"
    expect(is_encodable(text), f"the {what} for {shown(source)} contains a lone surrogate: {shown(text)}")


def alone(backend: Backend, source: str) -> str | Failure:
    return translated(backend, [source])[0]


def scored(scorer: Scorer, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
    """One answer per pair, each of the right form."""
    answers = scorer.score(list(pairs))
    _check_count("score", answers, f"{len(pairs)} pairs", len(pairs))
    for pair, answer in zip(pairs, answers, strict=True):
        if isinstance(answer, Failure):
            expect(bool(answer.reason.strip()), f"the Failure for {shown(pair.target)} has no reason")
            continue
        expect(
            isinstance(answer, tuple) and all(isinstance(value, float) for value in answer),
            f"score returned {shown(repr(answer))} for {shown(pair.target)}; "
            "it must return a tuple of floats or a Failure",
        )
        expect(all(map(math.isfinite, answer)), f"{shown(pair.target)}: a log-probability is not finite")
    return list(answers)


def shown(text: str) -> str:
    short = text if len(text) <= 60 else f"{text[:59]}…"
    return f"“{short.encode(errors='backslashreplace').decode()}”"
