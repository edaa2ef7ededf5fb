"""The methods that a suite may name: ours, and those of installed packages (entry-point group `mtprobe.methods`)."""

from __future__ import annotations

from mtprobe.errors import MOST_PROBLEMS, MtprobeError, Problem, SuiteError, did_you_mean
from mtprobe.methods.contrastive_conditioning import ContrastiveConditioning
from mtprobe.methods.gender_morphology import GenderMorphology
from mtprobe.methods.lexicon import Lexicon
from mtprobe.methods.masked_lm import MaskedLM
from mtprobe.methods.method import Method
from mtprobe.methods.minimal_pairs import MinimalPairs
from mtprobe.suite.sample import Suite
from mtprobe.system.extensions import Extensions


def _method(name: str, loaded: object) -> Method:
    """A plugin's entry point is a subclass of `Method`, or an instance of one."""
    method = loaded() if isinstance(loaded, type) else loaded
    if not isinstance(method, Method):
        raise MtprobeError("it is not a mtprobe.methods.Method")
    if method.name != name:
        raise MtprobeError(f'its name is "{method.name}"')
    return method


METHODS = Extensions[Method](
    "mtprobe.methods",
    {
        method.name: method
        for method in (ContrastiveConditioning(), MinimalPairs(), MaskedLM(), Lexicon(), GenderMorphology())
    },
    _method,
)


def methods_of(suite: Suite) -> tuple[Method, ...]:
    """The methods that judge the suite, or an error at the line that names an unknown one."""
    for name in suite.methods:
        if name not in METHODS:
            raise SuiteError.at(suite.methods_place, f'unknown method "{name}"{did_you_mean(name, METHODS)}')
    return tuple(METHODS[name] for name in suite.methods)


def reads_senses(method: str) -> bool:
    """Whether a method that a record names reads senses; an unknown one does not."""
    return method in METHODS and METHODS[method].reads_senses


def check_evidence(suite: Suite) -> None:
    """Every sample has what some method of the suite needs, and every method has a sample that it can judge."""
    methods = methods_of(suite)
    problems = []
    for sample in suite.samples:
        lacking = [(method, method.lacks(sample)) for method in methods]
        if all(lack for _, lack in lacking):
            method, lack = lacking[0]
            problems.append(Problem(sample.place, f'sample "{sample.id}": {method.name} {lack}'))
            if len(problems) >= MOST_PROBLEMS:
                break
    if not problems:
        for method in methods:
            lacks = [method.lacks(sample) for sample in suite.samples]
            if lacks and all(lacks):
                problems.append(Problem(suite.methods_place, f"{method.name}: every sample {lacks[0]}"))
    if problems:
        raise SuiteError(problems)
