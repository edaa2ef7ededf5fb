"""A service on loopback that misbehaves by plan: the n-th request gets the n-th fault, later ones the truth."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Asked:
    """A request as the server saw it."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    raw: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.raw)


@dataclass(frozen=True)
class Reply:
    status: int
    content: Any  # bytes as they are, else JSON
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def body(self) -> bytes:
        return self.content if isinstance(self.content, bytes) else json.dumps(self.content).encode()


Imitation = Callable[[Asked], Reply]
Fault = Callable[["Handler", Callable[[], Reply]], None]


@dataclass
class Loopback:
    """What was asked, and what is still to go wrong."""

    imitation: Imitation
    address: str = ""
    plan: list[Fault] = field(default_factory=list)
    always: Fault | None = None  # for every request
    asked: list[Asked] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    under_way: int = 0
    most_under_way: int = 0

    def translations(self) -> list[Asked]:
        """The requests for translations, without those for a version."""
        return [one for one in self.asked if one.method == "POST"]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two packets: otherwise every answer takes 40 ms
    loopback: Loopback

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.answer()

    def log_message(self, *_: object) -> None:
        pass

    def answer(self) -> None:
        here = self.loopback
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, parts.path, dict(parse_qsl(parts.query)), headers, raw)
        with here.lock:
            here.asked.append(asked)
            here.under_way += 1
            here.most_under_way = max(here.most_under_way, here.under_way)
            planned = here.plan.pop(0) if here.plan and self.command == "POST" else None
            fault = planned or (here.always if self.command == "POST" else None)
        try:
            if fault is not None:
                fault(self, lambda: here.imitation(asked))
            else:
                self.send(here.imitation(asked))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            with here.lock:
                here.under_way -= 1

    def send(self, reply: Reply, length: int | None = None) -> None:
        """A whole reply; `length` is a lie about its length."""
        self.send_response(reply.status)
        headers = {"Content-Type": "application/json", **reply.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body) if length is None else length))
        self.end_headers()
        self.wfile.write(reply.body)

    def reset(self) -> None:
        """Ends the connection as a crash would."""
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True


@contextmanager
def loopback(imitation: Imitation) -> Iterator[Loopback]:
    here = Loopback(imitation)
    handler = type("OwnHandler", (Handler,), {"loopback": here})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    here.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


# -- faults --


def status(code: int, content: Any = b"", **headers: str) -> Fault:
    """An answer of another status; `retry_after="3"` becomes a header."""
    named = {name.replace("_", "-").title(): value for name, value in headers.items()}

    def fault(handler: Handler, truth: Callable[[], Reply]) -> None:
        del truth
        handler.send(Reply(code, content, named))

    return fault


def late(seconds: float) -> Fault:
    """Says nothing for a while."""

    def fault(handler: Handler, truth: Callable[[], Reply]) -> None:
        time.sleep(seconds)
        handler.send(truth())

    return fault


def drip(seconds: float, where: str = "body") -> Fault:
    """A byte now and then, so that no single read takes long: in the body, or already in the headers."""

    def fault(handler: Handler, truth: Callable[[], Reply]) -> None:
        body = truth().body
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        if where == "body":
            handler.wfile.write(head)
        end = time.monotonic() + seconds
        for byte in body if where == "body" else head:
            handler.wfile.write(bytes([byte]))
            if time.monotonic() > end:
                break
            time.sleep(0.02)
        handler.close_connection = True

    return fault


def reset(handler: Handler, truth: Callable[[], Reply]) -> None:
    """The connection is reset in the middle of the body."""
    reply = truth()
    handler.send(Reply(200, reply.body[: len(reply.body) // 2]), length=len(reply.body))
    handler.reset()


def cut_off(handler: Handler, truth: Callable[[], Reply]) -> None:
    """Half of the JSON, with a length that fits."""
    reply = truth()
    handler.send(Reply(200, reply.body[: len(reply.body) // 2]))


def changed(change: Callable[[Any], Any]) -> Fault:
    """The truth, but for what `change` makes of its JSON."""

    def fault(handler: Handler, truth: Callable[[], Reply]) -> None:
        handler.send(Reply(200, change(json.loads(truth().body))))

    return fault


def endless(handler: Handler, truth: Callable[[], Reply]) -> None:
    """100 MB where a few hundred bytes should be."""
    del truth
    size = 100 * 1000 * 1000
    handler.send_response(200)
    handler.send_header("Content-Length", str(size))
    handler.end_headers()
    for _ in range(size // 100_000):
        handler.wfile.write(b" " * 100_000)


PAGE = b"<!doctype html><html><head><title>Bad gateway</title></head><body>nginx</body></html>"


def web_page(handler: Handler, truth: Callable[[], Reply]) -> None:
    """A proxy's page, with status 200."""
    del truth
    handler.send(Reply(200, PAGE, {"Content-Type": "text/html"}))


def in_turn(*faults: Fault) -> Sequence[Fault]:
    return faults
