"""`azure:`: Azure Translator 3.0, <https://learn.microsoft.com/azure/ai-services/translator/text-translation/reference/v3/translate>.

`POST /translate` takes a list of up to 1,000 texts with 50,000 characters in total, and returns a list in the same
order. Errors are `{"error": {"code": 401000, "message": …}}`, whose code begins with the HTTP status: 403001 means that
the free quota is used up, 400035 and 400036 that a language is not supported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mtprobe_http import Call, HttpBackend, Key, Limits, Problem, Service, open_service
from mtprobe_http.service import as_many, text_in
from mtprobe_http.settings import price_from, read_options, read_settings

from mtprobe.backends import UNDETERMINED, Failure, LanguagePair, ModelError, OpenRequest, languages_from

VARIABLE = "AZURE_TRANSLATOR_KEY"
_ADDRESS = "https://api.cognitive.microsofttranslator.com"
_PRICE = 10.0  # tier S1, US dollars per million characters
_OPTIONS = ("region", "category")
_VARIANTS = {  # Azure's own names
    "zh": "zh-Hans",
    "zh-CN": "zh-Hans",
    "zh-TW": "zh-Hant",
    "pt-BR": "pt",
    "no": "nb",
    "sr": "sr-Cyrl",
}


class Azure(Service):
    kind = "azure"
    key_variable = VARIABLE
    limits = Limits(texts=100, size=50_000, concurrency=4)

    def __init__(self, key: Key, languages: LanguagePair, region: str | None, category: str | None) -> None:
        self.keys = (key,)
        self._languages, self._region = languages, region
        self._query = {"api-version": "3.0", "to": _code(languages.target), "textType": "plain"}
        if languages.source != UNDETERMINED:
            self._query["from"] = _code(languages.source)
        if category:
            self._query["category"] = category
            self.model = f"category={category}"

    def call(self, texts: Sequence[str]) -> Call:
        headers = {"ocp-apim-subscription-region": self._region} if self._region else {}
        return Call("/translate", [{"Text": text} for text in texts], self._query, headers)

    def sign(self, headers: dict[str, str], url: str, content: bytes) -> None:  # noqa: ARG002 - other services use these
        headers["ocp-apim-subscription-key"] = self.keys[0].reveal()

    def read(self, answer: Any, texts: Sequence[str]) -> list[str | Failure]:
        return [text_in(item, "translations", 0, "text") for item in as_many(answer, texts)]

    def explain(self, answer: Any) -> str:
        error = answer.get("error") if isinstance(answer, Mapping) else None
        if isinstance(error, Mapping) and "code" in error:
            return f"{error['code']} {error.get('message', '')}"
        return super().explain(answer)

    def problem(self, status: int, words: str) -> Problem | ModelError:
        if status == 403 and "403001" in words:
            return ModelError(f"{self.kind}: {words}: the free quota of the key in {VARIABLE} is used up")
        if status == 400 and ("400035" in words or "400036" in words):
            return ModelError(f"{self.kind}: {words}: it cannot translate {self._languages}")
        if status == 401 and not self._region:
            return ModelError(
                f"{self.kind}: {words}: the key in {VARIABLE} is wrong or expired, or is for a region that the "
                "spec does not name: azure:?region=…"
            )
        return super().problem(status, words)


def _code(tag: str) -> str:
    return _VARIANTS.get(tag, tag)


def open_azure(rest: str, request: OpenRequest) -> HttpBackend:
    name, options = read_options(Azure.kind, rest, _OPTIONS)
    if name:
        raise ModelError(
            f"azure:{name}: only options may follow the colon, for example azure:?region=westeurope"
        )
    languages = languages_from(request, "azure:")
    key = Key.required(VARIABLE, "azure:")
    service = Azure(key, languages, options.given.get("region"), options.given.get("category"))
    service.price = price_from(options, _PRICE)
    return open_service(service, read_settings(options, _ADDRESS, Azure.limits), languages, request)
