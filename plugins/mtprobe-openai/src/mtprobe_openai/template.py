"""The plain text for scoring a target: what the model reads before it, and what ends its turn.

A completion knows no roles, so the text has the tokens that mark them: `template=chatml`, a text, or `@FILE`. Fields
are those of prompt files: `{source}` and `{target}` are the sentence and its translation, `{source_language}` and
`{target_language}` the names of the languages; `{system}` and `{prompt}` are the messages of a chat, from the options of
the same name. What follows `{target}` ends the turn, and is scored with it.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from mtprobe.backends import LanguagePair, ModelError, SpecOptions, did_you_mean, language_name
from mtprobe_openai.prompt import Prompt

_BUILT_IN = {
    "chatml": (
        "<|im_start|>system\n{system}<|im_end|>\n",
        "<|im_start|>user\n{prompt}<|im_end|>\n<|im_start|>assistant\n{target}<|im_end|>",
    ),
    "llama3": (
        "<|start_header_id|>system<|end_header_id|>\n\n{system}<|eot_id|>",
        "<|start_header_id|>user<|end_header_id|>\n\n{prompt}<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\n{target}<|eot_id|>",
    ),
}  # the turn of the system, which is omitted if it has no message, and the others
_FIELD = re.compile(r"\{(\w+)\}")
_FIELDS = ("source", "target", "source_language", "target_language", "system", "prompt")


@dataclass(frozen=True, slots=True)
class Template:
    """`name` is a built-in one, or empty."""

    name: str
    before: str
    end: str
    messages: Prompt

    @property
    def digest(self) -> str:
        """Changes whenever a prompt may change."""
        parts = (self.before, self.end, self.messages.system, self.messages.user)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:8]

    def __str__(self) -> str:
        shown = f"{self.name}-{self.digest}" if self.name else self.digest
        ends = f"ends with {_in_a_word(self.end)}" if self.end else "without the end of the turn"
        return f"template={shown},{ends}"

    def prompt(self, source: str, languages: LanguagePair) -> str:
        """All that precedes the target. Braces in the source are not fields."""
        values = {
            "source": source,
            "source_language": language_name(languages.source),
            "target_language": language_name(languages.target),
        }
        for message in self.messages.filled(source, languages):
            values["prompt" if message["role"] == "user" else "system"] = message["content"]
        return _FIELD.sub(lambda match: values.get(match[1], ""), self.before)


def read_template(options: SpecOptions, messages: Prompt) -> Template | None:
    """The template that the options name, if they name one."""
    given = options.given.get("template")
    if given is None:
        return None
    name = given if given in _BUILT_IN else ""
    if name:
        system, turns = _BUILT_IN[name]
        text = f"{system if messages.system else ''}{turns}"
    else:
        text = _read(options.spec, given)
    _check(options, text)
    before, _, end = text.partition("{target}")
    return Template(name, before, end, messages)


def _read(spec: str, given: str) -> str:
    if not given.startswith("@"):
        if "{" not in given:
            known = ", ".join(_BUILT_IN)
            raise ModelError(
                f"{spec}: there is no template “{given}”{did_you_mean(given, _BUILT_IN)}; "
                f"mtprobe-openai has {known}, and others are given as a text with {{target}} or as @FILE"
            )
        return given
    try:
        return Path(given[1:]).read_text(encoding="utf-8").removesuffix("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"{spec}: template={given}: the file cannot be read: {error}") from None


def _check(options: SpecOptions, text: str) -> None:
    spec, fields = options.spec, _FIELD.findall(text)
    for field in fields:
        if field not in _FIELDS:
            raise ModelError(f"{spec}: template: there is no field {{{field}}}{did_you_mean(field, _FIELDS)}")
    if fields.count("target") != 1:
        raise ModelError(f"{spec}: template: it needs {{target}} once, where the translation is scored")
    before = _FIELD.findall(text.partition("{target}")[0])
    if len(before) < len(fields) - 1:
        raise ModelError(f"{spec}: template: only the text that ends the turn may follow {{target}}")
    if not {"source", "prompt"} & set(before):
        raise ModelError(f"{spec}: template: it needs {{prompt}} or {{source}} before {{target}}")
    for option in ("system", "prompt"):
        if options.given.get(option) and option not in before:
            raise ModelError(f"{spec}: template: it has no {{{option}}}, so {option}= would not be used")


def _in_a_word(text: str) -> str:
    """A text on one line."""
    return text.encode("unicode_escape").decode("ascii").replace(",", "\\x2c").replace(" ", "\\x20")
