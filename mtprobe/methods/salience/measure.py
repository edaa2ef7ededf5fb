"""Prediction difference (Li et al., 2019; Emelin and Sennrich, 2021): P(w|X) − P(w|X without t).

The word w has the product of its tokens' probabilities, behind the target's words before it. A source token t
that is not there has zeros for its embedding, and keeps its position. A word's salience is the mean of its tokens'.

Where w translates t itself, t counts whatever the model chooses between: of "so old", *velho* and *velha* both need
"old". So the same is also computed of the choice, with P(w) / (P(w) + P(the wrong target's word)) for P(w).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mtprobe.backends.scorer import ScorePair
from mtprobe.engine.neural import NeuralModel, Occluded
from mtprobe.engine.runtime.batches import Size, in_batches
from mtprobe.engine.tokenizers.spans import Span
from mtprobe.errors import Failure
from mtprobe.language.script import puts_spaces_between_words
from mtprobe.methods.salience.outcome import Kind, Question, Salience, Word
from mtprobe.methods.salience.words import is_sign, word_spans
from mtprobe.progress import Progress, Silent

if TYPE_CHECKING:
    from mtprobe.engine.runtime.interface import Floats

_CHUNK = 64  # questions between two steps of the progress


@dataclass(frozen=True, slots=True)
class _Asked:
    """A word of a target in tokens."""

    target: tuple[int, ...]  # up to the last token of the word
    places: tuple[int, ...]  # which of them are the word's

    def chance(self, logprobs: Floats) -> float:
        return math.exp(math.fsum(float(logprobs[place]) for place in self.places))


@dataclass(frozen=True, slots=True)
class _Read:
    """A question in tokens."""

    question: Question
    source: tuple[int, ...]
    right: _Asked
    wrong: _Asked | None
    spans: Sequence[Span | None]  # of the source's tokens

    @property
    def items(self) -> list[Occluded]:
        """With all tokens, then without each that is text; first for the right word, then for the wrong one."""
        places = [None, *(place for place, span in enumerate(self.spans) if span is not None)]
        asked = [self.right] if self.wrong is None else [self.right, self.wrong]
        return [Occluded(self.source, one.target, place) for one in asked for place in places]


def measure(
    model: NeuralModel, questions: Sequence[Question], progress: Progress | None = None
) -> list[Salience | Failure]:
    """One answer a question, in order."""
    shown, answers = progress or Silent(), list[Salience | Failure]()
    shown.start("salience", len(questions))
    for start in range(0, len(questions), _CHUNK):
        chunk = questions[start : start + _CHUNK]
        answers += _answers(model, chunk)
        shown.advance(len(chunk))
    shown.done()
    return answers


def _answers(model: NeuralModel, questions: Sequence[Question]) -> list[Salience | Failure]:
    engine = model.engine
    read = [_read(model, question) for question in questions]
    items = [item for one in read if not isinstance(one, Failure) for item in one.items]
    scores = iter(
        in_batches(
            items,
            size=lambda item: Size(len(item.source), len(item.target)),
            run=engine.score_without,
            budget=engine.score_budget,
            lanes=engine.occlusion_lanes,
        )
    )
    answers: list[Salience | Failure] = []
    for one in read:
        if isinstance(one, Failure):
            answers.append(one)
            continue
        given = [next(scores) for _ in one.items]
        count = len(given) // 2 if one.wrong else len(given)
        chances = [one.right.chance(logprobs) for logprobs in given[:count]]
        others = [one.wrong.chance(logprobs) for logprobs in given[count:]] if one.wrong else []
        answers.append(_salience(one, chances, others, model.languages.source))
    return answers


def _read(model: NeuralModel, question: Question) -> _Read | Failure:
    tokens = model.read_pair(ScorePair(question.source, question.target))
    if isinstance(tokens, Failure):
        return tokens
    source, target = tokens
    right = _asked(model, target, question.target, question.word)
    if right is None:
        return Failure(f'the model has no token for "{question.target[slice(*question.word)]}"')
    wrong = None
    if question.wrong_word is not None:
        tokens = model.read_pair(ScorePair(question.source, question.wrong))
        if not isinstance(tokens, Failure):
            wrong = _asked(model, tokens[1], question.wrong, question.wrong_word)
    return _Read(question, source, right, wrong, model.engine.source_spans(question.source))


def _asked(model: NeuralModel, target: tuple[int, ...], text: str, word: Span) -> _Asked | None:
    start, end = word
    places = tuple(
        place
        for place, span in enumerate(model.engine.target_spans(text))
        if span is not None and span[0] < end and start < span[1]
    )
    return _Asked(target[: places[-1] + 1], places) if places else None


def _salience(read: _Read, chances: Sequence[float], others: Sequence[float], language: str) -> Salience:
    question = read.question
    spans = [span for span in read.spans if span is not None]
    words = word_spans(question.source)
    if not puts_spaces_between_words(language):
        words = sorted({span for span in spans if span[0] < span[1]})
    shares = [_share(one, other) for one, other in zip(chances, others, strict=True)] if others else []
    by_word, by_choice = (_means(values, spans, words) for values in (chances, shares))
    return Salience(
        question,
        chances[0],
        shares[0] if shares else None,
        tuple(
            Word(question.source[start:end], start, end, _kind((start, end), question), salience, choice)
            for (start, end), salience, choice in zip(words, by_word, by_choice, strict=True)
        ),
    )


def _share(one: float, other: float) -> float:
    return one / (one + other) if one + other > 0 else 0.5


def _means(values: Sequence[float], spans: Sequence[Span], words: Sequence[Span]) -> list[float | None]:
    """Of each word, by how much the value of the whole source falls without its tokens, on average."""
    found: list[list[float]] = [[] for _ in words]
    if values:
        for span, value in zip(spans, values[1:], strict=True):
            for place in _words_of(span, words):
                found[place].append(values[0] - value)
    return [math.fsum(falls) / len(falls) if falls else None for falls in found]


def _words_of(span: Span, words: Sequence[Span]) -> list[int]:
    """The words that a token is part of. A token that is only a space belongs to the word behind it."""
    start, end = span
    if start == end:
        return [place for place, word in enumerate(words) if word[0] >= start][:1]
    return [place for place, word in enumerate(words) if word[0] < end and start < word[1]]


def _kind(word: Span, question: Question) -> Kind:
    def meets(span: Span) -> bool:
        return word[0] < span[1] and span[0] < word[1]

    if is_sign(question.source[slice(*word)]):
        return "sign"
    if any(map(meets, question.triggers)):
        return "trigger"
    return "focus" if question.focus and meets(question.focus) else "other"
