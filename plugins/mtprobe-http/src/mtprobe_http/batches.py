"""Groups sentences into batches that a service accepts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from mtprobe.backends import LONE_SURROGATE, Failure, Request, as_request, is_encodable
from mtprobe_http.service import Limits


class Sendable(Protocol):
    """The input for one result."""

    @property
    def index(self) -> int:
        """The index of the result."""

    @property
    def text(self) -> str:
        """The text that is sent, as counted by limits."""

    @property
    def repeat(self) -> int:
        """Which of several results for the text it is to get."""


Item = TypeVar("Item", bound=Sendable)


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
        elif (failure := too_long(text, limits)) is not None:
            settled[index] = failure
        else:
            sendable.append(Text(index, text, request.repeat))
    return sendable, settled


def too_long(text: str, limits: Limits) -> Failure | None:
    """Why a text cannot be sent, if it is longer than a request may be."""
    if (size := limits.measure(text)) <= limits.size:
        return None
    return Failure(f"{size:,} {limits.unit}; the service takes {limits.size:,} per request")


def batches(texts: Iterable[Item], limits: Limits) -> Iterator[list[Item]]:
    """Batches as large as the limits allow, in order, each of one repeat."""
    batch: list[Item] = []
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
