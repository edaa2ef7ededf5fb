"""The conformance checks for backends, as classes for a plugin's tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, ClassVar

import pytest

from mtprobe.backends import (
    UNDETERMINED,
    LanguagePair,
    ModelSpec,
    Opened,
    OpenRequest,
    can_score,
    can_translate,
    did_you_mean,
    inputs_for,
    open_backend,
)
from mtprobe.language import tags
from mtprobe.testing.alignment import AlignmentChecks
from mtprobe.testing.answers import expect, fail
from mtprobe.testing.scores import ScoreChecks
from mtprobe.testing.translations import TranslationChecks

_FINGERPRINT = """\
import json, sys
from mtprobe.backends import ModelSpec, OpenRequest, open_backend
spec, request, heavy = json.loads(sys.argv[1])
opened = open_backend(ModelSpec.parse(spec), OpenRequest(**request))
print(json.dumps([opened.fingerprint, sorted(set(heavy) & set(sys.modules))]))
"""


class _IdentityChecks:
    """Languages and fingerprint, which a backend knows before it translates anything.

    Checks that open the backend again need the fixture `spec`.
    """

    sources: ClassVar[Sequence[str]]
    opening: ClassVar[OpenRequest] = OpenRequest(source="en", target="pt")
    heavy: ClassVar[Sequence[str]] = (
        *("torch", "transformers", "onnxruntime", "ctranslate2", "tensorflow", "jax", "spacy", "stanza"),
    )

    def test_it_does_something(self, backend: object) -> None:
        able = [name for name in ("translate", "score") if callable(getattr(backend, name, None))]
        expect(bool(able), f"{type(backend).__name__} has neither `translate` nor `score`")

    def test_its_languages_are_settled(self, backend: Any) -> None:
        languages = getattr(backend, "languages", None)
        if not isinstance(languages, LanguagePair):
            fail(f"`languages` is {languages!r}; it must be a LanguagePair")
        for tag in {languages.source, languages.target} - {UNDETERMINED}:
            expect(tags.is_language(tag), f"“{tag}” in `languages` is not a BCP 47 tag, such as en or pt-BR")
        expect(languages.target != UNDETERMINED, "`languages` leaves the target language undetermined")

    def test_its_fingerprint_is_a_line_of_text(self, backend: Any) -> None:
        fingerprint = backend.fingerprint
        expect(
            isinstance(fingerprint, str)
            and fingerprint.strip() == fingerprint != ""
            and fingerprint.isprintable(),
            f"the fingerprint is {fingerprint!r}; it must be a line of text",
        )

    def test_its_fingerprint_stays_when_it_is_used(self, backend: Any) -> None:
        before = backend.fingerprint
        if can_translate(backend):
            backend.translate(inputs_for(backend, self.sources[:2]))
        after = backend.fingerprint
        expect(before == after, f"the fingerprint was {before}, but is {after} after a translation")

    def test_its_fingerprint_is_that_of_the_same_model_opened_again(
        self, backend: Any, spec: str | None
    ) -> None:
        again = open_backend(ModelSpec.parse(_needed(spec)), self.opening)
        expect(again is not backend, f"{spec} returns the same object twice")
        if again.fingerprint != backend.fingerprint:
            fail(f"the fingerprint is {backend.fingerprint}, but {again.fingerprint} when it is opened again")

    def test_the_same_model_opened_again_translates_alike(self, backend: Any, spec: str | None) -> None:
        again = open_backend(ModelSpec.parse(_needed(spec)), self.opening)
        if not can_translate(again):
            pytest.skip("it does not translate: it has no `translate`")
        sources = inputs_for(again, self.sources[:4])
        if list(again.translate(sources)) != list(backend.translate(sources)):
            fail("when it is opened again, the fingerprint is the same but the translations are not")

    def test_its_fingerprint_is_known_in_another_process_without_loading(
        self, backend: Any, spec: str | None
    ) -> None:
        arguments = json.dumps([_needed(spec), asdict(self.opening), list(self.heavy)])
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "PYTHONHASHSEED": "random",  # a fingerprint made with hash() differs there
        }
        done = subprocess.run(  # noqa: S603 - this very Python, and a program of ours
            [sys.executable, "-c", _FINGERPRINT, arguments],
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        expect(done.returncode == 0, f"{spec} cannot be opened in another process:\n{done.stderr}")
        fingerprint, loaded = json.loads(done.stdout.splitlines()[-1])
        if fingerprint != backend.fingerprint:
            fail(f"the fingerprint is {backend.fingerprint}, but {fingerprint} in another process")
        expect(not loaded, f"its fingerprint is not known before {', '.join(loaded)} is imported")


def _needed(spec: str | None) -> str:
    if spec is None:
        pytest.skip("it cannot be opened again: the class has no fixture `spec`")
    return spec


@lru_cache(maxsize=1)
def _opened(spec: str, opening: OpenRequest) -> Opened:
    """All checks of a class share one model, since loading it may take a while."""
    return open_backend(ModelSpec.parse(spec), opening)


class _Conformance(_IdentityChecks, TranslationChecks):
    cannot: ClassVar[Mapping[str, str]] = {}

    @pytest.fixture
    def spec(self) -> str | None:
        """The spec that users write. None: the model has no spec, so it is not opened again."""
        return None

    @pytest.fixture
    def backend(self, spec: str | None) -> Opened:
        if spec is None:
            fail("give the class a fixture `spec` or a fixture `backend`")
        return _opened(spec, self.opening)

    @pytest.fixture(autouse=True)
    def _skip_what_it_cannot(self, request: pytest.FixtureRequest) -> None:
        checks = [name.removeprefix("test_") for name in dir(self) if name.startswith("test_")]
        for name in self.cannot:
            if name not in checks:
                fail(f'cannot: there is no check "{name}"{did_you_mean(name, checks)}')
        check = str(request.node.originalname).removeprefix("test_")
        if check in self.cannot:
            pytest.skip(self.cannot[check])


class BackendConformance(_Conformance, ScoreChecks, AlignmentChecks):
    """Subclass it under a name that starts with `Test`, with a fixture `spec`, `backend`, or both.

    `opening` is what a spec is opened with. `sources` are ordinary sentences; `targets`, one per source, are for
    a backend that scores but does not translate. `fails_on` are sources that must get a `Failure`. `cannot` skips
    checks, by name without `test_`, each with a reason.
    """


class TranslationConformance(_Conformance):
    """The same for a backend that translates but does not score."""

    def test_it_has_no_scores(self, backend: object) -> None:
        expect(not can_score(backend), "it has a `score`: subclass BackendConformance, which checks it")
