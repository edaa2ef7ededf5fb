"""Servers that give log-probabilities of a prompt: vLLM as its documentation describes its answers, and llama-cpp-python's (0.3.36),
whose answers were recorded (tests/real asks the real one). Both have the same small language model, whose probabilities are
the same however it is asked."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.plugins.imitations import KEY, OPENAI_WRONG_KEY, Imitated, openai
from tests.plugins.loopback import Asked, Reply

BOS, END = "<|im_start|>", "<|im_end|>"
_TOKEN = re.compile(r"<\|\w+\|>| ?[A-Za-z']+| ?\d+|\n| ?[^\sA-Za-z\d]|\s", re.ASCII)
_ALTERNATIVES = 1000


def tokens_of(text: str) -> list[bytes]:
    """Words with the space before them, special tokens, and other characters byte by byte."""
    tokens: list[bytes] = []
    for piece in _TOKEN.findall(text):
        if piece.isascii():
            tokens.append(piece.encode())
        else:
            tokens += [bytes([byte]) for byte in piece.encode()]
    return tokens


def scored(tokens: Sequence[bytes]) -> list[float]:
    """Words that were read before are likely; all others share what is left."""
    seen: set[bytes] = set()
    values = []
    for number, token in enumerate(tokens):
        word = token.strip().lower()
        likely = 0.2 if word in seen else 0.0
        spread = 0.5 + zlib.crc32(b" ".join([*tokens[max(0, number - 2) : number], token])) / 2**33
        values.append(math.log(likely + (1 - likely) * spread / _ALTERNATIVES))
        seen.add(word)
    return values


def predicted(before: Sequence[bytes]) -> bytes:
    """A word that follows any prompt."""
    candidates = [b"Oui", b"Ja", b"Sim"]
    return max(candidates, key=lambda token: scored([*before, token])[-1])


def expected(prompt: str, target: str, end: str = END) -> tuple[float, ...]:
    """The scores of a target."""
    before = tokens_of(prompt)
    return tuple(scored([*before, *tokens_of(f"{target}{end}")])[len(before) :])


@dataclass(frozen=True)
class Server:
    """How it shows tokens, and whether it takes several prompts."""

    hides_special: bool
    takes_lists: bool

    def __call__(self, asked: Asked) -> Reply:
        if asked.headers.get("authorization") != f"Bearer {KEY}":
            return OPENAI_WRONG_KEY
        if asked.path != "/v1/completions":
            return openai(asked)
        body = asked.json
        prompts = body["prompt"] if isinstance(body["prompt"], list) else [body["prompt"]]
        if len(prompts) > 1 and not self.takes_lists:
            error = {"message": "", "type": "internal_server_error", "param": None, "code": None}
            return Reply(500, {"error": error})
        choices = [self.choice(index, prompt, body) for index, prompt in enumerate(prompts)]
        usage = {"prompt_tokens": 9, "completion_tokens": len(prompts), "total_tokens": 9 + len(prompts)}
        return Reply(
            200,
            {
                "id": "cmpl-1",
                "object": "text_completion",
                "created": 1750000000,
                "model": body["model"],
                "choices": choices[::-1],
                "usage": usage,
            },
        )

    def choice(self, index: int, prompt: str, body: dict[str, Any]) -> dict[str, Any]:
        tokens = tokens_of(prompt)
        new = predicted(tokens)
        everything = [*tokens, new] if body.get("echo") else [new]
        values: list[float | None] = list(scored([*tokens, new])[-len(everything) :])
        if body.get("echo"):
            everything, values = self.listed(everything, values)
            values[0] = None
        shown = list(map(self.shown, everything))
        listed = {"tokens": shown, "token_logprobs": values, "text_offset": [0] * len(shown)}
        choice: dict[str, Any] = {
            "index": index,
            "text": f"{prompt if body.get('echo') else ''}{new.decode()}",
            "logprobs": listed if body.get("logprobs") is not None else None,
            "finish_reason": "length",
        }
        if body.get("prompt_logprobs") == 0:
            entries = zip(tokens, scored(tokens), strict=True)
            choice["prompt_logprobs"] = [
                {str(zlib.crc32(token)): {"logprob": value, "rank": 3, "decoded_token": self.shown(token)}}
                for token, value in entries
            ]
            choice["prompt_logprobs"][0] = None
        return choice

    def listed(
        self, tokens: list[bytes], values: list[float | None]
    ) -> tuple[list[bytes], list[float | None]]:
        """llama-cpp-python omits the first special token; without one, each token gets what is said of the next."""
        if not self.hides_special:
            return tokens, values
        if tokens[0] == BOS.encode():
            pairs = [pair for pair in zip(tokens, values, strict=True) if pair[0] != BOS.encode()]
            return [token for token, _ in pairs], [value for _, value in pairs]
        return tokens[:-1], [value - 1 for value in values[1:] if value is not None]

    def shown(self, token: bytes) -> str:
        if not self.hides_special:
            return token.decode(errors="replace")
        text = token.decode(errors="ignore")
        return "" if text.startswith("<|") else text


def imitated(server: Server, more: str = "template=chatml") -> Imitated:
    return Imitated(
        "openai",
        server,
        "OPENAI_API_KEY",
        16,
        texts=lambda asked: [asked.json["prompt"]],
        listed=lambda answer: answer["choices"],
        wrong_key=OPENAI_WRONG_KEY,
        rest="chatty-1",
        path="/v1",
        more=more,
    )


VLLM = Server(hides_special=False, takes_lists=True)
LLAMA = Server(hides_special=True, takes_lists=False)
SERVERS = {
    "vLLM": imitated(VLLM),
    "vLLM, prompt_logprobs": imitated(VLLM, "template=chatml&logprobs=prompt"),
    "llama-cpp-python": imitated(LLAMA),
}
