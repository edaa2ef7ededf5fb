"""`POST /completions`, for scores: prompt and target are sent as one text, and its log-probabilities are returned.

OpenAI's older interface has them by `echo` and `logprobs`; vLLM also by `prompt_logprobs`. One token is generated, since 0 is
no limit for llama-cpp-python; it is not part of a score.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from mtprobe_http import Broken, Call, Limits, Problem
from mtprobe_http.scoring import Prediction, Prompted, ScoringService
from mtprobe_http.service import as_many

from mtprobe.backends import Estimate, Failure, LanguagePair, ModelError, ScorePair, TokenLogProbs
from mtprobe_openai.api import Api
from mtprobe_openai.prices import HINT, TokenPrices
from mtprobe_openai.shown import NotGiven, Shown, Truncated, read_echo, read_prompt_logprobs
from mtprobe_openai.template import Template

Form = Literal["echo", "prompt"]
_ASKED: Mapping[str, Mapping[str, Any]] = {
    "echo": {"echo": True, "logprobs": 1},
    "prompt": {"prompt_logprobs": 0},
}
_IN_WORDS = {"echo": "echo and logprobs", "prompt": "prompt_logprobs"}
_UNABLE = re.compile(r"\becho\b|logprobs|completions endpoint|chat model|/completions", re.IGNORECASE)
_WHO = (
    "vLLM and llama-cpp-python's server give log-probabilities of a prompt; api.openai.com, Ollama and "
    "llama.cpp's own server do not"
)


class Completions(Api, ScoringService):
    limits = Limits(texts=16, size=200_000, concurrency=4)

    def __init__(self, name: str, template: Template, languages: LanguagePair, form: Form) -> None:
        self.name = name
        self._template, self._languages, self._form = template, languages, form
        self.way = f"{template}" + ("" if form == "echo" else f",logprobs={form}")
        self.model = f"{name},{self.way}"
        self.token_prices: TokenPrices | None = None

    def prompted(self, index: int, pair: ScorePair) -> Prompted:
        prompt = self._template.prompt(pair.source, self._languages)
        return Prompted(index, prompt, pair.target, self._template.end)

    def scores_call(self, items: Sequence[Prompted]) -> Call:
        return self._completion([item.text for item in items], _ASKED[self._form])

    def predictions_call(self, prompts: Sequence[str]) -> Call:
        return self._completion(prompts, {"logprobs": 1})

    def _completion(self, prompts: Sequence[str], asked: Mapping[str, Any]) -> Call:
        prompt: Any = prompts[0] if len(prompts) == 1 else list(prompts)
        return Call(
            "/completions", {"model": self.name, "prompt": prompt, "max_tokens": 1, "temperature": 0, **asked}
        )

    def read_scores(self, answer: Any, items: Sequence[Prompted]) -> list[TokenLogProbs | Failure]:
        choices = _choices(answer, len(items))
        try:
            return [
                self._shown(choice, item).scores(item) for choice, item in zip(choices, items, strict=True)
            ]
        except NotGiven as error:
            if self.confirmed:
                raise Broken(str(error)) from None
            raise self._unable(str(error)) from None
        except Truncated:
            raise self.unconfirmed("its list of tokens ends before the token that it generated") from None

    def _shown(self, choice: Mapping[str, Any], item: Prompted) -> Shown:
        return read_echo(choice, item) if self._form == "echo" else read_prompt_logprobs(choice)

    def read_predictions(self, answer: Any, count: int) -> list[Prediction | None]:
        return [_prediction(choice) for choice in _choices(answer, count)]

    def problem(self, status: int, words: str) -> Problem | ModelError:
        problem = super().problem(status, words)
        if not self.confirmed and status >= 400 and status not in (401, 403, 429) and _UNABLE.search(words):
            return self._unable(words)
        return problem

    def _unable(self, answer: str) -> ModelError:
        return ModelError(
            f"{self.kind}: {self.name} cannot score: POST /completions was asked for the log-probabilities of a prompt "
            f"({_IN_WORDS[self._form]}), and the answer was {answer}. {_WHO}"
        )

    def unconfirmed(self, difference: str) -> ModelError:
        return ModelError(
            f"{self.kind}: the log-probabilities that {self.name} gives for a prompt are not those of its tokens: "
            f"{difference}. llama-cpp-python gives those of the next token instead if a prompt does not start with the "
            "model's first token (BOS): start the template with it"
        )

    def estimate(self, texts: Sequence[str]) -> Estimate | None:
        if self.token_prices is not None:
            return self.token_prices.estimate(texts, len(texts))
        if self.price is None:
            return Estimate(sum(map(len, texts)), None, HINT)
        return super().estimate(texts)

    # -- it only scores --

    def call(self, texts: Sequence[str]) -> Call:
        raise NotImplementedError

    def read(self, answer: Any, texts: Sequence[str]) -> list[str | Failure]:
        raise NotImplementedError


def _choices(answer: Any, count: int) -> list[Mapping[str, Any]]:
    """In the order of the prompts: each choice says which one it belongs to."""
    listed = as_many(answer.get("choices") if isinstance(answer, Mapping) else None, [""] * count, "choices")
    if not all(isinstance(choice, Mapping) for choice in listed):
        raise Broken("a choice without log-probabilities")
    places = [choice.get("index") for choice in listed]
    if count > 1 and sorted(place for place in places if isinstance(place, int)) != list(range(count)):
        raise Broken("choices without numbers of their prompts")
    return sorted(listed, key=lambda choice: choice["index"]) if count > 1 else listed


def _prediction(choice: Mapping[str, Any]) -> Prediction | None:
    """None if the token has no text, or none that can be sent again."""
    text, logprobs = choice.get("text"), choice.get("logprobs")
    values = logprobs.get("token_logprobs") if isinstance(logprobs, Mapping) else None
    if not isinstance(text, str) or not text.strip() or "\ufffd" in text:
        return None
    if not isinstance(values, list) or len(values) != 1 or not isinstance(values[0], int | float):
        return None
    if not math.isfinite(values[0]):
        return None
    return Prediction(text, float(values[0]))
