"""One HTTP request: limited in time and size, with secrets only in the request itself.

Everything that comes back is scrubbed here, before anybody reads or shortens it.
"""

from __future__ import annotations

import asyncio
import json
import os
import ssl
from collections.abc import Mapping
from functools import cache
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode

import httpx

from mtprobe_http.keys import keep_out_of_logs, scrubber_for
from mtprobe_http.problems import Broken, Problem, Unreachable
from mtprobe_http.service import Answer, Call, Service, in_short
from mtprobe_http.settings import Settings

LONGEST_ANSWER = 16 * 1024 * 1024  # bytes
_CONNECTING = 10.0  # seconds, at most


class Transport:
    """Connections to one service. Redirects are not followed, since they would send the key elsewhere."""

    def __init__(self, service: Service, settings: Settings) -> None:
        self._service = service
        self._settings = settings
        self._client = httpx.AsyncClient(
            timeout=httpx.Timeout(settings.timeout, connect=min(_CONNECTING, settings.timeout)),
            limits=httpx.Limits(max_connections=settings.limits.concurrency),
            follow_redirects=False,
            verify=_trusted(),
        )
        self._scrubber = scrubber_for(service.keys)
        keep_out_of_logs(service.keys)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def send(self, call: Call) -> Answer:
        """The answer, whatever its status; a missing answer is a `Problem`."""
        problem: Exception
        try:
            async with asyncio.timeout(self._settings.timeout):
                return await self._sent(call)
        except TimeoutError:
            problem = Broken(f"no complete answer within {self._settings.timeout:g} s")
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            problem = Unreachable(f"{self._settings.url} cannot be reached ({self._cause(error)})")
        except httpx.TimeoutException:
            problem = Broken(f"no answer within {self._settings.timeout:g} s")
        except httpx.HTTPError as error:
            problem = Broken(f"the connection broke ({self._cause(error)})")
        except Problem as error:
            problem = error.with_traceback(None)
        except Exception as error:  # a bug, whose frames contain the key: only its message is kept
            problem = RuntimeError(self._scrubber.scrub_message(f"{type(error).__name__}: {error}"))
        raise problem  # out here, so that it has no context whose frames contain the key

    async def _sent(self, call: Call) -> Answer:
        async with self._client.stream(**self._request(call)) as response:
            encoding = response.headers.get("content-encoding", "identity")
            if encoding != "identity":
                raise Broken(f"an answer compressed with {encoding}, which was not requested")
            body = bytearray()
            async for part in response.aiter_raw():
                body += part
                if len(body) > LONGEST_ANSWER:
                    raise Broken(f"an answer longer than {LONGEST_ANSWER // 2**20} MiB")
            headers = {name.lower(): self._scrubber.scrub(value) for name, value in response.headers.items()}
            clean = self._clean(bytes(body))
            return Answer(response.status_code, headers, clean, repeats_key=clean != body)

    def _clean(self, body: bytes) -> bytes:
        """The body without keys, in its own encoding."""
        try:
            encoding: str = json.detect_encoding(body)
            text = body.decode(encoding, "surrogatepass")
        except UnicodeDecodeError:
            encoding = "latin-1"  # has a character for every byte
            text = body.decode(encoding)
        clean = self._scrubber.scrub(text)
        return body if clean == text else clean.encode(encoding, "surrogatepass")

    def _cause(self, error: Exception) -> str:
        """The library's message, which may quote the server."""
        return in_short(self._scrubber.scrub_message(_cause(error)))

    def _request(self, call: Call) -> Mapping[str, Any]:
        url = f"{self._settings.url}{call.path}"
        if call.query:
            url += f"?{urlencode(call.query)}"
        headers = {
            "accept": "application/json",
            "accept-encoding": "identity",
            "user-agent": "mtprobe",
            **call.headers,
        }
        content = b""
        if call.body is not None:
            headers.setdefault("content-type", "application/json")
            body: Any = call.body
            if isinstance(body, Mapping):
                body = dict(body)
                self._service.add_key(body)
            content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        self._service.sign(headers, url, content)
        return {
            "method": "GET" if call.body is None else "POST",
            "url": url,
            "headers": headers,
            "content": content or None,
        }


@cache
def _trusted() -> ssl.SSLContext:
    """Cached, since reading the certificates takes longer than many requests."""
    return httpx.create_ssl_context()


def _cause(error: Exception) -> str:
    """The operating system's description, if there is one."""
    if isinstance(error, httpx.ConnectTimeout):
        return "no connection in time"
    inner: BaseException | None = error
    while inner is not None:
        if isinstance(inner, ssl.SSLError):
            return f"TLS: {inner.reason or inner}"
        if isinstance(inner, OSError) and inner.errno:
            return os.strerror(inner.errno) if inner.errno > 0 else str(inner.strerror)
        inner = inner.__cause__ or inner.__context__
    return str(error) or type(error).__name__
