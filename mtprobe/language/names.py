"""The English names of languages, for prompts and for user input."""

from __future__ import annotations

from mtprobe.language import tags

_NAMES = {
    "und": "its language",
    "af": "Afrikaans", "ar": "Arabic", "be": "Belarusian", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan",
    "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
    "en-GB": "British English", "en-US": "American English", "es": "Spanish", "es-MX": "Mexican Spanish",
    "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French", "fr-CA": "Canadian French",
    "ga": "Irish", "gl": "Galician", "gu": "Gujarati", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian",
    "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ja": "Japanese",
    "ka": "Georgian", "kk": "Kazakh", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian",
    "mr": "Marathi", "ms": "Malay", "mt": "Maltese", "nb": "Norwegian Bokmål", "nl": "Dutch",
    "nn": "Norwegian Nynorsk", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "pt-BR": "Brazilian Portuguese",
    "pt-PT": "European Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian",
    "sq": "Albanian", "sr": "Serbian", "sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "th": "Thai",
    "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "zh": "Chinese",
    "zh-CN": "Simplified Chinese", "zh-Hans": "Simplified Chinese", "zh-Hant": "Traditional Chinese",
    "zh-TW": "Traditional Chinese",
}  # fmt: skip


def language_name(tag: str) -> str:
    """`German`; *its language* if it is undetermined, and the tag itself for a language that is not listed here."""
    known = tags.standard(tag)
    return _NAMES.get(known) or _NAMES.get(known.split("-")[0], tag)


def tag_of(name: str) -> str | None:
    """`de` for `German`, whatever its capitals; None for a name that is not listed here."""
    wanted = " ".join(name.split()).casefold()
    tags_of_it = [tag for tag, listed in _NAMES.items() if listed.casefold() == wanted]
    return max(tags_of_it, key=len, default=None)  # the script of Chinese, rather than a country
