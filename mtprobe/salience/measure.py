"""Prediction difference (Li et al., 2019; Emelin and Sennrich, 2021): P(w|X) − P(w|X without t).

The word w has the product of its tokens' probabilities, behind the target's words before it. A source token t
that is not there has zeros for its embedding, and keeps its position. A word's salience is the mean of its tokens'.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mtprobe.errors import Failure
from mtprobe.language import tags
from mtprobe.nets.spans import Span
from mtprobe.progress import Progress, Silent
from mtprobe.salience.outcome import Kind, Question, Salience, Word
from mtprobe.salience.words import is_sign, word_spans
from mtprobe.score.batches import Size, in_batches
from mtprobe.score.scorer import ScorePair
from mtprobe.translate.neural import NeuralModel, Occluded

if TYPE_CHECKING:
    from mtprobe.nets.interface import Floats

_CHUNK = 64  # questions between two steps of the progress
_WITHOUT_SPACES = ("Hans", "Hant", "Hani", "Jpan", "Thai", "Laoo", "Khmr", "Mymr", "Tibt")


@dataclass(frozen=True, slots=True)
class _Read:
    """A question in tokens."""

    question: Question
    source: tuple[int, ...]
    target: tuple[int, ...]  # up to the last token of the word
    asked: tuple[int, ...]  # which of them are the word's
    spans: Sequence[Span | None]  # of the source's tokens

    @property
    def items(self) -> list[Occluded]:
        """With all tokens, then without each that is text."""
        places = [None, *(place for place, span in enumerate(self.spans) if span is not None)]
        return [Occluded(self.source, self.target, place) for place in places]


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
            budget=engine.score_together,
            lanes=engine.occlusion_lanes,
        )
    )
    answers: list[Salience | Failure] = []
    for one in read:
        if isinstance(one, Failure):
            answers.append(one)
            continue
        chances = [_chance(next(scores), one.asked) for _ in one.items]
        answers.append(_salience(one, chances, model.languages.source))
    return answers


def _read(model: NeuralModel, question: Question) -> _Read | Failure:
    tokens = model.read_pair(ScorePair(question.source, question.target))
    if isinstance(tokens, Failure):
        return tokens
    source, target = tokens
    start, end = question.word
    places = model.engine.target_spans(question.target)
    asked = tuple(
        place for place, span in enumerate(places) if span is not None and span[0] < end and start < span[1]
    )
    if not asked:
        return Failure(f'the model has no token for "{question.target[start:end]}"')
    spans = model.engine.source_spans(question.source)
    return _Read(question, source, target[: asked[-1] + 1], asked, spans)


def _chance(logprobs: Floats, asked: Sequence[int]) -> float:
    return math.exp(math.fsum(float(logprobs[place]) for place in asked))


def _salience(read: _Read, chances: Sequence[float], language: str) -> Salience:
    question, whole = read.question, chances[0]
    spans = [span for span in read.spans if span is not None]
    words = word_spans(question.source)
    if tags.script(language) in _WITHOUT_SPACES:
        words = sorted({span for span in spans if span[0] < span[1]})
    found: list[list[float]] = [[] for _ in words]
    for span, chance in zip(spans, chances[1:], strict=True):
        for place in _words_of(span, words):
            found[place].append(whole - chance)
    return Salience(
        question,
        whole,
        tuple(
            Word(
                question.source[start:end],
                start,
                end,
                _kind((start, end), question),
                math.fsum(values) / len(values) if values else None,
            )
            for (start, end), values in zip(words, found, strict=True)
        ),
    )


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
