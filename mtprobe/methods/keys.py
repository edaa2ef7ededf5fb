"""The keys that our methods add to suites."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from mtprobe.errors import Problem
from mtprobe.suite.format.keys import MethodKeys
from mtprobe.suite.sample import Suite


class TieKeys(MethodKeys):
    ties: Literal["correct", "incorrect"] | None = None
    """What two equal scores count as. By default what the method's paper does."""


class ConditioningKeys(TieKeys):
    calibrate: bool = False
    """Subtract the offset that an audit of the evaluator finds: a constant preference of its scores for one reading. Needs `audit` pairs."""

    @classmethod
    def problems(cls, suite: Suite) -> Iterator[Problem]:
        if suite.options["calibrate"] and not suite.audit:
            yield Problem(
                suite.place_of("calibrate"), "calibrate: needs `audit` pairs, which show what to subtract"
            )


class GenderKeys(MethodKeys):
    gender_rules: Literal["grammar", "winomt-2019"] = "grammar"
    """For `gender-morphology`, how a person's gender is read: by the grammars that come with mtprobe (de, es, fr, it, pt, ru), or by the German rules of WinoMT as they were published."""
