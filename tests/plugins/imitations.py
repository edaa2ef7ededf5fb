"""Services as their documentation describes them: what they want, what they answer, how they refuse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.plugins.loopback import Asked, Imitation, Reply

KEY = "s3cr3t-0f-the-h0use-4711"


def made(text: str) -> str:
    """The translation that every imitation makes."""
    return f"«{text}»"


@dataclass(frozen=True)
class Imitated:
    """A service: how it is named, imitated, and how its answers are spoilt."""

    kind: str
    imitation: Imitation
    key: str  # the environment variable
    batch: int  # texts a request
    texts: Callable[[Asked], Sequence[str]]  # of a request
    listed: Callable[[Any], list[Any]] | None = None  # the translations in an answer, to be changed in place
    wrong_key: Reply = field(default_factory=lambda: Reply(403, {"message": "Forbidden"}))
    rest: str = ""  # what stands between the colon and the options
    more: str = ""  # further options
    environment: tuple[tuple[str, str], ...] = ()

    def spec(self, address: str, *options: str) -> str:
        every = [f"url={address}", self.more, *options]
        return f"{self.kind}:{self.rest}?{'&'.join(option for option in every if option)}"


# -- LibreTranslate --


def libretranslate(asked: Asked) -> Reply:
    if asked.path == "/spec":
        return Reply(200, {"swagger": "2.0", "info": {"title": "LibreTranslate", "version": "1.6.5"}})
    if asked.path != "/translate":
        return Reply(404, {"error": "Not found"})
    body = asked.json
    if body.get("api_key") != KEY:
        return Reply(403, {"error": "Invalid API key"})
    for name in ("q", "source", "target"):
        if not body.get(name):
            return Reply(400, {"error": f"Invalid request: missing {name} parameter"})
    if body["target"] == "xx":
        return Reply(400, {"error": "xx is not supported"})
    if len(body["q"]) > 20:
        return Reply(400, {"error": f"Invalid request: request ({len(body['q'])}) exceeds text limit (20)"})
    return Reply(200, {"translatedText": [made(text) for text in body["q"]]})


# -- DeepL --


def deepl(asked: Asked) -> Reply:
    if asked.path != "/v2/translate":
        return Reply(404, {"message": "Not found"})
    if asked.headers.get("authorization") != f"DeepL-Auth-Key {KEY}":
        return Reply(403, b"")
    body = asked.json
    if body.get("target_lang") not in ("DE", "PT-BR", "ZH-HANS", "PT"):
        return Reply(400, {"message": "Value for 'target_lang' not supported."})
    if len(body["text"]) > 50:
        return Reply(400, {"message": "Bad request. Reason: Too many texts."})
    return Reply(
        200,
        {
            "translations": [
                {"detected_source_language": "EN", "text": made(text), "model_type_used": "quality_optimized"}
                for text in body["text"]
            ]
        },
    )


LIBRETRANSLATE = Imitated(
    "libretranslate",
    libretranslate,
    "LIBRETRANSLATE_API_KEY",
    20,
    texts=lambda asked: asked.json["q"],
    listed=lambda answer: answer["translatedText"],
    wrong_key=Reply(403, {"error": "Invalid API key"}),
)
DEEPL = Imitated(
    "deepl",
    deepl,
    "DEEPL_API_KEY",
    50,
    texts=lambda asked: asked.json["text"],
    listed=lambda answer: answer["translations"],
    wrong_key=Reply(403, b""),
)
SERVICES = (LIBRETRANSLATE, DEEPL)
