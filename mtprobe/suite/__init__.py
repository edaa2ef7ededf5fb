"""YAML → samples."""

from mtprobe.suite.load import load_suite
from mtprobe.suite.sample import Contrast, GateText, Sample, Scalar, Suite

__all__ = ["Contrast", "GateText", "Sample", "Scalar", "Suite", "load_suite"]
