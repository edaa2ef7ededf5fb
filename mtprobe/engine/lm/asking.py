"""Converts sources and targets to the tokens that a language model reads and predicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from mtprobe.backends.protocols import LanguagePair
from mtprobe.engine.lm.prompt import Prompt
from mtprobe.engine.neural import Tokens
from mtprobe.engine.tokenizers.causal import CausalTokenizer
from mtprobe.engine.tokenizers.chat import ChatTemplate
from mtprobe.engine.tokenizers.spans import Span
from mtprobe.errors import ModelError

# What all prompts share is what these share; they begin differently, in several scripts.
_PROBES = ("A", "the", "1", "Él", "Ω", "「")


@dataclass(frozen=True)
class Asking:
    """Tokens of prompts and targets, for one prompt and one pair of languages."""

    tokenizer: CausalTokenizer
    template: ChatTemplate | None  # of the model, whatever the prompt
    prompt: Prompt
    languages: LanguagePair
    own_ends: Tokens  # the tokens by which the model ends a text

    def __post_init__(self) -> None:
        if self.prompt.content.style == "chat" and self.template is None:
            raise ModelError(
                f"the prompt {self.prompt.name} is a chat, but the model's tokenizer has no chat template; "
                "use prompt=plain, or a file with `style: plain`"
            )
        if not self.own_ends and not self.prompt.content.ends:
            raise ModelError(
                f"neither the model nor the prompt {self.prompt.name} says what ends an answer: give it `ends`"
            )

    def text(self, source: str) -> str:
        """The text that the model reads."""
        content = self.prompt.content
        if content.style == "plain" or self.template is None:
            return self.prompt.plain(source, self.languages)
        messages = self.prompt.messages(source, self.languages)
        return self.template.render(messages, answered=False, options=content.template_options)

    def prompt_tokens(self, source: str) -> Tokens:
        return self.tokenizer.ids(self.text(source), special=self._is_plain)

    def target_tokens(self, source: str, target: str) -> Tokens:
        """The tokens to score after the prompt: the target, and the end of the answer."""
        ids = self._continuation(source, target)
        return ids if self._ends_in_text else (*ids, self._end)

    def target_spans(self, target: str) -> list[Span | None]:
        """The span of each of `target_tokens` in the target, after a short source."""
        prompt, answer = self.text(_PROBES[0]), self._answer(target)
        before, asked = self.prompt_tokens(_PROBES[0]), prompt + answer
        whole = self.tokenizer.ids(asked, special=self._is_plain)
        first = len(prompt) + answer.find(target)
        if whole[: len(before)] == before:
            spans = self.tokenizer.spans(asked, special=self._is_plain)[len(before) :]
        else:
            spans = self.tokenizer.spans(answer, special=False)
            first = answer.find(target)
        placed: list[Span | None] = [
            (start - first, end - first) if first <= start < end <= first + len(target) else None
            for start, end in spans
        ]
        return placed if self._ends_in_text else [*placed, None]

    @cached_property
    def beginning(self) -> Tokens:
        """The tokens that all prompts begin with, except for unusual sources."""
        first, *others = [self.prompt_tokens(probe) for probe in _PROBES]
        columns = zip(first, *others, strict=False)
        return tuple(column[0] for column in takewhile(lambda column: len({*column}) == 1, columns))

    @cached_property
    def ends(self) -> Tokens:
        """The tokens that end an answer when one is generated."""
        starting = [id for text in self.prompt.content.ends for id in self.tokenizer.beginning_with(text)]
        return tuple(dict.fromkeys([*self.own_ends, *starting]))

    def answer_text(self, tokens: Sequence[int]) -> str:
        """The text of an answer, up to what ends it."""
        text = self.tokenizer.text(tokens)
        for end in self.prompt.content.ends:
            text = text.partition(end)[0] if text.strip() else text
        return text

    @property
    def _is_plain(self) -> bool:
        return self.prompt.content.style == "plain"

    @property
    def _ends_in_text(self) -> bool:
        return self._is_plain and bool(self.prompt.content.ends)

    def _answer(self, target: str) -> str:
        """The text after the prompt, as far as it is valid text."""
        end = self.prompt.content.ends[0] if self._ends_in_text else ""
        return f"{self._lead}{self.prompt.answer(target)}{end}"

    def _continuation(self, source: str, target: str) -> Tokens:
        """The tokens after the prompt, as in one text: an answer may begin otherwise than a text of its own."""
        prompt, answer = self.prompt_tokens(source), self._answer(target)
        whole = self.tokenizer.ids(self.text(source) + answer, special=self._is_plain)
        if whole[: len(prompt)] == prompt:
            return whole[len(prompt) :]
        return self.tokenizer.ids(answer, special=False)

    @cached_property
    def _around(self) -> tuple[str, str]:
        if self._is_plain or self.template is None:
            return "", ""
        messages = self.prompt.messages(_PROBES[0], self.languages)
        return self.template.around_answer(messages, self.prompt.content.template_options)

    @property
    def _lead(self) -> str:
        return self._around[0]

    @cached_property
    def _end(self) -> int:
        """The token that the template puts after an answer, if it is one that ends a text; else the model's own."""
        after = self.tokenizer.ids(self._around[1], special=False)
        return next((id for id in after if id in self.own_ends), self.own_ends[0])
