"""Files of samples, one module per format. A reader yields each sample with its place, or the error in its place."""

from mtprobe.datasets.registry import FORMATS

__all__ = ["FORMATS"]
