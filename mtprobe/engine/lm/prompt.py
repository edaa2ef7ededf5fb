"""Prompts for translation by a language model: a YAML file, or one of mtprobe's own prompts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from mtprobe.backends.protocols import LanguagePair
from mtprobe.engine.lm.cleaning import Rule
from mtprobe.engine.lm.spec import NO_PROMPT
from mtprobe.engine.tokenizers.chat import GIVEN
from mtprobe.errors import ModelError, SuiteError, did_you_mean
from mtprobe.language import tags
from mtprobe.language.names import language_name
from mtprobe.suite.parsing.problems import validated
from mtprobe.suite.parsing.tree import read_tree
from mtprobe.system.named import is_there

BUILT_IN = ("chat", "plain")
_FOLDER = Path(__file__).parent / "prompts"
_FIELD = re.compile(r"\{(\w+)\}")
_INSTRUCTION = ("source", "source_language", "target_language")
_LANGUAGES = ("source_language", "target_language")
_PAIR = re.compile(r"^([A-Za-z0-9-]+?)(?:-|→|>)([A-Za-z0-9]+(?:-[A-Z0-9][A-Za-z0-9]*)?)$")


def _fields(*known: str, needs: str | None = None) -> AfterValidator:
    def check(text: str) -> str:
        for field in _FIELD.findall(text):
            if field not in known:
                raise PydanticCustomError(
                    "field", f"there is no field {{{field}}}{did_you_mean(field, known)}"
                )
        if needs and f"{{{needs}}}" not in text:
            raise PydanticCustomError("field", f"has no {{{needs}}}, the place of the {needs}")
        return text

    return AfterValidator(check)


def _of_templates(given: dict[str, bool | int | str]) -> dict[str, bool | int | str]:
    for name in given:
        if name in GIVEN:
            raise PydanticCustomError("reserved", f"{name} is given by mtprobe")
    return given


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)


class Example(_Strict):
    """A translation that the model is shown before the text."""

    source: Annotated[str, Field(min_length=1)]
    target: Annotated[str, Field(min_length=1)]
    languages: str | None = None
    """The pair that it is for, such as en-fr; without it, for every pair."""


class PromptFile(_Strict):
    """The content of a prompt file."""

    about: str = ""
    style: Literal["chat", "plain"] = "chat"
    """`chat` uses the chat template of the model's tokenizer, `plain` only the text that is written here."""
    system: Annotated[str, _fields(*_LANGUAGES)] | None = None
    """The system message of a chat. Without it, the template may have one of its own."""
    instruction: Annotated[str, _fields(*_INSTRUCTION, needs="source")]
    """What the model reads; of a chat, the user's message."""
    answer: Annotated[str, _fields("target", needs="target")] = "{target}"
    """How answers follow the instruction, in examples and when they are scored."""
    examples: list[Example] = []
    ends: list[Annotated[str, Field(min_length=1)]] = []
    """Texts that end an answer, besides the tokens by which the model itself ends one."""
    clean: list[Rule] = []
    """What is removed from answers, in this order."""
    template_options: Annotated[
        dict[str, bool | int | str], AfterValidator(lambda given: _of_templates(given))
    ] = {}
    """Variables for the chat template, such as enable_thinking."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt, and the name under which reports show it."""

    name: str
    content: PromptFile
    path: Path

    @property
    def digest(self) -> str:
        """Changes whenever prompts, or what is made of answers, may change."""
        text = self.content.model_dump_json(exclude={"about"})
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]

    def __str__(self) -> str:
        return f"{self.name}-{self.digest}"

    def instruction(self, source: str, languages: LanguagePair) -> str:
        """Braces in the source are not fields."""
        return _filled(self.content.instruction, {"source": source, **_names(languages)})

    def messages(self, source: str, languages: LanguagePair) -> list[dict[str, str]]:
        """A chat that ends with the user's message."""
        turns: list[tuple[str, str]] = []
        if self.content.system is not None:
            turns.append(("system", _filled(self.content.system, _names(languages))))
        for example in self.examples(languages):
            turns.append(("user", self.instruction(example.source, languages)))
            turns.append(("assistant", self.answer(example.target)))
        turns.append(("user", self.instruction(source, languages)))
        return [{"role": role, "content": content} for role, content in turns]

    def plain(self, source: str, languages: LanguagePair) -> str:
        """A text that ends with the instruction."""
        end = self.content.ends[0] if self.content.ends else "\n"
        shown = [
            f"{self.instruction(example.source, languages)}{self.answer(example.target)}{end}"
            for example in self.examples(languages)
        ]
        return "".join([*shown, self.instruction(source, languages)])

    def answer(self, target: str) -> str:
        return _filled(self.content.answer, {"target": target})

    def examples(self, languages: LanguagePair) -> Iterator[Example]:
        """The examples for these languages."""
        for example in self.content.examples:
            pair = _pair(example.languages) if example.languages else None
            if pair is None or (
                tags.fits(pair[0], languages.source) and tags.fits(pair[1], languages.target)
            ):
                yield example


def read_prompt(spec: str, given: str, name: str | None = None) -> Prompt:
    """The prompt of a file, or one that mtprobe brings, under another name if one is given; raises `ModelError`, with every place that is wrong."""
    if given in BUILT_IN:
        path = _FOLDER / f"{given}.yaml"
        return Prompt(given, _read(path), path)
    path = Path(given).expanduser()
    if not is_there(path) or not path.is_file():
        meant = did_you_mean(given, (*BUILT_IN, NO_PROMPT))
        raise ModelError(f"{spec}: prompt={given}: there is no such file{meant}")
    return Prompt(name or path.stem, _read(path), path)


def _read(path: Path) -> PromptFile:
    try:
        content: PromptFile = validated(tree := read_tree(path), PromptFile)
    except SuiteError as error:
        raise ModelError(error) from None
    for number, example in enumerate(content.examples):
        if example.languages is not None and _pair(example.languages) is None:
            place = tree.place(("examples", number, "languages"))
            raise ModelError(f'{place}: "{example.languages}" is not a pair of languages, such as en-fr')
    if content.style == "plain" and content.system is not None:
        raise ModelError(
            f"{tree.place(('system',))}: a plain prompt has no system message; use `instruction`"
        )
    return content


def _pair(text: str) -> tuple[str, str] | None:
    match = _PAIR.match(text)
    if match is None or not all(tags.is_language(part) for part in match.groups()):
        return None
    return tags.standard(match[1]), tags.standard(match[2])


def _names(languages: LanguagePair) -> Mapping[str, str]:
    return {
        "source_language": language_name(languages.source),
        "target_language": language_name(languages.target),
    }


def _filled(template: str, values: Mapping[str, Any]) -> str:
    return _FIELD.sub(lambda match: str(values.get(match[1], match[0])), template)
