"""The chat template of a tokenizer: the format of conversations in a model's training.

Templates are Jinja, from the model's files. They run in Jinja's sandbox, as in transformers: they can neither change
what they are given nor reach anything else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, NoReturn

from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.checkpoints.reading import MOST_TOKENIZER_BYTES, read_bytes, read_optional_json
from mtprobe.engine.tokenizers.special_tokens import TOKENIZER_CONFIG, named_tokens
from mtprobe.errors import ModelError

FILE, JSON_FILE = "chat_template.jinja", "chat_template.json"
TODAY = date(2024, 7, 26)  # for templates that state the date: prompts may not change from day to day
GIVEN = ("messages", "tools", "documents", "add_generation_prompt")  # to every template
SENTINEL = "⁂mtprobe⁂"


@dataclass(frozen=True)
class ChatTemplate:
    """A template, and the tokens that it may name: `bos_token` and so on."""

    name: str  # of the model, for errors
    text: str
    tokens: Mapping[str, str]

    @cached_property
    def _compiled(self) -> Any:
        from jinja2 import TemplateError, nodes
        from jinja2.ext import Extension
        from jinja2.parser import Parser
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        class Generation(Extension):
            """`{% generation %}` marks what the model wrote, for training; the text is the same without it."""

            tags = {"generation"}  # noqa: RUF012 - as Jinja declares it

            def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
                line = next(parser.stream).lineno
                body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
                return nodes.Scope(body).set_lineno(line)

        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols", Generation]
        )
        environment.filters["tojson"] = _to_json
        environment.globals["raise_exception"] = _refuse
        environment.globals["strftime_now"] = TODAY.strftime
        try:
            return environment.from_string(self.text)
        except TemplateError as error:
            raise ModelError(f"{self.name}: its chat template is not valid: {error}") from None

    def render(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        answered: bool,
        options: Mapping[str, Any] | None = None,
    ) -> str:
        """The text of a conversation; unless it is already answered, up to where the model's answer begins."""
        try:
            text: str = self._compiled.render(
                messages=[dict(message) for message in messages],
                tools=None,
                documents=None,
                add_generation_prompt=not answered,
                **{**self.tokens, **(options or {})},
            )
        except Exception as error:  # templates raise errors of their own, and those of Python
            raise ModelError(f"{self.name}: its chat template refuses the prompt: {error}") from None
        return text

    def around_answer(
        self, messages: Sequence[Mapping[str, str]], options: Mapping[str, Any] | None = None
    ) -> tuple[str, str]:
        """The text that the template inserts between a prompt and its answer, and after the answer; both may be empty."""
        asked = self.render(messages, answered=False, options=options)
        answer = {"role": "assistant", "content": SENTINEL}
        try:
            complete = self.render([*messages, answer], answered=True, options=options)
        except ModelError:
            return "", ""
        before, found, after = complete.partition(SENTINEL)
        if not found or not before.startswith(asked):
            return "", after if found else ""
        return before[len(asked) :], after


def read_chat_template(folder: ModelFolder) -> ChatTemplate | None:
    """The template of a model, or None if it has none."""
    config = read_optional_json(folder.file(TOKENIZER_CONFIG))
    text: object = None
    if (path := folder.file(FILE)) is not None:
        text = read_bytes(path, MOST_TOKENIZER_BYTES).decode("utf-8", errors="replace")
    elif (path := folder.file(JSON_FILE)) is not None:
        text = read_optional_json(path).get("chat_template")
    text = config.get("chat_template") if text is None else text
    if isinstance(text, list):  # several, by name
        named = {entry.get("name"): entry.get("template") for entry in text if isinstance(entry, dict)}
        text = named.get("default")
    if not isinstance(text, str) or not text.strip():
        return None
    return ChatTemplate(folder.name, text, named_tokens(folder))


def _to_json(value: Any, ensure_ascii: bool = False, indent: int | None = None, **_: Any) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent)


def _refuse(message: object) -> NoReturn:
    raise ValueError(message)
