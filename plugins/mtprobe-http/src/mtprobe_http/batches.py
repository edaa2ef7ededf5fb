"""Sentences in batches that a service accepts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mtprobe.backends import LONE_SURROGATE, Failure, Request, as_request, is_encodable
from mtprobe_http.service import Limits


@dataclass(frozen=True, slots=True)
class Text:
    """A source and its index."""

    index: int
    text: str
    repeat: int = 0  # which of several translations of the text it is to get


def sort_out(sources: Iterable[str | Request], limits: Limits) -> tuple[list[Text], dict[int, str | Failure]]:
    """The texts to send, and the answers for the others: empty ones stay empty, and some are not valid or too long."""
    sendable: list[Text] = []
    settled: dict[int, str | Failure] = {}
    for index, request in enumerate(map(as_request, sources)):
        text = request.text
        if not text.strip():
            settled[index] = ""
        elif not is_encodable(text):
            settled[index] = LONE_SURROGATE
        elif (size := limits.measure(text)) > limits.size:
            settled[index] = Failure(f"{size:,} {limits.unit}; the service takes {limits.size:,} per request")
        else:
            sendable.append(Text(index, text, request.repeat))
    return sendable, settled


def batches(texts: Iterable[Text], limits: Limits) -> Iterator[list[Text]]:
    """Batches as large as the limits allow, in order, each of one repeat."""
    batch: list[Text] = []
    size = 0
    for text in texts:
        more = limits.measure(text.text)
        full = len(batch) == limits.texts or size + more > limits.size
        if batch and (full or text.repeat != batch[0].repeat):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += more
    if batch:
        yield batch
