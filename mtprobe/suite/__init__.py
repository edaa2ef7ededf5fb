"""YAML → samples."""

from mtprobe.suite.load import load_suite
from mtprobe.suite.sample import Choices, Contrast, GateText, Sample, Scalar, Suite

__all__ = ["Choices", "Contrast", "GateText", "Sample", "Scalar", "Suite", "load_suite"]
