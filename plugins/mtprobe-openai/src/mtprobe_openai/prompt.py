"""What a chat model is told."""

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
    """A message of the system, which may be empty, and one of the user."""

    system: str
    user: str

    def filled(self, text: str, languages: LanguagePair) -> list[dict[str, str]]:
        """The messages for one sentence. What stands in the sentence is not taken for a field."""
        values = {"text": text, "source": name_of(languages.source), "target": name_of(languages.target)}

        def fill(template: str) -> str:
            return _FIELD.sub(lambda found: values.get(found[1], found[0]), template)

        said = [("system", fill(self.system)), ("user", fill(self.user))]
        return [{"role": role, "content": content} for role, content in said if content]


def read_prompt(spec: str, system: str | None, user: str | None) -> Prompt:
    """From the options; a prompt of one's own comes without our words for the system."""
    made = Prompt(
        system=_template(spec, "system", system)
        if system is not None
        else ""
        if user is not None
        else SYSTEM,
        user=_template(spec, "prompt", user) if user is not None else PROMPT,
    )
    if "{text}" not in made.user:
        raise ModelError(f"{spec}: the prompt does not say where the sentence stands: it needs {{text}}")
    return made


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
    """`German`; a language without a name here is called by its tag."""
    if tag == UNDETERMINED:
        return "its language"
    return _NAMES.get(tag) or _NAMES.get(tag.split("-")[0], tag)
