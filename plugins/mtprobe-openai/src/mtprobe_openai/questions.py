"""Questions to a chat model, which answers in words and can judge translations with mtprobe's method `question`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from mtprobe_http import HttpBackend
from mtprobe_http.budget import Budget
from mtprobe_http.scoring_backend import ScoringHttpBackend
from mtprobe_http.service import in_short

from mtprobe.backends import ChatPrompt, Failure, LanguagePair, Request
from mtprobe_openai.chat import Chat
from mtprobe_openai.prompt import Prompt

_AS_IT_IS = Prompt("", "{text}")


class Questions(Chat):
    """A text is the messages of a `ChatPrompt` as JSON, and its answer is returned as it is."""

    def __init__(self, name: str, languages: LanguagePair, parameters: dict[str, Any]) -> None:
        super().__init__(name, _AS_IT_IS, languages, parameters)

    @property
    def samples(self) -> bool:
        """With a temperature of 0 the likeliest answer is chosen; without one, the service chooses its own."""
        return bool(self._parameters.get("temperature") != 0)

    def _messages(self, text: str) -> list[dict[str, str]]:
        return [{"role": role, "content": content} for role, content in json.loads(text)]

    def _translation(
        self,
        choice: Mapping[str, Any],
        message: Mapping[str, Any],
        source: str,  # noqa: ARG002
    ) -> str | Failure:
        if message.get("refusal"):
            return Failure(f"{self.kind}: it refused: “{in_short(str(message['refusal']))}”")
        if choice.get("finish_reason") == "content_filter":
            return Failure(f"{self.kind}: a content filter removed the answer")
        text = message.get("content")
        return text.strip() if isinstance(text, str) else Failure(f"{self.kind}: an answer without words")


class AnswersInWords:
    """The interface that a backend needs for questions."""

    questions: HttpBackend
    service: Questions
    budget: Budget

    def use_questions(self, service: Questions, questions: HttpBackend) -> None:
        self.service, self.questions = service, questions
        self.budget = Budget(service.kind)

    @property
    def answering_fingerprint(self) -> str:
        return self.questions.fingerprint

    @property
    def samples_answers(self) -> bool:
        return self.service.samples

    def complete(self, prompts: Sequence[ChatPrompt], max_tokens: int = 64) -> list[str | Failure]:  # noqa: ARG002
        """How long an answer may be is an option of the spec: services disagree on how to ask for it."""
        requests = [
            Request(json.dumps(prompt.messages, ensure_ascii=False), repeat=prompt.repeat)
            for prompt in prompts
        ]
        estimate = self.questions.estimate(requests)
        self.budget.pay(estimate, "questions", f"asking {len(requests):,} questions")
        return self.questions.translate(requests)


class ChatBackend(AnswersInWords, HttpBackend):
    needs_to_score = "template="

    def hold_budget(self, dollars: float) -> None:
        """From now on, questions that would cost more than this altogether are an error, and are not sent."""
        self.budget.hold(dollars)


class ScoringChatBackend(AnswersInWords, ScoringHttpBackend):
    """Scores and questions are paid from one budget."""

    def use_questions(self, service: Questions, questions: HttpBackend) -> None:
        own = self.budget
        super().use_questions(service, questions)
        self.budget = own
