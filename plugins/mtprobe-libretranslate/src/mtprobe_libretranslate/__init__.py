"""`libretranslate:?url=…`: a LibreTranslate server, <https://docs.libretranslate.com>.

`POST /translate` takes texts in `q` and returns `translatedText`, a list for a list. Errors are `{"error": …}`:
400 for unsupported languages and texts beyond its limits, 403 for a missing key, 429 for too many requests. The
version of the server is in its own description, `/spec`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mtprobe_http import Broken, Call, HttpBackend, Key, Limits, Problem, Service, open_service
from mtprobe_http.service import as_many
from mtprobe_http.settings import price_from, read_options, read_settings

from mtprobe.backends import UNDETERMINED, Failure, LanguagePair, ModelError, OpenRequest, languages_from

VARIABLE = "LIBRETRANSLATE_API_KEY"
_ADDRESS = "http://127.0.0.1:5000"
_UNSUPPORTED = ("is not supported", "is not available as a target language")


class LibreTranslate(Service):
    kind = "libretranslate"
    limits = Limits(texts=20, size=20_000, concurrency=2)
    key_variable = VARIABLE

    def __init__(self, languages: LanguagePair, price: float | None) -> None:
        key = Key.optional(VARIABLE)
        self.keys = (key,) if key else ()
        self.price = price
        self._source = "auto" if languages.source == UNDETERMINED else languages.source
        self._target = languages.target

    def call(self, texts: Sequence[str]) -> Call:
        body = {"q": list(texts), "source": self._source, "target": self._target, "format": "text"}
        return Call("/translate", body)

    def add_key(self, body: dict[str, Any]) -> None:
        for key in self.keys:
            body["api_key"] = key.reveal()

    def read(self, answer: Any, texts: Sequence[str]) -> list[str | Failure]:
        content = answer.get("translatedText") if isinstance(answer, Mapping) else None
        translations = as_many(content, texts)
        if not all(isinstance(text, str) for text in translations):
            raise Broken("a translation that is not a text")
        return translations

    def problem(self, status: int, words: str) -> Problem | ModelError:
        if status == 400 and any(phrase in words for phrase in _UNSUPPORTED):
            return ModelError(f"{self.kind}: {words}: it cannot translate {self._source} into {self._target}")
        return super().problem(status, words)

    def version_call(self) -> Call:
        return Call("/spec")

    def read_version(self, answer: Any) -> str:
        info = answer.get("info") if isinstance(answer, Mapping) else None
        version = info.get("version") if isinstance(info, Mapping) else None
        return version if isinstance(version, str) else ""


def open_libretranslate(rest: str, request: OpenRequest) -> HttpBackend:
    name, options = read_options(LibreTranslate.kind, rest, ())
    if name:
        raise ModelError(
            f"libretranslate:{name}: give the server's address as an option, for example libretranslate:?url={_ADDRESS}"
        )
    languages = languages_from(request, "libretranslate:")
    settings = read_settings(options, _ADDRESS, LibreTranslate.limits)
    return open_service(LibreTranslate(languages, price_from(options, 0.0)), settings, languages, request)
