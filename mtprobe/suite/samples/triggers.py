"""Trigger words: the words of a source that decide which target is right."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtprobe.errors import did_you_mean
from mtprobe.suite.samples.misfit import Misfit


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
