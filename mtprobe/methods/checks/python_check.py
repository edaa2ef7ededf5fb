"""`method: python:pkg.module:check`: a user's function judges each translation.

The function takes the source and the translation, and as a third argument, if it has one, the sample: its id, category,
attributes and focus. It returns True, False or None (undecided), alone or with a reason: `return False, "no greeting"`.
It is imported when the suite runs, never by lint, expand or collection.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from mtprobe.backends.python import digest_of_source, load_function
from mtprobe.errors import MtprobeError, words_of
from mtprobe.methods.method import Ask, Method, Preparation, Translated
from mtprobe.methods.verdict import Outcome, Verdict
from mtprobe.suite.sample import Sample

PREFIX = "python:"
_OUTCOMES = {True: Outcome.CORRECT, False: Outcome.INCORRECT, None: Outcome.UNDECIDED}


class PythonCheck(Method):
    about = "your own function: `python:pkg.module:check`"

    def __init__(self, name: str, check: Callable[..., Any] | None = None) -> None:
        self.name = name
        self._check = check  # None: not imported yet

    @property
    def procedure(self) -> str:
        """Another text of its module may lead to other verdicts."""
        digest = "" if self._check is None else f" {digest_of_source(self._check)}"
        return f"{super().procedure}{digest}"

    @property
    def is_witness(self) -> bool:
        """Nobody knows what it looks at."""
        return False

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:  # noqa: ARG002
        return None

    def prepare(self, preparation: Preparation) -> PythonCheck:  # noqa: ARG002
        return PythonCheck(self.name, load_function(self.name.removeprefix(PREFIX)))

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:  # noqa: ARG002
        if self._check is None:
            raise MtprobeError(f"{self.name} was not prepared")
        takes_sample = _arguments(self._check) > 2
        return [
            self._verdict((sample.source, text or "", *([_facts(sample)] if takes_sample else [])))
            for sample, text in samples
        ]

    def _verdict(self, arguments: tuple[Any, ...]) -> Verdict:
        assert self._check is not None  # noqa: S101 - `judge` checks it
        try:
            answer = self._check(*arguments)
        except Exception as error:  # the user's code: its sample is not judged, and the reason says why
            return Verdict(Outcome.ERROR, f"{self.name}: {type(error).__name__}: {words_of(error)}")
        outcome, reason = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, "")
        if type(outcome).__module__ == "numpy" and hasattr(outcome, "item"):
            outcome = outcome.item()  # a comparison in NumPy
        if outcome is not None and not isinstance(outcome, bool):
            given = type(answer).__name__
            return Verdict(
                Outcome.ERROR,
                f"{self.name}: returned {given}; return True, False or None, or one of them and a reason",
            )
        return Verdict(_OUTCOMES[outcome], str(reason))


def _arguments(function: Callable[..., Any]) -> int:
    """How many positional arguments it takes; 2 where that cannot be known."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 2
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return 3
    return sum(
        parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        for parameter in parameters
    )


def _facts(sample: Sample) -> Mapping[str, Any]:
    focus = sample.source[slice(*sample.focus)] if sample.focus else None
    return MappingProxyType(
        {"id": sample.id, "category": sample.category, "attributes": dict(sample.attributes), "focus": focus}
    )
