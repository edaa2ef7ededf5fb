"""`POST /chat/completions`: one sentence per request."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from mtprobe_http import Broken, Call, Limits
from mtprobe_http.service import as_many, in_short, text_in

from mtprobe.backends import Estimate, Failure, LanguagePair, chatter
from mtprobe_openai.api import Api
from mtprobe_openai.prices import HINT, TokenPrices, tokens_in
from mtprobe_openai.prompt import Prompt

_LONGER = 1.5  # length of an answer relative to its source, at most


class Chat(Api):
    limits = Limits(texts=1, size=20_000, concurrency=4)

    def __init__(
        self, name: str, prompt: Prompt, languages: LanguagePair, parameters: dict[str, Any]
    ) -> None:
        self.name = name
        self._prompt, self._languages = prompt, languages
        self._parameters = parameters
        words = hashlib.sha256("\0".join((prompt.system, prompt.user)).encode()).hexdigest()[:8]
        settings = ",".join(f"{option}={value}" for option, value in sorted(parameters.items()))
        self.model = ",".join(part for part in (name, f"prompt={words}", settings) if part)
        self.token_prices: TokenPrices | None = None

    def call(self, texts: Sequence[str]) -> Call:
        return self.call_again(texts, 0)

    def call_again(self, texts: Sequence[str], repeat: int) -> Call:
        messages = self._messages(texts[0])
        parameters = {**self._parameters, **self._next_seed(repeat)}
        return Call("/chat/completions", {"model": self.name, "messages": messages, **parameters})

    def _messages(self, text: str) -> list[dict[str, str]]:
        return self._prompt.filled(text, self._languages)

    def _next_seed(self, repeat: int) -> dict[str, int]:
        """A model that samples gets another seed for each repeat, and the same one in the next run."""
        seed, temperature = self._parameters.get("seed"), self._parameters.get("temperature")
        return {} if seed is None or temperature == 0 else {"seed": seed + repeat}

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
        reason = chatter(source, text, self._languages.target, by_chat=True)
        return text if reason is None else Failure(f"{self.kind}: {reason}")

    def estimate(self, texts: Sequence[str]) -> Estimate | None:
        if self.token_prices is None:
            if self.price is None:
                return Estimate(sum(map(len, texts)), None, HINT)
            return super().estimate(texts)
        received = sum(tokens_in(text) * _LONGER for text in texts)
        return self.token_prices.estimate(map(self._sent, texts), received)

    def _sent(self, text: str) -> str:
        return "\n".join(message["content"] for message in self._messages(text))
