"""Turns exceptions in a backend that would end the process into errors of the affected sentences."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from mtprobe.backends.checked import name_of
from mtprobe.errors import ModelError, words_of
from mtprobe.progress import Stopped


class Ended(ModelError):
    """A backend raised `SystemExit`, or another exception that `except Exception` does not catch, such as a panic of a Rust library."""


@contextmanager
def guarded(backend: object) -> Iterator[None]:
    """Turns such exceptions into `Ended`, except those by which a user or pytest ends the work."""
    try:
        yield
    except (Exception, KeyboardInterrupt, GeneratorExit, Stopped):
        raise
    except BaseException as error:
        if _of_pytest(error):
            raise
        name, words = type(error).__name__, words_of(error)
        raise Ended(f"{name_of(backend)} raised {name if words == name else f'{name}: {words}'}") from error


def _of_pytest(error: BaseException) -> bool:
    """Whether it is pytest's own, as when a test that runs suites from Python reaches its timeout."""
    outcomes = sys.modules.get("_pytest.outcomes")
    return outcomes is not None and isinstance(error, outcomes.OutcomeException)
