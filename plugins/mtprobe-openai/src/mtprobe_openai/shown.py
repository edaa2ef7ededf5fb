"""The tokens of a prompt in a server's response: `logprobs` with `echo`, or vLLM's `prompt_logprobs`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mtprobe_http import Broken
from mtprobe_http.scoring import Prompted

from mtprobe.backends import Failure, TokenLogProbs
from mtprobe_openai.located import Unlocated, locate

_GENERATED_ONLY = "log-probabilities of the generated token only"
_LONGEST = 80  # of what a message quotes


class NotGiven(Exception):
    """An answer without the log-probabilities of a prompt; says what it has instead."""


class Truncated(Exception):
    """A list of tokens that ends before the token that was generated: log-probabilities may belong to other tokens."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The tokens of a prompt, maybe with one that was generated after it, and their log-probabilities."""

    tokens: tuple[str, ...]
    logprobs: tuple[float | None, ...]
    generated: tuple[int, ...]  # how many of them may have been generated

    def scores(self, item: Prompted) -> TokenLogProbs | Failure:
        """The scores of the target and of the end of the turn."""
        found: set[tuple[int, int]] = set()
        problem = ""
        for count in self.generated:
            last = len(self.tokens) - count
            try:
                found.add((locate(self.tokens[:last], item.prompt, item.target, item.end), last))
            except Unlocated as error:
                problem = problem or str(error)
        if len(found) > 1:
            return Failure("it cannot be told which of the last tokens was generated")
        if not found:
            if self.generated == (1,) and self._is_truncated(item):
                raise Truncated
            return Failure(problem)
        first, last = found.pop()
        scores = self.logprobs[first:last]
        numbers = [score for score in scores if score is not None]
        if len(numbers) < len(scores) or not numbers:
            return Failure("a token of the target has no log-probability")
        return tuple(numbers)

    def _is_truncated(self, item: Prompted) -> bool:
        try:
            locate(self.tokens, item.prompt, item.target, item.end)
        except Unlocated:
            return False
        return True


def read_echo(choice: Mapping[str, Any], item: Prompted) -> Shown:
    """The tokens of a completion with `echo` and `logprobs`."""
    logprobs, text = choice.get("logprobs"), choice.get("text")
    if not isinstance(text, str):
        raise Broken("an answer without a text")
    if not isinstance(logprobs, Mapping):
        raise NotGiven("an answer without log-probabilities")
    tokens, values = logprobs.get("tokens"), logprobs.get("token_logprobs")
    if not isinstance(tokens, list) or not isinstance(values, list):
        raise NotGiven(_instead(logprobs))
    if len(tokens) != len(values):
        raise Broken(f"{len(values)} log-probabilities for {len(tokens)} tokens")
    _, echoed, after = text.partition(item.text)  # the first token of the model may be shown before it
    if len(tokens) <= 1 and not echoed:
        raise NotGiven(_GENERATED_ONLY)
    generated = (1,) if echoed and after else (0, 1)
    return Shown(tuple(map(_text, tokens)), tuple(map(_logprob, values)), generated)


def read_prompt_logprobs(choice: Mapping[str, Any]) -> Shown:
    """The tokens of a completion with `prompt_logprobs: 0`: one entry per token, by the number of the token."""
    positions = choice.get("prompt_logprobs")
    if positions is None:
        raise NotGiven("an answer without prompt_logprobs")
    if not isinstance(positions, list):
        raise Broken("an answer whose prompt_logprobs are not a list")
    tokens: list[str] = []
    values: list[float | None] = []
    for number, position in enumerate(positions):
        entries: Sequence[Any] = list(position.values()) if isinstance(position, Mapping) else []
        if position is None and number == 0:  # nothing precedes it
            tokens.append("")
            values.append(None)
        elif len(entries) == 1 and isinstance(entries[0], Mapping):
            tokens.append(_text(entries[0].get("decoded_token")))
            values.append(_logprob(entries[0].get("logprob")))
        else:
            raise Broken(f"an answer without a log-probability of its own for token {number}")
    return Shown(tuple(tokens), tuple(values), (0,))


def _instead(logprobs: Mapping[str, Any]) -> str:
    """The content found instead of lists of tokens and values."""
    if not any(isinstance(value, list) and len(value) > 1 for value in logprobs.values()):
        return _GENERATED_ONLY
    fields = ", ".join(sorted(map(str, logprobs)))[:_LONGEST]
    return f"log-probabilities in another form ({fields}), without those of the tokens that were sent"


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Broken("an answer whose token is not a text")
    return value


def _logprob(value: Any) -> float | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise Broken("an answer without a number where a log-probability should be")
    return None if value is None or not math.isfinite(value) else float(value)
