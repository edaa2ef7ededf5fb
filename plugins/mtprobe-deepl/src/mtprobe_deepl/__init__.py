"""`deepl:`: the DeepL API, <https://developers.deepl.com/docs/api-reference/translate>.

`POST /v2/translate` takes up to 50 texts in a body of at most 128 KiB, and returns `translations` in the same order.
403 is a wrong key, 456 a quota that is used up, 429 and 529 are rate limits, 413 is a body that is too large. A key
of the free plan ends in `:fx` and has another address.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mtprobe_http import Call, HttpBackend, Key, Limits, Problem, Service, open_service
from mtprobe_http.service import as_many, text_in
from mtprobe_http.settings import price_from, read_options, read_settings

from mtprobe.backends import UNDETERMINED, Failure, LanguagePair, ModelError, OpenRequest, languages_from

VARIABLE = "DEEPL_API_KEY"
_PAID, _FREE = "https://api.deepl.com", "https://api-free.deepl.com"
_PRICE = 25.0  # API Pro, US dollars per million characters of the source, without the monthly fee
_OPTIONS = ("model", "formality", "glossary")
_VARIANTS = {  # DeepL has scripts of Chinese, not territories; it takes other tags as they are, in capitals
    "zh-CN": "ZH-HANS",
    "zh-SG": "ZH-HANS",
    "zh-TW": "ZH-HANT",
    "zh-HK": "ZH-HANT",
    "no": "NB",
}


class DeepL(Service):
    kind = "deepl"
    key_variable = VARIABLE
    # The body may have 128 KiB; JSON's names, quotes and escapes need room too.
    limits = Limits(texts=50, size=60 * 1024, unit="bytes", concurrency=4)

    def __init__(
        self, key: Key, languages: LanguagePair, options: Mapping[str, str], price: float | None
    ) -> None:
        self.keys = (key,)
        self.price = price
        self._languages = languages
        self._parameters = {"target_lang": target_code(languages.target)}
        if languages.source != UNDETERMINED:
            self._parameters["source_lang"] = source_code(languages.source)
        for option, name in (
            ("model", "model_type"),
            ("formality", "formality"),
            ("glossary", "glossary_id"),
        ):
            if option in options:
                self._parameters[name] = options[option]
        self.model = ",".join(
            f"{name}={self._parameters[name]}"
            for name in sorted(self._parameters)
            if not name.endswith("_lang")
        )

    def call(self, texts: Sequence[str]) -> Call:
        return Call("/v2/translate", {"text": list(texts), **self._parameters})

    def sign(self, headers: dict[str, str], url: str, content: bytes) -> None:  # noqa: ARG002 - other services use these
        headers["authorization"] = f"DeepL-Auth-Key {self.keys[0].reveal()}"

    def read(self, answer: Any, texts: Sequence[str]) -> list[str | Failure]:
        translations = answer.get("translations") if isinstance(answer, Mapping) else None
        return [text_in(item, "text") for item in as_many(translations, texts)]

    def stated(self, answer: Any) -> str:
        used = {item.get("model_type_used") for item in answer["translations"]} - {None}
        return ", ".join(sorted(map(str, used)))

    def problem(self, status: int, words: str) -> Problem | ModelError:
        if status == 456:
            return ModelError(f"{self.kind}: {words}: the quota of the key in {VARIABLE} is used up")
        if status == 400 and "_lang" in words:
            return ModelError(f"{self.kind}: {words}: it cannot translate {self._languages}")
        return super().problem(status, words)


def source_code(tag: str) -> str:
    """DeepL has no variants of source languages."""
    language = tag.split("-")[0]
    return _VARIANTS.get(language, language).upper()


def target_code(tag: str) -> str:
    return _VARIANTS.get(tag, tag).upper()


def open_deepl(rest: str, request: OpenRequest) -> HttpBackend:
    name, options = read_options(DeepL.kind, rest, _OPTIONS)
    if name:
        raise ModelError(
            f"deepl:{name}: only options may follow the colon, for example deepl:?formality=more"
        )
    languages = languages_from(request, "deepl:")
    key = Key.required(VARIABLE, "deepl:")
    free = key.reveal().endswith(":fx")
    price = price_from(options, 0.0 if free else _PRICE)
    settings = read_settings(options, _FREE if free else _PAID, DeepL.limits)
    return open_service(DeepL(key, languages, options.given, price), settings, languages, request)
