"""A gate's key: `accuracy[female] @ lexicon` names a metric, what it covers, and the method whose verdicts it reads."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from mtprobe.errors import MtprobeError
from mtprobe.metrics import METRICS, Metric, Selector
from mtprobe.metrics.selectors import split_brackets

_KEY = re.compile(
    r"^(?P<metric>[A-Za-z][A-Za-z0-9_-]*)(?:\[(?P<brackets>[^\]]*)\])?(?:\s*@\s*(?P<method>[\w-]+))?$"
)


class KeyParts(NamedTuple):
    """The texts of a key, unchecked."""

    metric: str
    brackets: str | None
    method: str | None


def split_key(key: str) -> KeyParts | None:
    """None where the text is no key."""
    match = _KEY.match(key)
    return KeyParts(match["metric"], match["brackets"], match["method"]) if match else None


@lru_cache(maxsize=1024)
def parse_key(key: str) -> tuple[Metric | None, Selector]:
    """Metric and selector of a recorded gate; no metric where no installed package defines it."""
    parts = split_key(key)
    if parts is None or parts.metric not in METRICS:
        return None, Selector()
    try:
        metric = METRICS[parts.metric]
    except MtprobeError:  # a report does without the package that measured
        return None, Selector()
    return metric, metric.select(split_brackets(parts.brackets))
