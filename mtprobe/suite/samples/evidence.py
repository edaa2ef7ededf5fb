"""Converts the evidence in a sample's keys to the form used by other stages: targets, lemmas, triggers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mtprobe.errors import did_you_mean
from mtprobe.language import tags
from mtprobe.language.lexeme import LexemeError, read_lexeme
from mtprobe.suite.format.evidence import Lemmas, TargetSides, VariantValues
from mtprobe.suite.sample import Contrast, Scalar, SenseLemmas, Variants
from mtprobe.suite.samples import english

_GAP = re.compile(r"(?<!\w)_(?!\w)")


class Misfit(ValueError):
    """A sample that does not fit its suite: at which of its keys, and why."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


def with_fillers(
    targets: dict[str, TargetSides] | None, fillers: TargetSides | None, source: str, language: str
) -> dict[str, TargetSides] | None:
    """The targets, including the filled sentences, which are in the language of the source."""
    if fillers is None:
        return targets
    if targets and any(tags.fits(other, language) for other in targets):
        raise Misfit("fillers", f"fillers: there are `targets` in {language} already; give one of the two")
    gaps = [match.span() for match in _GAP.finditer(source)]
    if len(gaps) != 1:
        count = f"{len(gaps)} gaps" if gaps else "no gap"
        raise Misfit("fillers", f"fillers: the source has {count}; write one _ in their place: {source!r}")
    (gap,) = gaps
    filled = {
        side: _filled(source, gap, getattr(fillers, side), language) for side in ("correct", "incorrect")
    }
    return {**(targets or {}), language: fillers.model_copy(update=filled)}


def _filled(source: str, gap: tuple[int, int], fillers: Sequence[str], language: str) -> list[str]:
    before, after = source[: gap[0]], source[gap[1] :]
    starts = english.starts_sentence(before)
    sentences = []
    for filler in fillers:
        text = english.capitalised(filler) if starts else filler
        repaired = english.with_article(before, text) if tags.fits("en", language) else before
        sentences.append(repaired + text + after)
    return sentences


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


def word_lists_of(written: Any) -> dict[str, dict[str, tuple[str, ...]]]:
    """`must_contain` and `must_not_contain` of a suite, a sample or a template, where they are given."""
    given = {key: getattr(written, key) for key in ("must_contain", "must_not_contain")}
    return {
        key: {language: tuple(words) for language, words in lists.items()}
        for key, lists in given.items()
        if lists
    }


def lemmas_of(
    written: Mapping[str, Lemmas] | None, senses: Mapping[str, int] | None
) -> dict[str, SenseLemmas] | None:
    """The lemmas by language, checked against the word's senses where those are given."""
    if written is None:
        return None
    return {language: _lemmas(language, sides, senses) for language, sides in written.items()}


def _lemmas(language: str, sides: Lemmas, senses: Mapping[str, int] | None) -> SenseLemmas:
    by_sense = sides.bad if isinstance(sides.bad, dict) else {}
    bad = [lemma for lemmas in by_sense.values() for lemma in lemmas] if by_sense else list(sides.bad)
    for lemma in (*sides.good, *bad, *(sides.either or ())):  # again: a template's slots are filled only now
        try:
            read_lexeme(lemma)
        except LexemeError as error:
            raise Misfit("lemmas", f"lemmas.{language}: {error}") from None
    for key, name in (*(("bad", name) for name in by_sense), *(("also", name) for name in sides.also)):
        if senses is not None and name not in senses:
            raise Misfit(
                "lemmas",
                f'lemmas.{language}.{key}: "{name}" is not among the `senses`{did_you_mean(name, senses)}',
            )
    for lemma in (lemma for lemmas in sides.also.values() for lemma in lemmas):
        if lemma not in sides.good:
            hint = did_you_mean(lemma, sides.good)
            raise Misfit("lemmas", f'lemmas.{language}.also: "{lemma}" is not a good lemma{hint}')
    senses_of: dict[str, list[str]] = {}
    for name, lemmas in (*by_sense.items(), *sides.also.items()):
        for lemma in lemmas:
            senses_of.setdefault(lemma, []).append(name)
    return SenseLemmas(
        correct=tuple(sides.good),
        incorrect=tuple(dict.fromkeys(bad)),
        senses={lemma: tuple(names) for lemma, names in senses_of.items()},
        either=tuple(sides.either or ()),
    )


def rank_attributes(attributes: Mapping[str, Scalar], senses: Mapping[str, int] | None) -> dict[str, Scalar]:
    """`sense_rank` and `polysemy`, derived from the word's senses unless the sample has them."""
    if senses is None:
        return {}
    sense = attributes.get("sense")
    if sense is None:
        raise Misfit("senses", "has `senses`, but no attribute `sense` to show which of them the word has")
    if sense not in senses:
        raise Misfit(
            "senses", f'the sense "{sense}" is not among the `senses`{did_you_mean(str(sense), senses)}'
        )
    listed = senses[str(sense)]
    least = max(len(senses), *senses.values())  # how many senses the word has
    rank, degree = attributes.get("sense_rank", listed), attributes.get("polysemy", least)
    if rank != listed:
        raise Misfit("senses", f'sense_rank: {rank} is not the rank of "{sense}" in `senses`, {listed}')
    if not isinstance(degree, int) or degree < least:
        raise Misfit("senses", f"polysemy: {degree} is less than the number of `senses`, {least}")
    return {"sense_rank": listed, "polysemy": degree}


def trigger_spans(triggers: Sequence[str] | None, source: str) -> tuple[tuple[int, int], ...]:
    """The spans of the triggers in the source, ignoring case; each must be there."""
    spans: set[tuple[int, int]] = set()
    for trigger in triggers or ():
        words = r"\s+".join(map(re.escape, trigger.split()))
        matches = [match.span() for match in re.finditer(rf"(?<!\w){words}(?!\w)", source, re.IGNORECASE)]
        if not matches:
            hint = did_you_mean(trigger, re.findall(r"\w+", source))
            raise Misfit("triggers", f'triggers: "{trigger}" is not in the source{hint}')
        spans.update(matches)
    return tuple(sorted(spans))
