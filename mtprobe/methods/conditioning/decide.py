"""The margin required for a verdict: the suite's key `decide`, and the noise floor measured in a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from mtprobe.errors import Failure, Problem
from mtprobe.methods.conditioning.noise import (
    NoiseFloor,
    NoiseSource,
    cannot_measure,
    noise_floor,
    noise_samples,
    noise_source,
)
from mtprobe.methods.degenerate import degenerate
from mtprobe.methods.method import Preparation, Translated
from mtprobe.methods.scored import Pooling, Query, scored_evidence, side_scores
from mtprobe.methods.verdict import Outcome, Verdict
from mtprobe.suite.format.fields import Strict

if TYPE_CHECKING:
    from mtprobe.suite.sample import Sample, Suite

Queries: TypeAlias = Callable[[Sequence[Translated], NoiseSource], Sequence[Sequence[Query]]]


def _margin(value: Any) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value == "auto" or (number and 0 <= value < 100):
        return value
    raise PydanticCustomError("margin", "must be auto, or a number of nats per token, as in 0.05")


class Decide(Strict):
    """When the difference between two scores is a decision."""

    margin: Annotated[Literal["auto"] | Annotated[float, Field(ge=0, lt=100)], BeforeValidator(_margin)]
    """The noise floor, in nats per token: a sample whose margin is not larger is undecided. `auto` measures it, on words that settle nothing or between synonyms."""


def problems(suite: Suite, method: str) -> Iterator[Problem]:
    """The problems of the suite's `decide`."""
    decide: Decide | None = suite.options["decide"]
    if decide is None:
        return
    if method not in suite.methods:
        yield Problem(suite.place_of("decide"), f"decide: only {method} needs it")
    elif decide.margin == "auto" and (reason := cannot_measure(suite)):
        yield Problem(
            suite.place_of("decide"),
            f"decide: the noise floor cannot be measured: {reason}; "
            "give a number of nats per token, as in {margin: 0.05}",
        )


def fitted_on(suite: Suite) -> list[Sample]:
    """The samples that the noise floor is measured on."""
    decide: Decide | None = suite.options.get("decide")
    if decide is None or decide.margin != "auto":
        return []
    return [sample for samples in noise_samples(suite).values() for sample in samples]


def noise_floors(preparation: Preparation, queries: Queries) -> tuple[NoiseFloor, ...]:
    """The margin that verdicts need: one for each kind of cue in the suite, or none without `decide`."""
    suite = preparation.fixed
    decide: Decide | None = suite.options.get("decide")
    if decide is None:
        return ()
    if decide.margin != "auto":
        return (NoiseFloor(decide.margin, "suite"),)
    floors = []
    for source, samples in noise_samples(suite).items():
        usable = [
            Translated(sample, text) for sample in samples if (text := _translation(sample, preparation))
        ]
        evidence = scored_evidence(queries(usable, source), preparation.ask())
        failures = [item.reason for item in evidence if isinstance(item, Failure)]
        scored = [
            (translated.sample, item)
            for translated, item in zip(usable, evidence, strict=True)
            if not isinstance(item, Failure)
        ]
        problem = failures[0] if failures else "none of the samples for measuring it has a translation"
        floors.append(noise_floor(source, scored, problem, suite.options.get("pooling", "best")))
    return tuple(floors)


def _translation(sample: Sample, preparation: Preparation) -> str | None:
    text = preparation.translations.get(sample.key)
    if not isinstance(text, str) or degenerate(sample.source, text, preparation.languages):
        return None
    return text


def floor_for(sample: Sample, floors: Sequence[NoiseFloor]) -> NoiseFloor:
    """The noise floor of the sample's kind of cues; a number in the suite applies to all."""
    source = noise_source(sample)
    return next(floor for floor in floors if floor.source in (source, "suite"))


def decided(verdict: Verdict, floor: NoiseFloor, pooling: Pooling = "best") -> Verdict:
    """The verdict; undecided where its margin is within the noise."""
    if verdict.outcome is Outcome.ERROR:
        return verdict
    *_, second, first = sorted(side_scores(verdict.evidence, pooling).values())
    margin = verdict.margin if verdict.margin is not None else first - second
    if floor.margin is not None and abs(margin) > floor.margin:
        return verdict
    return replace(verdict, outcome=Outcome.UNDECIDED, reason=floor.reason, margin=margin, choice=None)
