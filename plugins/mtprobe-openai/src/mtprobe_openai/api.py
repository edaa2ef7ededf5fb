"""Shared by chat and completions of an OpenAI-compatible API: the key, errors, the date of a model.

Errors are `{"error": {"message", "type", "code"}}`; a used-up quota is a 429 with `insufficient_quota`, for which
waiting does not help. `GET /models/MODEL` says when a model was created, on servers that have it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from mtprobe_http import Call, Key, Problem, Service

from mtprobe.backends import ModelError

KIND = "openai"
_USED_UP = ("insufficient_quota", "credit_balance", "spend_limit", "exceeded your current quota")


class Api(Service):
    """One model of one server."""

    kind = KIND
    name: str

    def use_key(self, key: Key | None, variable: str) -> None:
        self.keys = (key,) if key else ()
        self.key_variable = variable

    def sign(self, headers: dict[str, str], url: str, content: bytes) -> None:  # noqa: ARG002 - other services use these
        for key in self.keys:
            headers["authorization"] = f"Bearer {key.reveal()}"

    def stated(self, answer: Any) -> str:
        parts = (answer.get("model"), answer.get("system_fingerprint"))
        return " ".join(part for part in parts if isinstance(part, str))

    def explain(self, answer: Any) -> str:
        error = answer.get("error") if isinstance(answer, Mapping) else None
        code = error.get("code") if isinstance(error, Mapping) else None
        message = super().explain(answer)
        return f"{message} ({code})" if isinstance(code, str) and code not in message else message

    def problem(self, status: int, words: str) -> Problem | ModelError:
        if status == 429 and any(phrase in words for phrase in _USED_UP):
            return ModelError(f"{self.kind}: {words}: the quota of the key in {self.key_variable} is used up")
        if status == 404 and "model" in words.lower():
            return ModelError(f"{self.kind}: {words}")
        if status == 400 and "temperature" in words:
            return ModelError(f"{self.kind}: {words}: temperature=none omits it")
        return super().problem(status, words)

    def version_call(self) -> Call:
        return Call(f"/models/{quote(self.name, safe='')}")

    def read_version(self, answer: Any) -> str:
        created = answer.get("created") if isinstance(answer, Mapping) else None
        if not isinstance(created, int) or not 0 < created < 2**33:
            return ""
        return f"created {datetime.fromtimestamp(created, UTC):%Y-%m-%d}"
