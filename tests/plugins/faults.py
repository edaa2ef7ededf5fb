"""Everything that goes wrong with services, and what comes of it: the tests run it, docs/howto/services.md shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any, Literal

from tests.plugins.imitations import Imitated
from tests.plugins.loopback import (
    PAGE,
    Fault,
    Reply,
    changed,
    cut_off,
    drip,
    endless,
    late,
    reset,
    status,
    web_page,
)

TODAY = 1_750_000_000.0 + 1000.0  # of the tests' clock


@dataclass(frozen=True)
class Case:
    """A fault: of the first request only, or of all of them."""

    name: str
    fault: Callable[[Imitated], Fault]
    comes_of_it: Literal["translated", "failures", "stops"]
    in_words: str
    says: str = ""  # what the user reads of it, as a regular expression
    always: bool = False
    waits: tuple[float, ...] | None = None  # where it is known to the second; chance takes nothing away
    options: tuple[str, ...] = ()


def given(fault: Fault) -> Callable[[Imitated], Fault]:
    return lambda _: fault


def _of_list(change: Callable[[list[Any]], None]) -> Callable[[Imitated], Fault]:
    def made(imitated: Imitated) -> Fault:
        def spoilt(answer: Any) -> Any:
            if imitated.listed is None:
                return {}
            change(imitated.listed(answer))
            return answer

        return changed(spoilt)

    return made


def _wrong_key(imitated: Imitated) -> Fault:
    reply = imitated.wrong_key

    def fault(handler: Any, truth: Callable[[], Reply]) -> None:
        del truth
        handler.send(reply)

    return fault


_SHORT = ("timeout=0.2", "tries=2")

CASES = (
    Case("429, Retry-After in seconds", given(status(429, b"slow down", retry_after="7")), "translated",
         "holds all requests for that long, then continues", "HTTP 429.*again in 7 s", waits=(7.0,)),
    Case("429, Retry-After as a date", given(status(429, retry_after=formatdate(TODAY + 90, usegmt=True))), "translated",
         "waits until then", "HTTP 429; again in 90 s", waits=(90.0,)),
    Case("429 without Retry-After", given(status(429)), "translated",
         "waits 1 s, then 2, 4 … 30 s, each shortened at random by up to half", "HTTP 429; again in 1 s", waits=(1.0,)),
    Case("429 with an invalid Retry-After", given(status(429, retry_after="soon")), "translated",
         "same as without Retry-After", "again in 1 s", waits=(1.0,)),
    Case("429, Retry-After longer than the deadline", given(status(429, retry_after="86400")), "stops",
         "stops at once and says so", "asks to wait for 1440 min, longer than the deadline"),
    Case("429 every time", given(status(429)), "stops",
         "stops at the deadline (300 s without a good response)", "HTTP 429: .*stored, and the next run", always=True),
    Case("500 once", given(status(500, {"message": "oops"})), "translated",
         "tries again after 1 s", "HTTP 500: oops; again in 1 s", waits=(1.0,)),
    Case("500 every time", given(status(500, b"")), "failures",
         "4 attempts, then splits the batch until each sentence fails alone; stops after 300 s without a good response",
         "HTTP 500", always=True),
    Case("503 once", given(status(503, PAGE)), "translated", "same as 429", "HTTP 503.*again in 1 s", waits=(1.0,)),
    Case("503 every time", given(status(503, retry_after="60")), "stops",
         "stops at the deadline", "HTTP 503", always=True),
    Case("no response in time, first request only", given(late(0.5)), "translated",
         "tries again after `timeout` (60 s)", "no complete answer within 0.2 s", options=_SHORT),
    Case("never a response", given(late(0.5)), "failures",
         "same as 500 every time", "no complete answer within 0.05 s", always=True, options=("timeout=0.05", "tries=2")),
    Case("the body arrives one byte at a time", given(drip(0.8)), "translated",
         "counts as no response: `timeout` covers the whole response", "no complete answer within 0.2 s", options=_SHORT),
    Case("the headers arrive one byte at a time", given(drip(0.8, "headers")), "translated",
         "the same", "no complete answer within 0.2 s", options=_SHORT),
    Case("the connection is reset halfway through", given(reset), "translated", "tries again", "the connection broke"),
    Case("truncated JSON", given(cut_off), "translated", "tries again", "invalid or truncated after"),
    Case("JSON of the wrong shape", given(changed(lambda _: {"surprise": []})), "translated",
         "tries again", "an answer without|0 .* for"),
    Case("JSON of the wrong shape, every time", given(changed(lambda _: [])), "failures",
         "same as 500 every time", "an answer without|0 .* for", always=True),
    Case("too few translations", _of_list(lambda texts: texts.pop()), "translated",
         "uses none of them; tries again, then splits the batch", "for|without"),
    Case("too many translations", _of_list(lambda texts: texts.append(texts[0])), "translated",
         "the same", "for|without"),
    Case("a number where a translation should be", _of_list(lambda texts: texts.__setitem__(0, 7)), "translated",
         "tries again", "not a text|without"),
    Case("JSON nested 100,000 deep", given(status(200, b"[" * 100_000)), "translated",
         "tries again", "invalid or truncated"),
    Case("a web page, first request only", given(web_page), "translated", "tries again", "a web page instead of JSON .“Bad gateway”"),
    Case("a web page, every time", given(web_page), "stops",
         "stops after 4 attempts if no valid response has arrived", "a web page instead of JSON.*is the address right", always=True),
    Case("a response of 100 MB", given(endless), "translated",
         "reads at most 16 MiB; tries again", "longer than 16 MiB"),
    Case("a gzipped response", given(status(200, b"x", content_encoding="gzip")), "translated",
         "does not unpack it; tries again", "compressed with gzip"),
    Case("the key is wrong or expired", _wrong_key, "stops", "stops at once and names the environment variable",
         "the key in .* is wrong, expired, or not allowed"),
    Case("another address (redirect)", given(status(307, b"", location="http://127.0.0.1:9/")), "stops",
         "does not follow it, because that would send the key there, too; stops", "HTTP 307.*is the address right"),
    Case("nothing at that address (404)", given(status(404, PAGE)), "stops", "stops", "HTTP 404.*is the address right"),
    Case("the account is empty (402)", given(status(402, b"pay first")), "stops", "stops", "pay first.*no credit left"),
    Case("every sentence is refused (400)", given(status(400, {"message": "no"})), "stops",
         "splits the batch; stops when three single sentences have been refused and none translated",
         "HTTP 400: no: every sentence was refused so far", always=True),
)  # fmt: skip


def table() -> str:
    """For docs/howto/services.md."""
    outcomes = {"translated": "all translated", "failures": "sentences fail", "stops": "the run stops"}
    rows = [f"| {case.name} | {case.in_words} | {outcomes[case.comes_of_it]} |" for case in CASES]
    return "\n".join(["| what happens | what mtprobe does | outcome |", "|---|---|---|", *rows])


if __name__ == "__main__":
    print(table())  # noqa: T201
