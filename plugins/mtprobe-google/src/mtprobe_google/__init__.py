"""`google:` and `google:PROJECT`: Google Cloud Translation, Basic and Advanced.

Basic (<https://cloud.google.com/translate/docs/reference/rest/v2/translate>): up to 128 texts per request, an API key.
Advanced (<https://cloud.google.com/translate/docs/reference/rest/v3/projects.locations/translateText>): up to 1024
texts with 30,720 code points in total, a token. Errors are `{"error": {"code", "message", "status"}}`; a rate limit
may come as 403 ("User Rate Limit Exceeded"), and so may the day's quota ("Daily Limit Exceeded").
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from mtprobe_http import Busy, Call, HttpBackend, Key, Limits, Problem, Service, open_service
from mtprobe_http.service import as_many, text_in
from mtprobe_http.settings import price_from, read_options, read_settings

from mtprobe.backends import UNDETERMINED, Failure, LanguagePair, ModelError, OpenRequest, languages_from

_ADDRESS = "https://translation.googleapis.com"
_PRICE, _CUSTOM_PRICE = 20.0, 80.0  # US dollars per million characters
_OPTIONS = ("location", "model")
_PROJECT = re.compile(r"[A-Za-z0-9.:_-]+")
_BAD_LANGUAGE = (
    "language pair",
    "target language",
    "source language",
    "targetlanguagecode",
    "sourcelanguagecode",
)


class Google(Service):
    kind = "google"

    def __init__(self, key: Key, languages: LanguagePair) -> None:
        self.keys = (key,)
        self._languages = languages
        self._source = None if languages.source == UNDETERMINED else languages.source

    @abstractmethod
    def listed(self, answer: Any) -> Any:
        """The translations in an answer."""

    def read(self, answer: Any, texts: Sequence[str]) -> list[str | Failure]:
        return [text_in(item, "translatedText") for item in as_many(self.listed(answer), texts)]

    def stated(self, answer: Any) -> str:
        return ", ".join(sorted({str(item["model"]) for item in self.listed(answer) if item.get("model")}))

    def problem(self, status: int, words: str) -> Problem | ModelError:
        message = words.lower()
        if status == 403 and "rate limit exceeded" in message:
            return Busy(words)
        if status == 403 and "limit exceeded" in message:
            return ModelError(f"{self.kind}: {words}: the quota of the project is used up")
        if status == 400 and "api key" in message:
            return self.not_allowed(words)
        if status == 400 and any(phrase in message for phrase in _BAD_LANGUAGE):
            return ModelError(f"{self.kind}: {words}: it cannot translate {self._languages}")
        return super().problem(status, words)


class Basic(Google):
    """Version 2: needs only a key."""

    key_variable = "GOOGLE_TRANSLATE_API_KEY"
    limits = Limits(texts=128, size=5_000, concurrency=4)
    model = "v2/nmt"

    def call(self, texts: Sequence[str]) -> Call:
        parameters = {"target": self._languages.target, "format": "text", "model": "nmt"}
        if self._source:
            parameters["source"] = self._source
        return Call("/language/translate/v2", {"q": list(texts), **parameters})

    def sign(self, headers: dict[str, str], url: str, content: bytes) -> None:  # noqa: ARG002 - other services use these
        headers["x-goog-api-key"] = self.keys[0].reveal()

    def listed(self, answer: Any) -> Any:
        data = answer.get("data") if isinstance(answer, Mapping) else None
        return data.get("translations") if isinstance(data, Mapping) else None


class Advanced(Google):
    """Version 3: offers a choice of models."""

    key_variable = "GOOGLE_ACCESS_TOKEN"
    limits = Limits(texts=128, size=30_000, concurrency=4)

    def __init__(self, key: Key, languages: LanguagePair, project: str, location: str, model: str) -> None:
        super().__init__(key, languages)
        self._project = project
        self._parent = f"projects/{quote(project)}/locations/{quote(location)}"
        self._model = f"{self._parent}/models/{quote(model)}"
        self._is_custom = not model.startswith("general/")
        self.model = f"v3/{location}/{model}"

    def call(self, texts: Sequence[str]) -> Call:
        parameters = {
            "targetLanguageCode": self._languages.target,
            "mimeType": "text/plain",
            "model": self._model,
        }
        if self._source:
            parameters["sourceLanguageCode"] = self._source
        return Call(f"/v3/{self._parent}:translateText", {"contents": list(texts), **parameters})

    def sign(self, headers: dict[str, str], url: str, content: bytes) -> None:  # noqa: ARG002
        headers["authorization"] = f"Bearer {self.keys[0].reveal()}"
        headers["x-goog-user-project"] = self._project

    def listed(self, answer: Any) -> Any:
        return answer.get("translations") if isinstance(answer, Mapping) else None

    def version_call(self) -> Call | None:
        return Call(f"/v3/{self._model}") if self._is_custom else None

    def read_version(self, answer: Any) -> str:
        created = answer.get("createTime") if isinstance(answer, Mapping) else None
        return f"created {created[:10]}" if isinstance(created, str) else ""


def open_google(rest: str, request: OpenRequest) -> HttpBackend:
    project, options = read_options(Google.kind, rest, _OPTIONS)
    languages = languages_from(request, "google:")
    if project:
        return _open_advanced(project, options.given, rest, languages, request)
    for name in _OPTIONS:
        if name in options.given:
            raise ModelError(
                f"google: {name}= is for Cloud Translation Advanced: name the project, google:PROJECT?{name}=…"
            )
    service = Basic(Key.required(Basic.key_variable, "google:"), languages)
    service.price = price_from(options, _PRICE)
    return open_service(service, read_settings(options, _ADDRESS, Basic.limits), languages, request)


def _open_advanced(
    project: str, given: Mapping[str, str], rest: str, languages: LanguagePair, request: OpenRequest
) -> HttpBackend:
    _, options = read_options(Google.kind, rest, _OPTIONS)
    if not _PROJECT.fullmatch(project):
        raise ModelError(
            f"google:{project}: name a project by its id or number, for example google:my-project-123"
        )
    model = given.get("model", "general/nmt")
    location = given.get("location", "global" if model == "general/nmt" else "us-central1")
    key = Key.required(Advanced.key_variable, f"google:{project}")
    service = Advanced(key, languages, project, location, model)
    service.price = price_from(options, _PRICE if model.startswith("general/") else _CUSTOM_PRICE)
    return open_service(service, read_settings(options, _ADDRESS, Advanced.limits), languages, request)
