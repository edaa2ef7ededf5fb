"""`python:pkg.module:callable`: a function that takes a list of sources and returns a list of translations.

The callable may have a `fingerprint`, a `chunk` (how many sources it takes at once), `takes_requests = True` (to be
given `Request`s instead of strings), `deterministic = True` (repeats would change nothing), and a method `score` (a list of
(source, target) pairs → a list of token log-probabilities), with which it can judge itself. One that answers questions has
`answer_scores` or `complete`; see `mtprobe.backends.Answers` and `Completes`. One that translates into several
languages has a method `for_languages` (source and target tags → the callable for them), and is then not called itself.
"""

from __future__ import annotations

import hashlib
import inspect
import site
import sys
import sysconfig
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from mtprobe.backends import checked
from mtprobe.backends.protocols import (
    UNDETERMINED,
    LanguagePair,
    OpenRequest,
    is_deterministic,
    languages_from,
    takes_requests,
    uses_context,
)
from mtprobe.backends.scorer import ScorePair, TokenLogProbs
from mtprobe.errors import Failure, ModelError, MtprobeError, words_of
from mtprobe.system.deadline import TimedCalls, TimedOut


class FunctionBackend:
    # Only where the callable has them.
    answer_scores: Callable[[Sequence[Any]], Any]
    complete: Callable[[Sequence[Any]], Any]
    samples_answers: bool

    def __init__(
        self,
        name: str,
        function: Callable[[list[Any]], Any],
        languages: LanguagePair,
        timeout: float | None = None,
        *,
        ignores_target: bool = True,
    ) -> None:
        self.languages = languages
        self.ignores_target = ignores_target
        self._name = name
        self._function = function
        self._calls = TimedCalls(timeout)
        self.chunk: int = getattr(function, "chunk", 512)
        self.takes_requests = takes_requests(function)
        self.uses_context = uses_context(function)
        self.deterministic = is_deterministic(function)
        given = getattr(function, "fingerprint", None)
        self.fingerprint = f"python:{name}:{given or digest_of_source(function)}:{languages}"
        self.answering_fingerprint = f"{self.fingerprint}:answers"
        for ability in ("answer_scores", "complete"):
            if callable(asked := getattr(function, ability, None)):
                setattr(self, ability, partial(self._answers, asked))
        if hasattr(function, "samples_answers"):
            self.samples_answers = bool(function.samples_answers)

    def translate(self, sources: Sequence[Any]) -> list[str | Failure]:
        def answer() -> list[str | Failure]:
            return checked.translations(self, sources, self._asked(self._function, list(sources)))

        try:
            translations: list[str | Failure] = self._calls.call(answer)
        except TimedOut as error:
            return [self._late(error)] * len(sources)
        return translations

    def _answers(self, function: Callable[[list[Any]], Any], asked: Sequence[Any]) -> Any:
        """One per question; whoever asks checks each of them."""
        try:
            answers = self._calls.call(lambda: self._asked(function, list(asked)))
        except TimedOut as error:
            return [self._late(error)] * len(asked)
        if not isinstance(answers, list | tuple):
            raise ModelError(f"python:{self._name} answered with a {type(answers).__name__}, not with a list")
        return answers

    def _asked(self, function: Callable[[list[Any]], Any], given: list[Any]) -> Any:
        """Reports exceptions in the user's function in one line with their place."""
        try:
            return function(given)
        except (MtprobeError, TimedOut):
            raise
        except Exception as error:
            import pytest  # a function may end the session

            if isinstance(error, pytest.exit.Exception):
                raise
            raise ModelError(f"python:{self._name} raised {_described(error)}") from error

    def _late(self, error: TimedOut) -> Failure:
        return Failure(f"python:{self._name}: {error} (`timeout`)")


class ScoringFunctionBackend(FunctionBackend):
    """A callable that can also score."""

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        scorer: Any = self._function

        def answer() -> list[TokenLogProbs | Failure]:
            return checked.scores(self, pairs, self._asked(scorer.score, list(pairs)))

        try:
            scores: list[TokenLogProbs | Failure] = self._calls.call(answer)
        except TimedOut as error:
            return [self._late(error)] * len(pairs)
        return scores


def _described(error: Exception) -> str:
    """`ValueError: no such word, in mymt.py:12`: the deepest line of the user's own code."""
    frames = traceback.extract_tb(error.__traceback__)[1:] or traceback.extract_tb(error.__traceback__)
    libraries = (*map(str, map(Path, (sysconfig.get_path("stdlib"), *site.getsitepackages()))), "<")
    own = [frame for frame in frames if not frame.filename.startswith(libraries)] or frames
    words = words_of(error).partition("\n")[0]
    kind = type(error).__name__
    said = kind if words == kind else f"{kind}: {words}"
    return f"{said}, in {Path(own[-1].filename).name}:{own[-1].lineno}"


def open_function(rest: str, request: OpenRequest) -> FunctionBackend:
    function = load_function(rest)
    languages = languages_from(request, f"python:{rest}")
    multilingual = hasattr(function, "for_languages")
    if multilingual:
        source = None if languages.source == UNDETERMINED else languages.source
        function = function.for_languages(source, languages.target)
    backend = ScoringFunctionBackend if hasattr(function, "score") else FunctionBackend
    return backend(rest, function, languages, request.timeout, ignores_target=not multilingual)


def load_function(rest: str) -> Any:
    """The callable that `pkg.module:callable` names; modules beside the user are found too."""
    module_name, _, path = rest.partition(":")
    if not module_name or not path:
        raise ModelError(f"python:{rest}: write python:pkg.module:callable")
    function: Any = _import(module_name, rest)
    for attribute in path.split("."):
        try:
            function = getattr(function, attribute)
        except AttributeError:
            raise ModelError(f"python:{rest}: {module_name} has no “{path}”") from None
    if not callable(function) and not hasattr(function, "for_languages"):
        raise ModelError(f"python:{rest}: “{path}” is not callable")
    return function


def _import(module_name: str, rest: str) -> Any:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)  # as `python -m` does
    try:
        return import_module(module_name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if module_name == missing or module_name.startswith(f"{missing}."):
            raise ModelError(f"python:{rest}: there is no module “{missing}”") from None
        raise


def digest_of_source(function: Any) -> str:
    try:
        file = inspect.getsourcefile(
            inspect.unwrap(function) if inspect.isroutine(function) else type(function)
        )
        source = Path(file or "").read_bytes()
    except (TypeError, OSError):
        raise ModelError(
            "python: give the callable an attribute `fingerprint` that changes whenever its outputs may change"
        ) from None
    return hashlib.sha256(source).hexdigest()[:12]
