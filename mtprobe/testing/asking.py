"""Asking a backend something, and failing in its words where the answer has not even the right form."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from mtprobe.backends.protocols import Backend, can_translate
from mtprobe.backends.scorer import ScorePair, Scorer, TokenLogProbs, can_score
from mtprobe.backends.text import is_whole
from mtprobe.errors import Failure


def expect(holds: bool, otherwise: str) -> None:
    """Fails with the words: a plugin's author reads them, not our code."""
    if not holds:
        pytest.fail(otherwise, pytrace=False)


def translating(backend: object) -> Backend:
    """The backend as one that translates; skips where it does not."""
    if not can_translate(backend):
        pytest.skip("it does not translate: it has no `translate`")
    return backend


def scoring(backend: object) -> Scorer:
    """The backend as one that scores; skips where it does not."""
    if not can_score(backend):
        pytest.skip("it cannot score: it has no `score`")
    return backend


def translated(backend: Backend, sources: Sequence[str]) -> list[str | Failure]:
    """One answer a source, each of the right form."""
    answers = backend.translate(list(sources))
    expect(
        isinstance(answers, list | tuple), f"translate gave a {type(answers).__name__}; it must give a list"
    )
    expect(len(answers) == len(sources), f"translate gave {len(answers)} answers for {len(sources)} sources")
    for source, answer in zip(sources, answers, strict=True):
        expect(
            isinstance(answer, str | Failure),
            f"translate gave {answer!r} for {shown(source)}; it must give a text or a Failure",
        )
        text = answer.reason if isinstance(answer, Failure) else answer
        if isinstance(answer, Failure):
            expect(bool(text.strip()), f"the Failure of {shown(source)} has no reason")
        what = "reason" if isinstance(answer, Failure) else "translation"
        expect(is_whole(text), f"the {what} for {shown(source)} holds half a character: {shown(text)}")
    return list(answers)


def alone(backend: Backend, source: str) -> str | Failure:
    return translated(backend, [source])[0]


def scored(scorer: Scorer, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
    """One answer a pair, each of the right form."""
    answers = scorer.score(list(pairs))
    expect(isinstance(answers, list | tuple), f"score gave a {type(answers).__name__}; it must give a list")
    expect(len(answers) == len(pairs), f"score gave {len(answers)} answers for {len(pairs)} pairs")
    for pair, answer in zip(pairs, answers, strict=True):
        if isinstance(answer, Failure):
            expect(bool(answer.reason.strip()), f"the Failure of {shown(pair.target)} has no reason")
            continue
        expect(
            isinstance(answer, tuple) and all(isinstance(value, float) for value in answer),
            f"score gave {shown(repr(answer))} for {shown(pair.target)}; it must give a tuple of floats or a Failure",
        )
        expect(all(map(math.isfinite, answer)), f"{shown(pair.target)}: a log-probability is not finite")
    return list(answers)


def shown(text: str) -> str:
    short = text if len(text) <= 60 else f"{text[:59]}…"
    return f"“{short.encode(errors='backslashreplace').decode()}”"
