"""The checks that every backend passes, as a class for a plugin's own tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

import pytest

from mtprobe.backends import ModelSpec, Opened, OpenRequest, can_score, did_you_mean, open_backend
from mtprobe.testing.answers import expect
from mtprobe.testing.identity import IdentityChecks
from mtprobe.testing.scores import ScoreChecks
from mtprobe.testing.translations import TranslationChecks


@lru_cache(maxsize=1)
def _opened(spec: str, opening: OpenRequest) -> Opened:
    """All checks of a class share one model, since loading it may take a while."""
    return open_backend(ModelSpec.parse(spec), opening)


class _Conformance(IdentityChecks, TranslationChecks):
    cannot: ClassVar[Mapping[str, str]] = {}

    @pytest.fixture
    def spec(self) -> str | None:
        """The spec that users write. None: the model has no spec, so it is not opened again."""
        return None

    @pytest.fixture
    def backend(self, spec: str | None) -> Opened:
        if spec is None:
            pytest.fail("give the class a fixture `spec` or a fixture `backend`", pytrace=False)
        return _opened(spec, self.opening)

    @pytest.fixture(autouse=True)
    def _skip_what_it_cannot(self, request: pytest.FixtureRequest) -> None:
        checks = [name.removeprefix("test_") for name in dir(self) if name.startswith("test_")]
        for name in self.cannot:
            if name not in checks:
                pytest.fail(f'cannot: there is no check "{name}"{did_you_mean(name, checks)}', pytrace=False)
        check = str(request.node.originalname).removeprefix("test_")
        if check in self.cannot:
            pytest.skip(self.cannot[check])


class BackendConformance(_Conformance, ScoreChecks):
    """Subclass it under a name that starts with `Test`, with a fixture `spec`, `backend`, or both.

    `opening` is what a spec is opened with. `sources` are ordinary sentences; `targets`, one per source, are for
    a backend that scores but does not translate. `fails_on` are sources that must get a `Failure`. `cannot` skips
    checks, by name without `test_`, each with a reason.
    """


class TranslationConformance(_Conformance):
    """The same for a backend that translates but does not score."""

    def test_it_has_no_scores(self, backend: object) -> None:
        expect(not can_score(backend), "it has a `score`: subclass BackendConformance, which checks it")
