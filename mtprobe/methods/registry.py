"""The registry of methods: built-in methods and those of installed packages (entry-point group `mtprobe.methods`)."""

from __future__ import annotations

from mtprobe.errors import MOST_PROBLEMS, MtprobeError, Problem, SuiteError, did_you_mean
from mtprobe.methods.checks.preserve import Preserve
from mtprobe.methods.checks.python_check import PREFIX, PythonCheck
from mtprobe.methods.checks.word_lists import WordLists
from mtprobe.methods.contrastive_conditioning import ContrastiveConditioning
from mtprobe.methods.first_decided import FirstDecided, names_in
from mtprobe.methods.gender_morphology import GenderMorphology
from mtprobe.methods.lexicon import Lexicon
from mtprobe.methods.masked_lm import MaskedLM
from mtprobe.methods.method import Method
from mtprobe.methods.minimal_pairs import MinimalPairs
from mtprobe.methods.question.method import QuestionMethod
from mtprobe.methods.reference_words import ReferenceWords
from mtprobe.methods.relations.method import RelationMethod
from mtprobe.suite.sample import Suite
from mtprobe.suite.samples.focus import emphasized, lookalike
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
        for method in (
            ContrastiveConditioning(),
            MinimalPairs(),
            MaskedLM(),
            Lexicon(),
            GenderMorphology(),
            ReferenceWords(),
            Preserve(),
            WordLists(),
            RelationMethod(),
            QuestionMethod(),
        )
    },
    _method,
)
"""Every method by its name."""


def methods_of(suite: Suite) -> tuple[Method, ...]:
    """The methods that judge the suite, or an error at the line that names an unknown one."""
    methods = [_known(name) for name in suite.methods]
    for name, method in zip(suite.methods, methods, strict=True):
        if method is None:
            hint = (
                "; write python:pkg.module:check" if name.startswith(PREFIX) else did_you_mean(name, METHODS)
            )
            raise SuiteError.at(suite.methods_place, f'unknown method "{name}"{hint}')
    return tuple(method for method in methods if method is not None)


def _known(name: str) -> Method | None:
    if name.startswith(PREFIX) and name.count(":") > 1:
        return PythonCheck(name)
    return METHODS.get(name)


def method_named(name: str) -> Method | None:
    """The method named in a record, or a combination of several; None if one of them is not installed."""
    names = names_in(name)
    methods = [method for part in names if (method := _known(part)) is not None]
    if len(methods) < len(names):
        return None
    return methods[0] if len(methods) == 1 else FirstDecided(methods)


def reads_senses(name: str) -> bool:
    """Whether a method named in a record reads senses; False for unknown methods."""
    method = method_named(name)
    return method is not None and method.reads_senses


def check_evidence(suite: Suite) -> None:
    """Every sample has what some method of the suite needs, and every method has a sample that it can judge."""
    methods = methods_of(suite)
    if suite.combine is not None:
        _check_combination(suite, methods)
    problems = []
    for sample in suite.samples:
        lacking = [(method, method.lacks(sample)) for method in methods]
        if all(lack for _, lack in lacking):
            method, lack = lacking[0]
            mistaken = None if sample.focus else lookalike(sample.source) or emphasized(sample.source)
            hint = f"; {mistaken}" if mistaken else ""
            problems.append(Problem(sample.place, f'sample "{sample.id}": {method.name} {lack}{hint}'))
            if len(problems) >= MOST_PROBLEMS:
                break
    if not problems:
        for method in methods:
            lacks = [method.lacks(sample) for sample in suite.samples]
            if lacks and all(lacks):
                problems.append(Problem(suite.methods_place, f"{method.name}: every sample {lacks[0]}"))
    if problems:
        raise SuiteError(problems)


def _check_combination(suite: Suite, methods: tuple[Method, ...]) -> None:
    """Only verdicts on the same texts can stand for each other."""
    for method in methods:
        if method.judges != "translations":
            raise SuiteError.at(
                suite.methods_place,
                f"combine: {method.name} judges given targets; combine methods that judge translations",
            )
