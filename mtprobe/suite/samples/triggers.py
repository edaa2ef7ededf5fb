"""Trigger words: those of a source that tell which target is right."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtprobe.errors import did_you_mean
from mtprobe.suite.samples.misfit import Misfit


def trigger_spans(triggers: Sequence[str] | None, source: str) -> tuple[tuple[int, int], ...]:
    """Where the triggers stand in the source, in whatever spelling of capitals; each must."""
    spans: set[tuple[int, int]] = set()
    for trigger in triggers or ():
        words = r"\s+".join(map(re.escape, trigger.split()))
        found = [match.span() for match in re.finditer(rf"(?<!\w){words}(?!\w)", source, re.IGNORECASE)]
        if not found:
            near = did_you_mean(trigger, re.findall(r"\w+", source))
            raise Misfit("triggers", f'triggers: "{trigger}" does not stand in the source{near}')
        spans.update(found)
    return tuple(sorted(spans))
