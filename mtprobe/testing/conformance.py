"""The checks that every backend passes, as a class for a plugin's own tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

import pytest

from mtprobe.backends.protocols import Opened, OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.backends.scorer import can_score
from mtprobe.errors import did_you_mean
from mtprobe.testing.asking import expect
from mtprobe.testing.identity import IdentityChecks
from mtprobe.testing.scores import ScoreChecks
from mtprobe.testing.translations import TranslationChecks


@lru_cache(maxsize=1)
def _opened(spec: str, opening: OpenRequest) -> Opened:
    """One model serves all checks of a class, since loading it may take a while."""
    return open_backend(ModelSpec.parse(spec), opening)


class _Conformance(IdentityChecks, TranslationChecks):
    cannot: ClassVar[Mapping[str, str]] = {}

    @pytest.fixture
    def spec(self) -> str | None:
        """How a user names the model. None: it has no spec, and is not opened again."""
        return None

    @pytest.fixture
    def backend(self, spec: str | None) -> Opened:
        if spec is None:
            pytest.fail("give the class a fixture `spec`, or a fixture `backend`", pytrace=False)
        return _opened(spec, self.opening)

    @pytest.fixture(autouse=True)
    def _what_it_cannot(self, request: pytest.FixtureRequest) -> None:
        checks = [name.removeprefix("test_") for name in dir(self) if name.startswith("test_")]
        for name in self.cannot:
            if name not in checks:
                pytest.fail(f'cannot: there is no check "{name}"{did_you_mean(name, checks)}', pytrace=False)
        asked = str(request.node.originalname).removeprefix("test_")
        if asked in self.cannot:
            pytest.skip(self.cannot[asked])


class BackendConformance(_Conformance, ScoreChecks):
    """To be subclassed, under a name that starts with `Test`, with a fixture `spec`, `backend`, or both.

    `opening` is what a spec is opened with; `sources` are ordinary sentences for it, and `targets`, one a source,
    are for one that scores and does not translate. `fails_on` are sources for which it must give a `Failure`.
    `cannot` skips a check, by its name without `test_`, and says why.
    """


class TranslationConformance(_Conformance):
    """The same for a backend that translates and does not score."""

    def test_it_has_no_scores(self, backend: object) -> None:
        expect(not can_score(backend), "it has a `score`, which BackendConformance checks: subclass that")
