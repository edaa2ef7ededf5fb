"""The prompt for a chat model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from mtprobe.backends import UNDETERMINED, LanguagePair, ModelError, did_you_mean

SYSTEM = (
    "You are a translation engine. Translate the text of the user from {source} into {target}. "
    "Answer with the translation and nothing else: no introduction, no quotation marks, no notes."
)
PROMPT = "{text}"
_FIELDS = ("text", "source", "target")
_FIELD = re.compile(r"\{(\w+)\}")
_NAMES = {
    "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan", "cs": "Czech", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "en-GB": "British English", "en-US": "American English",
    "es": "Spanish", "es-MX": "Mexican Spanish", "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "fr-CA": "Canadian French", "ga": "Irish", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian",
    "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ja": "Japanese", "ko": "Korean", "lt": "Lithuanian",
    "lv": "Latvian", "mt": "Maltese", "nb": "Norwegian Bokmål", "nl": "Dutch", "nn": "Norwegian Nynorsk",
    "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "pt-BR": "Brazilian Portuguese",
    "pt-PT": "European Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian",
    "sr": "Serbian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu",
    "vi": "Vietnamese", "zh": "Chinese", "zh-Hans": "Simplified Chinese", "zh-CN": "Simplified Chinese",
    "zh-Hant": "Traditional Chinese", "zh-TW": "Traditional Chinese",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Prompt:
    """A system message, which may be empty, and a user message."""

    system: str
    user: str

    def filled(self, text: str, languages: LanguagePair) -> list[dict[str, str]]:
        """The messages for one sentence. Braces in the sentence are not treated as fields."""
        values = {"text": text, "source": name_of(languages.source), "target": name_of(languages.target)}

        def fill(template: str) -> str:
            return _FIELD.sub(lambda match: values.get(match[1], match[0]), template)

        messages = [("system", fill(self.system)), ("user", fill(self.user))]
        return [{"role": role, "content": content} for role, content in messages if content]


def read_prompt(spec: str, system: str | None, user: str | None) -> Prompt:
    """From the options; a custom user prompt comes without our system prompt."""
    default_system = SYSTEM if user is None else ""
    prompt = Prompt(
        system=default_system if system is None else _template(spec, "system", system),
        user=PROMPT if user is None else _template(spec, "prompt", user),
    )
    if "{text}" not in prompt.user:
        raise ModelError(f"{spec}: the prompt has no place for the sentence: it needs {{text}}")
    return prompt


def _template(spec: str, option: str, given: str) -> str:
    if given.startswith("@"):
        try:
            given = Path(given[1:]).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ModelError(f"{spec}: {option}={given}: the file cannot be read: {error}") from None
    for field in _FIELD.findall(given):
        if field not in _FIELDS:
            raise ModelError(f"{spec}: {option}: there is no field {{{field}}}{did_you_mean(field, _FIELDS)}")
    return given


def name_of(tag: str) -> str:
    """`German`; the tag itself for a language that is not listed here."""
    if tag == UNDETERMINED:
        return "its language"
    return _NAMES.get(tag) or _NAMES.get(tag.split("-")[0], tag)
