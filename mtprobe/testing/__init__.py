"""The conformance checks for backends, for the tests of plugins.

from mtprobe.testing import BackendConformance

class TestMine(BackendConformance):
    @pytest.fixture
    def spec(self):
        return "mine:small"
"""

from mtprobe.testing.conformance import BackendConformance, TranslationConformance
from mtprobe.testing.sentences import AWKWARD, SOURCES

__all__ = ["AWKWARD", "SOURCES", "BackendConformance", "TranslationConformance"]
