"""The prompt for a chat model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from mtprobe.backends import LanguagePair, ModelError, did_you_mean, language_name

SYSTEM = (
    "You are a translation engine. Translate the text of the user from {source} into {target}. "
    "Answer with the translation and nothing else: no introduction, no quotation marks, no notes."
)
PROMPT = "{text}"
_FIELDS = ("text", "source", "target")
_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A system message, which may be empty, and a user message."""

    system: str
    user: str

    def filled(self, text: str, languages: LanguagePair) -> list[dict[str, str]]:
        """The messages for one sentence. Braces in the sentence are not treated as fields."""
        values = {
            "text": text,
            "source": language_name(languages.source),
            "target": language_name(languages.target),
        }

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
