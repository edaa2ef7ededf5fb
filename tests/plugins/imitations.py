"""Services as their documentation describes them: what they want, what they answer, how they refuse."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Any

import pytest

from tests.plugins.loopback import Asked, Imitation, Reply

KEY = "s3cr3t-0f-the-h0use-4711"


def made(text: str) -> str:
    """The translation that every imitation makes."""
    return f"{text} ✓"


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
    path: str = ""  # of the address
    rest: str = ""  # what stands between the colon and the options
    more: str = ""  # further options
    environment: tuple[tuple[str, str], ...] = ()

    def spec(self, address: str, *options: str) -> str:
        every = [f"url={address}{self.path}", self.more, *options]
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


# -- Google --


def google(asked: Asked) -> Reply:
    if asked.path.startswith("/v3/"):
        return google_advanced(asked)
    if asked.path != "/language/translate/v2":
        return Reply(404, b"<title>Error 404 (Not Found)!!1</title>")
    if asked.headers.get("x-goog-api-key") != KEY:
        return google_error(400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT")
    body = asked.json
    if body["target"] == "tlh":
        return google_error(400, "Bad language pair: en|tlh", "INVALID_ARGUMENT")
    if len(body["q"]) > 128:
        return google_error(400, "Too many text segments", "INVALID_ARGUMENT")
    return Reply(
        200,
        {"data": {"translations": [{"translatedText": made(text), "model": "nmt"} for text in body["q"]]}},
    )


def google_advanced(asked: Asked) -> Reply:
    if asked.headers.get("authorization") != f"Bearer {KEY}":
        return google_error(401, "Request had invalid authentication credentials.", "UNAUTHENTICATED")
    parent = "/v3/projects/my-project/locations/"
    if asked.method == "GET" and asked.path == f"{parent}us-central1/models/NM123":
        return Reply(200, {"name": asked.path[4:], "createTime": "2024-11-05T08:15:30Z"})
    if not (asked.path.startswith(parent) and asked.path.endswith(":translateText")):
        return google_error(404, "Not found", "NOT_FOUND")
    body = asked.json
    model = body["model"]
    return Reply(
        200, {"translations": [{"translatedText": made(text), "model": model} for text in body["contents"]]}
    )


def google_error(code: int, message: str, status: str) -> Reply:
    return Reply(code, {"error": {"code": code, "message": message, "status": status}})


# -- Azure --


def azure(asked: Asked) -> Reply:
    if asked.path != "/translate":
        return Reply(404, {"error": {"code": "404", "message": "Resource not found"}})
    if asked.headers.get("ocp-apim-subscription-key") != KEY:
        return AZURE_WRONG_KEY
    if asked.query.get("api-version") != "3.0":
        return Reply(400, {"error": {"code": 400021, "message": "The API version parameter is missing."}})
    if asked.query["to"] == "tlh":
        return Reply(400, {"error": {"code": 400036, "message": "The target language is not valid."}})
    if len(asked.json) > 1000:
        return Reply(
            400, {"error": {"code": 400072, "message": "The maximum number of elements has been exceeded."}}
        )
    to = asked.query["to"]
    return Reply(200, [{"translations": [{"text": made(one["Text"]), "to": to}]} for one in asked.json])


AZURE_WRONG_KEY = Reply(
    401,
    {
        "error": {
            "code": 401000,
            "message": "The request is not authorized because credentials are missing or invalid.",
        }
    },
)


# -- Amazon --

AWS_ID, AWS_TOKEN = "AKIDEXAMPLE4711", "t0ken-of-the-sess10n"


def amazon(asked: Asked) -> Reply:
    if asked.headers.get("x-amz-target") != "AWSShineFrontendService_20170701.TranslateText":
        return amazon_error("UnknownOperationException", "")
    if asked.headers.get("content-type") != "application/x-amz-json-1.1":
        return amazon_error("SerializationException", "")
    if asked.headers.get("authorization", "").rpartition("Signature=")[2] != signature(asked):
        return amazon_error("InvalidSignatureException", "The request signature we calculated does not match")
    body = asked.json
    if body["TargetLanguageCode"] == "tlh":
        return amazon_error("UnsupportedLanguagePairException", "Unsupported language pair: en to tlh.")
    return Reply(
        200,
        {
            "TranslatedText": made(body["Text"]),
            "SourceLanguageCode": body["SourceLanguageCode"],
            "TargetLanguageCode": body["TargetLanguageCode"],
        },
    )


def amazon_error(name: str, message: str) -> Reply:
    return Reply(400, {"__type": f"com.amazonaws.translate#{name}", "message": message})


def signature(asked: Asked) -> str:
    """AWS Signature Version 4, from its description, for what came in."""
    algorithm, _, rest = asked.headers.get("authorization", "").partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(",") if "=" in part)
    scope = parts.get("Credential", "").partition("/")[2]
    names = parts.get("SignedHeaders", "").split(";")
    wanted = {"host", "x-amz-date", "x-amz-target", "x-amz-security-token"}
    if algorithm != "AWS4-HMAC-SHA256" or not wanted <= set(names):
        return "not signed as it should be"
    headers = "".join(f"{name}:{asked.headers[name].strip()}\n" for name in names)
    canonical = "\n".join(
        [asked.method, asked.path, "", headers, ";".join(names), hashlib.sha256(asked.raw).hexdigest()]
    )
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    text = "\n".join([algorithm, asked.headers["x-amz-date"], scope, digest])
    key = f"AWS4{KEY}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    return hmac.digest(key, text.encode(), "sha256").hex()


# -- OpenAI --


def openai(asked: Asked) -> Reply:
    if asked.headers.get("authorization") != f"Bearer {KEY}":
        return OPENAI_WRONG_KEY
    if asked.path == "/v1/models/chatty-1":
        return Reply(200, {"id": "chatty-1", "object": "model", "created": 1715367049, "owned_by": "nobody"})
    if asked.path != "/v1/chat/completions":
        return Reply(
            404, {"error": {"message": f"Invalid URL (POST {asked.path})", "type": "invalid_request_error"}}
        )
    body = asked.json
    if body["model"] != "chatty-1":
        message = f"The model `{body['model']}` does not exist or you do not have access to it."
        return Reply(
            404, {"error": {"message": message, "type": "invalid_request_error", "code": "model_not_found"}}
        )
    return said(made(body["messages"][-1]["content"]))


def said(content: str | None, finish_reason: str = "stop", **more: Any) -> Reply:
    """A whole completion."""
    message = {"role": "assistant", "content": content, "refusal": None, **more}
    return Reply(
        200,
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1750000000,
            "model": "chatty-1-2025-02-03",
            "system_fingerprint": "fp_44709d6fcb",
            "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18},
        },
    )


OPENAI_WRONG_KEY = Reply(
    401,
    {
        "error": {
            "message": "Incorrect API key provided: sk-abc.",
            "type": "invalid_request_error",
            "code": "invalid_api_key",
        }
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
GOOGLE = Imitated(
    "google",
    google,
    "GOOGLE_TRANSLATE_API_KEY",
    128,
    texts=lambda asked: asked.json["q"],
    listed=lambda answer: answer["data"]["translations"],
    wrong_key=google_error(400, "API key expired. Please renew the API key.", "INVALID_ARGUMENT"),
)
GOOGLE_ADVANCED = Imitated(
    "google",
    google,
    "GOOGLE_ACCESS_TOKEN",
    1024,
    texts=lambda asked: asked.json["contents"],
    listed=lambda answer: answer["translations"],
    wrong_key=google_error(401, "Request had invalid authentication credentials.", "UNAUTHENTICATED"),
    rest="my-project",
)
AZURE = Imitated(
    "azure",
    azure,
    "AZURE_TRANSLATOR_KEY",
    1000,
    texts=lambda asked: [one["Text"] for one in asked.json],
    listed=lambda answer: answer,
    wrong_key=AZURE_WRONG_KEY,
    more="region=westeurope",
)
AMAZON = Imitated(
    "amazon",
    amazon,
    "AWS_SECRET_ACCESS_KEY",
    1,
    texts=lambda asked: [asked.json["Text"]],
    wrong_key=amazon_error("ExpiredTokenException", "The security token included in the request is expired"),
    more="region=eu-west-1",
    environment=(("AWS_ACCESS_KEY_ID", AWS_ID), ("AWS_SESSION_TOKEN", AWS_TOKEN)),
)
OPENAI = Imitated(
    "openai",
    openai,
    "OPENAI_API_KEY",
    1,
    texts=lambda asked: [asked.json["messages"][-1]["content"]],
    listed=lambda answer: answer["choices"],
    wrong_key=OPENAI_WRONG_KEY,
    rest="chatty-1",
    path="/v1",
)

has_boto = pytest.mark.skipif(
    find_spec("botocore") is None or "amazon" not in entry_points(group="mtprobe.backends").names,
    reason="mtprobe-amazon and its boto3 are not installed",
)
SERVICES = (
    LIBRETRANSLATE,
    DEEPL,
    GOOGLE,
    pytest.param(GOOGLE_ADVANCED, id="google-advanced"),
    AZURE,
    pytest.param(AMAZON, id="amazon", marks=has_boto),
    OPENAI,
)
