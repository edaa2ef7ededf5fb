"""For the tests of plugins: the checks that every backend passes.

from mtprobe.testing import BackendConformance

class TestMine(BackendConformance):
    @pytest.fixture
    def spec(self):
        return "mine:small"
"""

from mtprobe.testing.conformance import BackendConformance, TranslationConformance
from mtprobe.testing.sentences import AWKWARD, SOURCES

__all__ = ["AWKWARD", "SOURCES", "BackendConformance", "TranslationConformance"]
