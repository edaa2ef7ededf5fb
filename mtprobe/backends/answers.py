"""The interface to language models that answer questions: the probability of each given choice."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Protocol, TypeAlias, TypeGuard, runtime_checkable

from mtprobe.backends import checked
from mtprobe.backends.guard import Ended, guarded
from mtprobe.backends.protocols import is_deterministic, runtime_of
from mtprobe.backends.scorer import ScorePair, TokenLogProbs
from mtprobe.errors import Failure, ModelError
from mtprobe.progress import Progress
from mtprobe.store import Store
from mtprobe.suite.sample import text_key

QUESTIONS_PER_CALL = 256
PROMPTS_PER_CALL = 64  # answers in words take longer, and those under way are lost if a run is killed

Role: TypeAlias = Literal["system", "user", "assistant"]
ChoiceScores: TypeAlias = tuple[TokenLogProbs, ...]
"""For each choice, the natural log-probability of each of its tokens."""


class ChatMessage(NamedTuple):
    """One message of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class ChatPrompt:
    """A conversation for a model to continue; the last message is not the assistant's."""

    messages: tuple[ChatMessage, ...]
    repeat: int = 0  # counts further answers to the same messages, by models that sample

    @classmethod
    def of(cls, user: str, system: str | None = None) -> ChatPrompt:
        """A single message of the user, after a system message if there is one."""
        before = () if system is None else (ChatMessage("system", system),)
        return cls((*before, ChatMessage("user", user)))

    @property
    def key(self) -> str:
        """Identifies the prompt in the store: each repeat has a key of its own."""
        messages = json.dumps(self.messages, ensure_ascii=False, separators=(",", ":"))
        return text_key(messages, repeat=self.repeat)

    @property
    def plain(self) -> str:
        """The prompt for a model without a chat template: the messages, one after another."""
        return "\n\n".join(message.content for message in self.messages) + "\n"


class Question(NamedTuple):
    """A prompt and the answers to choose from: at least one, and none of them empty."""

    prompt: ChatPrompt
    choices: tuple[str, ...]

    def again(self, repeat: int) -> Question:
        """The same question, to be answered once more."""
        return self._replace(prompt=replace(self.prompt, repeat=repeat))


@runtime_checkable
class Answers(Protocol):
    """A language model that provides the log-probabilities of answers."""

    @property
    def answering_fingerprint(self) -> str:
        """Changes whenever these numbers may change; neither languages nor the prompt for translating matter."""

    def answer_scores(self, questions: Sequence[Question]) -> list[ChoiceScores | Failure]:
        """One result per question, in order; each choice as the beginning of an answer, without its end.

        A number never depends on what else is asked. A model whose numbers differ from one time to the next says so
        (`samples_answers = True`).
        """


@runtime_checkable
class Completes(Protocol):
    """A language model that answers in words."""

    @property
    def answering_fingerprint(self) -> str: ...

    def complete(self, prompts: Sequence[ChatPrompt], max_tokens: int = 64) -> list[str | Failure]:
        """An answer to each prompt, in order: always the same one, if the model says so (`samples_answers = False`)."""


