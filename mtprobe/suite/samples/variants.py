"""Targets with the attributes in which they differ, checked against the values that the suite declares."""

from __future__ import annotations

from collections.abc import Mapping

from mtprobe.errors import did_you_mean
from mtprobe.suite.format.sides import TargetSides, VariantValues
from mtprobe.suite.sample import Contrast, Scalar, Variants
from mtprobe.suite.samples.misfit import Misfit


def targets_of(
    written: Mapping[str, TargetSides] | None, scales: Mapping[str, tuple[Scalar, ...]]
) -> dict[str, Contrast] | None:
    """The targets by language; `scales` are the values of each attribute in order."""
    if written is None:
        return None
    return {
        language: Contrast(
            tuple(sides.correct),
            tuple(sides.incorrect),
            {name: _variants(name, values, sides, scales) for name, values in sides.variants.items()},
        )
        for language, sides in written.items()
    }


def _variants(
    name: str, values: VariantValues, sides: TargetSides, scales: Mapping[str, tuple[Scalar, ...]]
) -> Variants:
    for side in ("correct", "incorrect"):
        given, texts = getattr(values, side), getattr(sides, side)
        if len(given) != len(texts):
            raise Misfit(
                "targets", f"variants.{name}: {len(given)} {side} values for {len(texts)} {side} targets"
            )
        for value in given:
            if name in scales and value not in scales[name]:
                hint = did_you_mean(str(value), map(str, scales[name]))
                raise Misfit("targets", f'variants.{name}: "{value}" is not declared{hint}')
            if name not in scales and (isinstance(value, bool) or not isinstance(value, int | float)):
                raise Misfit(
                    "targets",
                    f'variants.{name}: "{value}" is not a number; declare the order of its values in the suite, '
                    f"as in `variants: {{{name}: [{value}, …]}}`",
                )
    return Variants(tuple(values.correct), tuple(values.incorrect))
