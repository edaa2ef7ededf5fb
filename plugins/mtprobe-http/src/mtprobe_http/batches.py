"""Sentences in batches that a service takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mtprobe.backends import LONE_SURROGATE, Failure, is_encodable
from mtprobe_http.service import Limits


class Text(NamedTuple):
    """A source and its place among all."""

    place: int
    text: str


def sort_out(sources: Iterable[str], limits: Limits) -> tuple[list[Text], dict[int, str | Failure]]:
    """What can be sent, and what is known without asking: nothing is made of nothing, and some are too long."""
    sendable: list[Text] = []
    settled: dict[int, str | Failure] = {}
    for place, text in enumerate(sources):
        if not text.strip():
            settled[place] = ""
        elif not is_encodable(text):
            settled[place] = LONE_SURROGATE
        elif (size := limits.measure(text)) > limits.size:
            settled[place] = Failure(f"{size:,} {limits.unit}; the service takes {limits.size:,} at once")
        else:
            sendable.append(Text(place, text))
    return sendable, settled


def batches(texts: Iterable[Text], limits: Limits) -> Iterator[list[Text]]:
    """As many at once as the limits allow, in order."""
    batch: list[Text] = []
    size = 0
    for one in texts:
        more = limits.measure(one.text)
        if batch and (len(batch) == limits.texts or size + more > limits.size):
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += more
    if batch:
        yield batch