def as_shares(scores: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """The log-probability of each choice, if one of them has to be chosen."""
    sums = [math.fsum(tokens) for tokens in scores]
    best = max(sums)
    total = best + math.log(math.fsum(math.exp(one - best) for one in sums))
    return tuple(one - total for one in sums)


def can_answer(model: object) -> TypeGuard[Answers]:
    """Whether it is an `Answers`. `isinstance` would read the fingerprint, which may query a service."""
    return callable(getattr(model, "answer_scores", None))


def can_complete(model: object) -> TypeGuard[Completes]:
    """Whether it is a `Completes`: it answers in words."""
    return callable(getattr(model, "complete", None))


def samples_answers(model: object, *, in_words: bool) -> bool:
    """Whether the same question may get another answer.

    What a model says (`samples_answers`) counts; of others, only words may change, unless it is deterministic.
    """
    stated: object = getattr(model, "samples_answers", None)
    return bool(stated) if stated is not None else in_words and not is_deterministic(model)


def answer_all(
    model: Answers, questions: Sequence[Question], store: Store | None, progress: Progress
) -> dict[Question, ChoiceScores | Failure]:
    """The scores of each distinct question: read from the store if known, otherwise requested and stored."""
    distinct = list(dict.fromkeys(questions))
    with guarded(model):
        fingerprint = model.answering_fingerprint
    results: dict[Question, ChoiceScores | Failure] = {}
    if store is not None:
        pairs = [pair for question in distinct for pair in _pairs(question)]
        stored = checked.usable(store.scores(fingerprint, pairs), checked.logprobs)
        for question in distinct:
            known = [stored.get(pair) for pair in _pairs(question)]
            if all(scores is not None for scores in known):
                results[question] = tuple(scores for scores in known if scores is not None)
    missing = [question for question in distinct if question not in results]
    progress.start("asking", len(missing))
    for start in range(0, len(missing), QUESTIONS_PER_CALL):
        chunk = missing[start : start + QUESTIONS_PER_CALL]
        new = dict(zip(chunk, _asked(model, chunk), strict=True))
        results.update(new)
        if store is not None:
            scores = {
                pair: one
                for question, answers in new.items()
                if not isinstance(answers, Failure)
                for pair, one in zip(_pairs(question), answers, strict=True)
            }
            store.add_scores(fingerprint, scores, runtime_of(model))
        progress.advance(len(chunk))
    progress.done()
    return results


def complete_all(
    model: Completes, prompts: Sequence[ChatPrompt], store: Store | None, progress: Progress
) -> dict[ChatPrompt, str | Failure]:
    """The answer in words to each distinct prompt, through the store."""
    distinct = list(dict.fromkeys(prompts))
    with guarded(model):
        own: object = getattr(model, "completing_fingerprint", None)  # where drawing makes another one
        fingerprint = str(own or f"{model.answering_fingerprint}:words")
    results: dict[ChatPrompt, str | Failure] = {}
    if store is not None:
        stored = store.translations(fingerprint, [prompt.key for prompt in distinct])
        results.update({prompt: stored[prompt.key] for prompt in distinct if prompt.key in stored})
    missing = [prompt for prompt in distinct if prompt not in results]
    progress.start("asking", len(missing))
    for start in range(0, len(missing), PROMPTS_PER_CALL):
        chunk = missing[start : start + PROMPTS_PER_CALL]
        new = dict(zip(chunk, _completed(model, chunk), strict=True))
        results.update(new)
        if store is not None:
            texts = {prompt.key: text for prompt, text in new.items() if isinstance(text, str)}
            store.add_translations(fingerprint, texts, runtime_of(model))
        progress.advance(len(chunk))
    progress.done()
    return results


def _completed(model: Completes, prompts: Sequence[ChatPrompt]) -> list[str | Failure]:
    try:
        with guarded(model):
            answers = model.complete(prompts)
    except Ended as error:
        return [Failure(str(error))] * len(prompts)
    if len(answers) != len(prompts):
        raise ModelError(f"{checked.name_of(model)} gave {len(answers)} answers to {len(prompts)} prompts")
    return [
        answer
        if isinstance(answer, str | Failure)
        else Failure(f"a {type(answer).__name__} instead of an answer in words")
        for answer in answers
    ]


def _pairs(question: Question) -> list[ScorePair]:
    return [ScorePair(question.prompt.key, choice) for choice in question.choices]


def _asked(model: Answers, questions: Sequence[Question]) -> list[ChoiceScores | Failure]:
    try:
        with guarded(model):
            answers = model.answer_scores(questions)
    except Ended as error:
        return [Failure(str(error))] * len(questions)
    if len(answers) != len(questions):
        raise ModelError(
            f"{checked.name_of(model)} gave {len(answers)} results for {len(questions)} questions"
        )
    return [
        answer if isinstance(answer, Failure) else _checked(model, question, answer)
        for question, answer in zip(questions, answers, strict=True)
    ]


def _checked(model: Answers, question: Question, answer: ChoiceScores) -> ChoiceScores | Failure:
    if len(answer) != len(question.choices):
        raise ModelError(
            f"{checked.name_of(model)} scored {len(answer)} of {len(question.choices)} choices of a question"
        )
    usable = checked.usable(dict(enumerate(answer)), checked.logprobs)
    if len(usable) < len(answer):
        return Failure("a choice has no usable log-probabilities")
    return tuple(usable[place] for place in range(len(answer)))
