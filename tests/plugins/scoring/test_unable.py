"""Servers that do not give log-probabilities of a prompt: the message says what was asked, what came back, and which servers do"""

from __future__ import annotations

from typing import Any

import pytest

from mtprobe.errors import ModelError
from tests.plugins.loopback import Reply
from tests.plugins.scoring.conftest import PAIRS
from tests.plugins.scoring.imitations import SERVERS

ASKED = r"cannot score: POST /completions was asked for the log-probabilities of a prompt"
WHO = r"vLLM and llama-cpp-python's server .*; api.openai.com, Ollama and llama.cpp's own server do not"


def completion(**choice: Any) -> Reply:
    content = {"choices": [{"index": 0, "finish_reason": "length", **choice}], "object": "text_completion"}
    return Reply(200, content)


def error(status: int, message: str, code: str | None = None) -> Reply:
    return Reply(status, {"error": {"message": message, "type": "invalid_request_error", "code": code}})


LLAMA_CPP = completion(
    text=" a",
    logprobs={
        "content": [
            {
                "id": 253,
                "token": " a",
                "bytes": [32, 97],
                "logprob": -0.894066333770752,
                "top_logprobs": [
                    {"id": 253, "token": " a", "bytes": [32, 97], "logprob": -0.894066333770752}
                ],
            }
        ]
    },
)  # recorded, from xllamacpp 2026.10
UNABLE = {
    "llama.cpp's server": (LLAMA_CPP, "log-probabilities of the generated token only"),
    "echo is ignored": (
        completion(text="Oui", logprobs={"tokens": ["Oui"], "token_logprobs": [-0.5], "text_offset": [0]}),
        "log-probabilities of the generated token only",
    ),
    "Ollama": (completion(text="Oui"), "an answer without log-probabilities"),
    "a chat model of OpenAI's": (
        error(404, "This is a chat model and not supported in the v1/completions endpoint."),
        "HTTP 404: This is a chat model",
    ),
    "a completion model of OpenAI's": (
        error(400, "Setting 'echo' and 'logprobs' at the same time is not supported for this model."),
        "HTTP 400: Setting 'echo'",
    ),
    "logits_all=False": (
        error(500, "logprobs is not supported for models created with logits_all=False"),
        "HTTP 500: logprobs is not supported",
    ),
}


@pytest.mark.parametrize("name", UNABLE)
def test_a_server_that_cannot_score_is_recognized_at_once(start, name):
    service = start(SERVERS["vLLM"])
    reply, answer = UNABLE[name]
    service.server.always = lambda handler, _: handler.send(reply)
    with pytest.raises(
        ModelError, match=rf"{ASKED} \(echo and logprobs\), and the answer was {answer}.*\. {WHO}"
    ):
        service.open().score(PAIRS)
    assert len(service.server.translations()) == 1
    assert service.clock.waits == []


def test_so_is_one_without_prompt_logprobs(start):
    service = start(SERVERS["vLLM, prompt_logprobs"])
    service.server.always = lambda handler, _: handler.send(LLAMA_CPP)
    with pytest.raises(
        ModelError, match=rf"{ASKED} \(prompt_logprobs\), and the answer was an answer without prompt"
    ):
        service.open().score(PAIRS)


def test_a_model_that_does_not_exist_is_reported_as_such(start):
    service = start(SERVERS["vLLM"])
    service.server.always = lambda handler, _: handler.send(
        error(404, "The model `nobody-9` does not exist.", "model_not_found")
    )
    with pytest.raises(ModelError, match="HTTP 404: The model `nobody-9` does not exist") as caught:
        service.open().score(PAIRS)
    assert "cannot score" not in str(caught.value)


def test_a_server_that_scored_before_is_tried_again_instead(start, notices):
    service = start(SERVERS["vLLM"])
    backend = service.open()
    truth = backend.score(PAIRS)
    service.server.plan = [lambda handler, _: handler.send(LLAMA_CPP)]
    assert backend.score(PAIRS[:1]) == truth[:1]
    assert any("again in 1 s" in line for line in notices())
