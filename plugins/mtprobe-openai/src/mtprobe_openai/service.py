"""`POST /chat/completions`: one sentence per request.

Errors are `{"error": {"message", "type", "code"}}`; a used-up quota is a 429 with `insufficient_quota`, for which
waiting does not help. `GET /models/MODEL` says when a model was created, on servers that have it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from mtprobe_http import Broken, Call, HttpBackend, Key, Limits, Problem, Service, open_service
from mtprobe_http.service import as_many, in_short, text_in
from mtprobe_http.settings import is_here, price_from, read_options, read_settings

from mtprobe.backends import (
    Estimate,
    Failure,
    LanguagePair,
    ModelError,
    OpenRequest,
    SpecOptions,
    languages_from,
)
from mtprobe_openai.chatter import complaint
from mtprobe_openai.prompt import Prompt, read_prompt

VARIABLE = "OPENAI_API_KEY"
_ADDRESS = "https://api.openai.com/v1"
_OPTIONS = ("prompt", "system", "temperature", "seed", "max_tokens", "variable", "price_in", "price_out")
_USED_UP = ("insufficient_quota", "credit_balance", "spend_limit", "exceeded your current quota")
_BYTES_PER_TOKEN = 3.0  # English has more, so the estimate is rather too high
_LONGER = 1.5  # length of an answer relative to its source, at most


class Chat(Service):
    kind = "openai"
    limits = Limits(texts=1, size=20_000, concurrency=4)

    def __init__(
        self,
        name: str,
        prompt: Prompt,
        languages: LanguagePair,
        key: Key | None,
        variable: str,
        parameters: dict[str, Any],
    ) -> None:
        self.keys = (key,) if key else ()
        self.key_variable = variable
        self._name, self._prompt, self._languages = name, prompt, languages
        self._parameters = parameters
        words = hashlib.sha256("\0".join((prompt.system, prompt.user)).encode()).hexdigest()[:8]
        settings = ",".join(f"{option}={value}" for option, value in sorted(parameters.items()))
        self.model = ",".join(part for part in (name, f"prompt={words}", settings) if part)
        self.token_prices: tuple[float, float] | None = None  # US dollars per million, in and out

    def call(self, texts: Sequence[str]) -> Call:
        return self.call_again(texts, 0)

    def call_again(self, texts: Sequence[str], repeat: int) -> Call:
        messages = self._prompt.filled(texts[0], self._languages)
        parameters = {**self._parameters, **self._next_seed(repeat)}
        return Call("/chat/completions", {"model": self._name, "messages": messages, **parameters})

    def _next_seed(self, repeat: int) -> dict[str, int]:
        """A model that samples gets another seed for each repeat, and the same one in the next run."""
        seed, temperature = self._parameters.get("seed"), self._parameters.get("temperature")
        return {} if seed is None or temperature == 0 else {"seed": seed + repeat}

    def sign(self, headers: dict[str, str], url: str, content: bytes) -> None:  # noqa: ARG002 - other services use these
        for key in self.keys:
            headers["authorization"] = f"Bearer {key.reveal()}"

    def read(self, answer: Any, texts: Sequence[str]) -> list[str | Failure]:
        choices = as_many(answer.get("choices") if isinstance(answer, Mapping) else None, texts, "choices")
        choice = choices[0]
        message = choice.get("message") if isinstance(choice, Mapping) else None
        if not isinstance(message, Mapping):
            raise Broken("an answer without a message")
        return [self._translation(choice, message, texts[0])]

    def _translation(
        self, choice: Mapping[str, Any], message: Mapping[str, Any], source: str
    ) -> str | Failure:
        if message.get("refusal"):
            return Failure(f"{self.kind}: it refused: “{in_short(str(message['refusal']))}”")
        reason = choice.get("finish_reason")
        if reason == "content_filter":
            return Failure(f"{self.kind}: a content filter removed the answer")
        if reason == "length":
            return Failure(f"{self.kind}: the answer was cut off; max_tokens= allows a longer one")
        if message.get("content") is None and message.get("tool_calls"):
            return Failure(f"{self.kind}: it called a tool instead of translating")
        text = text_in(message, "content").strip()
        reason = complaint(text, source, self._languages.target)
        return text if reason is None else Failure(f"{self.kind}: {reason}: “{in_short(text)}”")

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
        return Call(f"/models/{quote(self._name, safe='')}")

    def read_version(self, answer: Any) -> str:
        created = answer.get("created") if isinstance(answer, Mapping) else None
        if not isinstance(created, int) or not 0 < created < 2**33:
            return ""
        return f"created {datetime.fromtimestamp(created, UTC):%Y-%m-%d}"

    def estimate(self, texts: Sequence[str]) -> Estimate | None:
        if self.token_prices is None:
            if self.price is None:
                hint = "give US dollars per million tokens with price_in= and price_out="
                return Estimate(sum(map(len, texts)), None, hint)
            return super().estimate(texts)
        sent = sum(self._tokens(self._sent(text)) for text in texts)
        received = sum(self._tokens(text) * _LONGER for text in texts)
        dollars = (sent * self.token_prices[0] + received * self.token_prices[1]) / 1e6
        basis = f"{self.token_prices[0]:g} and {self.token_prices[1]:g} USD per million tokens, at 3 bytes per token"
        return Estimate(sum(len(self._sent(text)) for text in texts), dollars, basis)

    def _sent(self, text: str) -> str:
        return "\n".join(message["content"] for message in self._prompt.filled(text, self._languages))

    def _tokens(self, text: str) -> float:
        return len(text.encode(errors="replace")) / _BYTES_PER_TOKEN


def open_openai(rest: str, request: OpenRequest) -> HttpBackend:
    name, options = read_options(Chat.kind, rest, _OPTIONS)
    if not name:
        raise ModelError("openai: needs a model, for example openai:gpt-4o-2024-08-06")
    languages = languages_from(request, f"openai:{name}")
    settings = read_settings(options, _ADDRESS, Chat.limits)
    variable = options.given.get("variable", VARIABLE)
    key = Key.optional(variable)
    if key is None and not is_here(settings.url):
        key = Key.required(variable, f"openai:{name}")
    prompt = read_prompt(options.spec, options.given.get("system"), options.given.get("prompt"))
    service = Chat(name, prompt, languages, key, variable, _parameters(options))
    service.price = price_from(options, None if key is not None else 0.0)
    service.token_prices = _token_prices(options)
    return open_service(service, settings, languages, request)


def _parameters(options: SpecOptions) -> dict[str, Any]:
    parameters: dict[str, Any] = {}
    if options.given.get("temperature") != "none":
        parameters["temperature"] = options.real("temperature") or 0
    if "seed" in options.given:
        parameters["seed"] = options.positive("seed")
    if "max_tokens" in options.given:
        parameters["max_tokens"] = options.positive("max_tokens")
    return parameters


def _token_prices(options: SpecOptions) -> tuple[float, float] | None:
    given = options.real("price_in"), options.real("price_out")
    if given == (None, None):
        return None
    if given[0] is None or given[1] is None or min(given[0], given[1]) < 0:
        raise ModelError(
            f"{options.spec}: price_in= and price_out= belong together, in US dollars per million tokens"
        )
    return given[0], given[1]
