"""`amazon:`: Amazon Translate, <https://docs.aws.amazon.com/translate/latest/APIReference/API_TranslateText.html>.

`TranslateText` takes one text of at most 10,000 bytes. Errors have their name in `__type`, mostly with status 400:
`ThrottlingException` and `TooManyRequestsException` are rate limits, `UnsupportedLanguagePairException` concerns all
requests.

boto3 knows a region's address and signs requests. It does not send them: it reads answers of any length, and its
timeouts are per read, so neither the size nor the time of an answer would be limited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import environ
from typing import Any

from mtprobe_http import Busy, Call, HttpBackend, Key, Limits, Problem, Service, open_service
from mtprobe_http.keys import keep_out_of_logs
from mtprobe_http.service import text_in
from mtprobe_http.settings import price_from, read_options, read_settings

from mtprobe.backends import (
    UNDETERMINED,
    Failure,
    LanguagePair,
    ModelError,
    OpenRequest,
    SpecOptions,
    languages_from,
)

ID, SECRET, TOKEN = "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"
_PRICE = 15.0  # US dollars per million characters
_OPTIONS = ("region", "terminology", "formality", "profanity")
_TARGET = "AWSShineFrontendService_20170701.TranslateText"
_RATE_LIMITED = ("Throttling", "TooManyRequests", "RequestLimitExceeded")
_NOT_ALLOWED = ("UnrecognizedClient", "InvalidSignature", "ExpiredToken", "AccessDenied", "IncompleteSignature",
                "MissingAuthenticationToken", "InvalidClientTokenId", "SignatureDoesNotMatch")  # fmt: skip
_FATAL = ("UnsupportedLanguagePair", "ResourceNotFound", "InvalidParameterValue")
_VARIANTS = {"zh-CN": "zh", "zh-Hans": "zh", "zh-Hant": "zh-TW", "pt-BR": "pt", "nb": "no", "fil": "tl"}


class Amazon(Service):
    kind = "amazon"
    key_variable = SECRET
    limits = Limits(texts=1, size=10_000, unit="bytes", concurrency=8)

    def __init__(
        self, keys: tuple[Key, ...], region: str, languages: LanguagePair, options: Mapping[str, str]
    ) -> None:
        self.keys = keys
        self._region, self._languages = region, languages
        self._parameters: dict[str, Any] = {
            "SourceLanguageCode": "auto" if languages.source == UNDETERMINED else _code(languages.source),
            "TargetLanguageCode": _code(languages.target),
        }
        if "terminology" in options:
            self._parameters["TerminologyNames"] = [options["terminology"]]
        settings = {
            name.title(): options[name].upper() for name in ("formality", "profanity") if name in options
        }
        if settings:
            self._parameters["Settings"] = settings
        self.model = ",".join(f"{name}={options[name]}" for name in _OPTIONS[1:] if name in options)

    def call(self, texts: Sequence[str]) -> Call:
        headers = {"content-type": "application/x-amz-json-1.1", "x-amz-target": _TARGET}
        return Call("/", {"Text": texts[0], **self._parameters}, headers=headers)

    def sign(self, headers: dict[str, str], url: str, content: bytes) -> None:
        from botocore.auth import SigV4Auth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials

        keep_out_of_logs(self.keys)  # botocore logs what it signs, including the session's token
        secrets = {key.variable: key.reveal() for key in self.keys}
        signed = {name: headers[name] for name in ("content-type", "x-amz-target")}
        request = AWSRequest(method="POST", url=url, data=content, headers=signed)
        SigV4Auth(
            Credentials(secrets[ID], secrets[SECRET], secrets.get(TOKEN)), "translate", self._region
        ).add_auth(request)
        headers.update({name.lower(): value for name, value in request.headers.items()})

    def read(self, answer: Any, texts: Sequence[str]) -> list[str | Failure]:
        del texts
        return [text_in(answer, "TranslatedText")]

    def explain(self, answer: Any) -> str:
        if not isinstance(answer, Mapping):
            return ""
        name = str(answer.get("__type", "")).rpartition("#")[2]
        message = answer.get("message") or answer.get("Message") or ""
        return ": ".join(str(part) for part in (name, message) if part)

    def problem(self, status: int, words: str) -> Problem | ModelError:
        if any(name in words for name in _RATE_LIMITED):
            return Busy(words)
        if any(name in words for name in _NOT_ALLOWED):
            return self.not_allowed(words)
        if any(name in words for name in _FATAL):
            return ModelError(f"{self.kind}: {words} (asked for {self._languages})")
        return super().problem(status, words)


def _code(tag: str) -> str:
    return _VARIANTS.get(tag, tag)


def _address(region: str, options: SpecOptions) -> str:
    """The region's address, which boto3 knows without a connection."""
    if "url" in options.given:
        return options.given["url"]
    import boto3
    from botocore.exceptions import BotoCoreError

    placeholders = {"aws_access_key_id": "-", "aws_secret_access_key": "-"}  # never used to sign
    try:
        client = boto3.client("translate", region_name=region, **placeholders)
    except (BotoCoreError, ValueError) as error:
        raise ModelError(f"{options.spec}: {error}") from None
    return str(client.meta.endpoint_url)


def open_amazon(rest: str, request: OpenRequest) -> HttpBackend:
    name, options = read_options(Amazon.kind, rest, _OPTIONS)
    if name:
        raise ModelError(
            f"amazon:{name}: only options may follow the colon, for example amazon:?region=eu-west-1"
        )
    languages = languages_from(request, "amazon:")
    keys = [Key.required(ID, "amazon:"), Key.required(SECRET, "amazon:")]
    if (token := Key.optional(TOKEN)) is not None:
        keys.append(token)
    region = options.given.get("region") or environ.get("AWS_REGION") or environ.get("AWS_DEFAULT_REGION")
    if not region:
        raise ModelError("amazon: needs a region: set AWS_REGION, or write amazon:?region=eu-west-1")
    settings = read_settings(options, _address(region, options), Amazon.limits)
    service = Amazon(tuple(keys), region, languages, options.given)
    service.price = price_from(options, _PRICE)
    return open_service(service, settings, languages, request)
