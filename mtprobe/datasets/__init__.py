"""Data formats, one module each. A reader yields each sample with its place, or an error instead."""

from mtprobe.datasets.registry import FORMATS

__all__ = ["FORMATS"]
