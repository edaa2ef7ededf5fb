"""A sentence with a gap, and its fillers: each makes a complete sentence in the source's language."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtprobe.language import tags
from mtprobe.suite.format.sides import TargetSides
from mtprobe.suite.samples import english
from mtprobe.suite.samples.misfit import Misfit

_GAP = re.compile(r"(?<!\w)_(?!\w)")


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
        raise Misfit("fillers", f"fillers: the source has {count}; write one _ where they go: {source!r}")
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
