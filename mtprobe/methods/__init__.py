"""Methods judge samples; each has its own module. To add a method, subclass `Method`."""

from mtprobe.methods.method import Ask, Method, MethodOptions, Obstacle, Preparation, Translated
from mtprobe.methods.registry import METHODS, check_evidence, method_named, methods_of, reads_senses
from mtprobe.methods.verdict import Evidence, Outcome, Verdict

__all__ = [
    "METHODS",
    "Ask",
    "Evidence",
    "Method",
    "MethodOptions",
    "Obstacle",
    "Outcome",
    "Preparation",
    "Translated",
    "Verdict",
    "check_evidence",
    "method_named",
    "methods_of",
    "reads_senses",
]
