"""Witnesses: methods that need no model. If one decides the same samples as an evaluator, it audits the verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mtprobe.audit.truth import Truth, from_witness
from mtprobe.errors import MtprobeError
from mtprobe.methods import METHODS, Method, MethodOptions, Preparation
from mtprobe.methods.first_decided import names_in
from mtprobe.methods.judge import judge_all
from mtprobe.suite.sample import Suite

_ASKED = 4000  # samples that a witness is asked about where the suite does not name it; chosen by hash


def needs_witness(method: Method) -> bool:
    """Whether its verdicts come from an evaluator."""
    return method.scored_by == "evaluator" and method.judges == "translations"


def unnamed_witnesses(
    suite: Suite, target: str, judges: Sequence[Method], options: MethodOptions
) -> tuple[Method, ...]:
    """The witnesses besides the judges that could judge samples of the suite; loads nothing heavy."""
    if not any(map(needs_witness, judges)):
        return ()
    named = {name for method in judges for name in names_in(method.name)}
    return tuple(
        method
        for method in (
            method.configured(options) for method in _known_witnesses() if method.name not in named
        )
        if _can_judge(method, suite, target)
    )


def _known_witnesses() -> Iterator[Method]:
    """Witnesses in mtprobe and in installed packages, without those that cannot be loaded."""
    for name in METHODS:
        try:
            method = METHODS[name]
        except MtprobeError:
            continue
        if method.is_witness and method.as_witness:
            yield method


def _can_judge(method: Method, suite: Suite, target: str) -> bool:
    return (
        not all(method.lacks(sample, target) for sample in suite.samples)
        and method.obstacle(suite, target) is None
    )


def testify(
    witnesses: Iterable[Method], preparation: Preparation
) -> tuple[tuple[Truth, ...], tuple[str, ...]]:
    """The decisions of witnesses that the suite does not name; and why others could not decide."""
    truths: list[Truth] = []
    problems: list[str] = []
    suite = preparation.suite.take(_ASKED)
    keys = {sample.key for sample in suite.samples}
    translations = {key: text for key, text in preparation.translations.items() if key in keys}
    asked = replace(preparation, suite=suite, translations=translations, scorer=None, repeats=1)
    for witness in witnesses:
        try:
            results = tuple(judge_all(witness.prepare(asked), asked))
        except MtprobeError as error:
            problems.append(f"{witness.name} could not be the witness: {error}")
            continue
        truths.append(from_witness(witness.name, results))
    return tuple(truths), tuple(problems)
