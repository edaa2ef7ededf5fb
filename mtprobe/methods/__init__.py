"""How a sample is judged, one file a method."""

from __future__ import annotations

from mtprobe.errors import Problem, SuiteError, did_you_mean
from mtprobe.methods.contrastive_conditioning import ContrastiveConditioning
from mtprobe.methods.method import Method
from mtprobe.suite.sample import Suite

__all__ = ["METHODS", "Method", "check_evidence", "method_of"]

METHODS: dict[str, Method] = {method.name: method for method in (ContrastiveConditioning(),)}

_MAX_PROBLEMS = 20


def method_of(suite: Suite) -> Method:
    """The method that judges the suite, or an error at the place that names an unknown one."""
    for name in suite.methods:
        if name not in METHODS:
            raise SuiteError.at(suite.methods_place, f'unknown method "{name}"{did_you_mean(name, METHODS)}')
    return METHODS[suite.methods[0]]


def check_evidence(suite: Suite, method: Method) -> None:
    """Every sample has what the method needs."""
    problems = []
    for sample in suite.samples:
        if lacking := method.lacks(sample):
            problems.append(Problem(sample.place, f'sample "{sample.id}": {method.name} {lacking}'))
            if len(problems) >= _MAX_PROBLEMS:
                break
    if problems:
        raise SuiteError(problems)
