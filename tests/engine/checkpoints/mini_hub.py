"""A hub on loopback: the part of its HTTP interface that downloads need, and a list of requests."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

COMMIT = "1" * 40


@dataclass
class MiniHub:
    """One repository, `org/model`, with the branch `main` and the tag `v1`; others fail in their own ways."""

    files: Mapping[str, bytes]
    address: str = ""
    requests: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)

    @property
    def downloaded(self) -> set[str]:
        return {
            path.rpartition("/")[2] for path in self.requests if path.startswith("GET /org/model/resolve/")
        }


@contextmanager
def mini_hub(files: Mapping[str, bytes]) -> Iterator[MiniHub]:
    hub = MiniHub(files)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.answer(body=True)

        def do_HEAD(self) -> None:
            self.answer(body=False)

        def log_message(self, *_: object) -> None:
            pass

        def answer(self, body: bool) -> None:
            path = unquote(urlsplit(self.path).path)
            hub.requests.append(f"{self.command} {path}")
            hub.tokens.add(self.headers.get("Authorization", ""))
            status, headers, content = _reply(hub, path)
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            if body:
                self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _reply(hub: MiniHub, path: str) -> tuple[int, dict[str, str], bytes]:
    if "/org/gated" in path:
        return 403, {"X-Error-Code": "GatedRepo", "X-Error-Message": "restricted"}, b"{}"
    if "/org/broken" in path:
        return 500, {}, b"{}"
    if "/org/model" not in path:
        return 401, {"X-Error-Code": "RepoNotFound", "X-Error-Message": "no such repository"}, b"{}"
    parts = path.strip("/").split("/")
    if parts[0] == "api":
        revision = parts[5] if len(parts) > 5 else "main"
        if revision not in ("main", "v1", COMMIT):
            return 404, {"X-Error-Code": "RevisionNotFound", "X-Error-Message": "no such revision"}, b"{}"
        return 200, {"Content-Type": "application/json"}, json.dumps(_facts(hub, parts)).encode()
    content = hub.files.get(parts[-1])
    if content is None:
        return 404, {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": COMMIT}, b""
    return 200, {"ETag": f'"{_oid(content)}"', "X-Repo-Commit": COMMIT}, content


def _facts(hub: MiniHub, parts: list[str]) -> object:
    if len(parts) > 4 and parts[4] == "tree":
        return [
            {"type": "file", "path": name, "size": len(content), "oid": _oid(content)}
            for name, content in hub.files.items()
        ]
    return {
        **{"id": "org/model", "modelId": "org/model", "sha": COMMIT, "private": False, "tags": []},
        "siblings": [{"rfilename": name} for name in hub.files],
    }


def _oid(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
