"""Questions to a language model: the log-probabilities of given answers, or an answer in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mtprobe.backends.answers import ChatPrompt, ChoiceScores, Question
from mtprobe.engine.lm.loaded import LoadedLm, Seeded
from mtprobe.engine.neural import Tokens
from mtprobe.engine.search.decoding import Decoding
from mtprobe.engine.search.sampling import Sampling
from mtprobe.engine.tokenizers.causal import CausalTokenizer
from mtprobe.engine.tokenizers.chat import ChatTemplate
from mtprobe.errors import Failure

OPTIONS = {"enable_thinking": False}  # of templates: an answer is wanted at once


@dataclass(frozen=True, slots=True)
class Answering:
    loaded: LoadedLm
    tokenizer: CausalTokenizer
    template: ChatTemplate | None
    ends: Tokens
    sampling: Sampling | None = None  # None: the likeliest answer
    seed: int = 0  # of the first answer to a prompt; further ones take the next

    def scores(self, questions: Sequence[Question]) -> list[ChoiceScores | Failure]:
        read = [self._read(question) for question in questions]
        asked = [pair for pairs in read if not isinstance(pairs, Failure) for pair in pairs]
        scores = iter(self.loaded.score(asked))
        return [
            pairs if isinstance(pairs, Failure) else tuple(tuple(next(scores).tolist()) for _ in pairs)
            for pairs in read
        ]

    def complete(self, prompts: Sequence[ChatPrompt], max_tokens: int) -> list[str | Failure]:
        read = [self._prompt(prompt, max_tokens) for prompt in prompts]
        asked = [
            Seeded(tokens, self.seed + prompt.repeat if self.sampling else 0)
            for prompt, tokens in zip(prompts, read, strict=True)
            if not isinstance(tokens, Failure)
        ]
        decoding = Decoding(ends=self.ends, max_new_tokens=max_tokens)
        answers = iter(self.loaded.answer(asked, decoding, self.sampling) if asked else ())
        return [
            prompt if isinstance(prompt, Failure) else self.tokenizer.text(next(answers)).strip()
            for prompt in read
        ]

    def _read(self, question: Question) -> list[tuple[Tokens, Tokens]] | Failure:
        prompt = self._prompt(question.prompt)
        if isinstance(prompt, Failure):
            return prompt
        text, pairs = self._text(question.prompt), []
        for choice in question.choices:
            try:
                tokens = self._continuation(prompt, text, choice)
            except UnicodeError as error:
                return Failure(f"a choice is not text: {error}")
            if not tokens:
                return Failure("a choice is empty")
            if unreadable := self._unreadable(tokens, len(prompt) + len(tokens)):
                return unreadable
            pairs.append((prompt, tokens))
        return pairs

    def _continuation(self, prompt: Tokens, text: str, choice: str) -> Tokens:
        """The answer as part of one text, if the tokens of the prompt stay the same."""
        joined = self.tokenizer.ids(text + choice, special=self.template is None)
        if joined[: len(prompt)] == prompt:
            return joined[len(prompt) :]
        return self.tokenizer.ids(choice, special=False)

    def _prompt(self, prompt: ChatPrompt, room: int = 0) -> Tokens | Failure:
        try:
            tokens = self.tokenizer.ids(self._text(prompt), special=self.template is None)
        except UnicodeError as error:
            return Failure(f"the prompt is not text: {error}")
        return self._unreadable(tokens, len(tokens) + room) or tokens

    def _text(self, prompt: ChatPrompt) -> str:
        if self.template is None:
            return prompt.plain
        messages = [{"role": role, "content": content} for role, content in prompt.messages]
        return self.template.render(messages, answered=False, options=OPTIONS)

    def _unreadable(self, tokens: Tokens, length: int) -> Failure | None:
        if max(tokens, default=0) >= self.loaded.vocabulary:
            return Failure(f"there is a token {max(tokens)}, which the model does not have")
        if length > self.loaded.longest:
            return Failure(
                f"prompt and answer have {length} tokens; this model reads at most {self.loaded.longest}"
            )
        return None
