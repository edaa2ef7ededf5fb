"""YAML → samples. `mtprobe.suites.load_suite` reads a suite with all installed methods and formats."""

from mtprobe.suite.load import read_suite
from mtprobe.suite.sample import Choices, Contrast, GateText, Sample, Scalar, Suite

__all__ = ["Choices", "Contrast", "GateText", "Sample", "Scalar", "Suite", "read_suite"]
