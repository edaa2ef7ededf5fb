"""`libretranslate:?url=…`: a LibreTranslate server, <https://docs.libretranslate.com>.

`POST /translate` takes texts in `q` and gives `translatedText`, a list for a list. Errors are `{"error": …}`:
400 for languages it does not have and texts beyond its limits, 403 for a key that it wants, 429 for haste. The
version of the server stands in its own description of itself, `/spec`.
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
_NOT_THERE = ("is not supported", "is not available as a target language")


class LibreTranslate(Service):
    kind = "libretranslate"
    limits = Limits(texts=20, size=20_000, concurrency=2)
    key_variable = VARIABLE

    def __init__(self, languages: LanguagePair, price: float | None) -> None:
        key = Key.wanted(VARIABLE)
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
        found = answer.get("translatedText") if isinstance(answer, Mapping) else None
        made = as_many(found, texts)
        if not all(isinstance(text, str) for text in made):
            raise Broken("a translation that is no text")
        return made

    def problem(self, status: int, words: str) -> Problem | ModelError:
        if status == 400 and any(sign in words for sign in _NOT_THERE):
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
            f"libretranslate:{name}: say where the server is, as in libretranslate:?url={_ADDRESS}"
        )
    languages = languages_from(request, "libretranslate:")
    settings = read_settings(options, _ADDRESS, LibreTranslate.limits)
    return open_service(LibreTranslate(languages, price_from(options, 0.0)), settings, languages, request)
