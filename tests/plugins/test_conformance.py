"""Every service passes the checks that backends are held to, against its imitation on loopback."""

from __future__ import annotations

import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.testing import TranslationConformance


class TestService(TranslationConformance):
    test_context_and_repeats_are_answered = None  # they take strings
    opening = OpenRequest(source="en", target="de")
    fails_on = ("half \ud83d a character",)

    @pytest.fixture
    def spec(self, service):
        return service.imitated.spec(service.server.address)

    @pytest.fixture
    def backend(self, service):
        return service.open()
