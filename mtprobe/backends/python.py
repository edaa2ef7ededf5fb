"""`python:pkg.module:callable`: a function that takes a list of sources and returns a list of translations.

The callable may have a `fingerprint`, a `chunk` (how many sources it takes at once), `takes_requests = True` (to be
given `Request`s instead of strings), and a method `score` (a list of (source, target) pairs → a list of token
log-probabilities), with which it can judge itself.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from mtprobe.backends import checked
from mtprobe.backends.protocols import LanguagePair, OpenRequest, languages_from, takes_requests
from mtprobe.backends.scorer import ScorePair, TokenLogProbs
from mtprobe.errors import Failure, ModelError
from mtprobe.system.deadline import TimedCalls, TimedOut


class FunctionBackend:
    def __init__(
        self,
        name: str,
        function: Callable[[list[Any]], Any],
        languages: LanguagePair,
        timeout: float | None = None,
    ) -> None:
        self.languages = languages
        self._name = name
        self._function = function
        self._calls = TimedCalls(timeout)
        self.chunk: int = getattr(function, "chunk", 512)
        self.takes_requests = takes_requests(function)
        given = getattr(function, "fingerprint", None)
        self.fingerprint = f"python:{name}:{given or _digest_of_source(function)}:{languages}"

    def translate(self, sources: Sequence[Any]) -> list[str | Failure]:
        def answer() -> list[str | Failure]:
            return checked.translations(self, sources, self._function(list(sources)))

        try:
            translations: list[str | Failure] = self._calls.call(answer)
        except TimedOut as error:
            return [self._late(error)] * len(sources)
        return translations

    def _late(self, error: TimedOut) -> Failure:
        return Failure(f"python:{self._name}: {error} (`timeout`)")


class ScoringFunctionBackend(FunctionBackend):
    """A callable that can also score."""

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        scorer: Any = self._function

        def answer() -> list[TokenLogProbs | Failure]:
            return checked.scores(self, pairs, scorer.score(list(pairs)))

        try:
            scores: list[TokenLogProbs | Failure] = self._calls.call(answer)
        except TimedOut as error:
            return [self._late(error)] * len(pairs)
        return scores


def open_function(rest: str, request: OpenRequest) -> FunctionBackend:
    module_name, _, path = rest.partition(":")
    if not module_name or not path:
        raise ModelError(f"python:{rest}: write python:pkg.module:callable")
    function: Any = _import(module_name, rest)
    for attribute in path.split("."):
        try:
            function = getattr(function, attribute)
        except AttributeError:
            raise ModelError(f"python:{rest}: {module_name} has no “{path}”") from None
    if not callable(function):
        raise ModelError(f"python:{rest}: “{path}” is not callable")
    backend = ScoringFunctionBackend if hasattr(function, "score") else FunctionBackend
    return backend(rest, function, languages_from(request, f"python:{rest}"), request.timeout)


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


def _digest_of_source(function: Any) -> str:
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
