"""Prediction difference (Li et al., 2019; Emelin and Sennrich, 2021): P(w|X) − P(w|X without t).

The probability of the word w is the product of its tokens' probabilities, given the target words before it. A removed
source token t gets a zero embedding and keeps its position. A word's salience is the mean of its tokens'.

If w translates t itself, t matters whatever the model chooses: both *velho* and *velha* need the "old" of "so old".
So salience is also computed for the choice, with P(w) / (P(w) + P(the wrong target's word)) in place of P(w).
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
from mtprobe.language.identify import puts_spaces_between_words
from mtprobe.methods.salience.outcome import Kind, Salience, SalienceQuestion, Token, Word
from mtprobe.methods.salience.words import is_punctuation, word_spans
from mtprobe.progress import Progress, Silent

if TYPE_CHECKING:
    from mtprobe.engine.runtime.interface import Floats

_CHUNK = 64  # questions per progress update


@dataclass(frozen=True, slots=True)
class _TargetWord:
    """A word of a target in tokens."""

    target: tuple[int, ...]  # up to the last token of the word
    places: tuple[int, ...]  # of the word's tokens

    def probability(self, logprobs: Floats) -> float:
        return math.exp(math.fsum(float(logprobs[place]) for place in self.places))


@dataclass(frozen=True, slots=True)
class _Encoded:
    """A question in tokens."""

    question: SalienceQuestion
    source: tuple[int, ...]
    right: _TargetWord
    wrong: _TargetWord | None
    spans: Sequence[Span | None]  # of the source's tokens

    @property
    def items(self) -> list[Occluded]:
        """With all tokens, then without each token of text; first for the right word, then for the wrong one."""
        places = [None, *(place for place, span in enumerate(self.spans) if span is not None)]
        words = [self.right] if self.wrong is None else [self.right, self.wrong]
        return [Occluded(self.source, word.target, place) for word in words for place in places]


def measure(
    model: NeuralModel, questions: Sequence[SalienceQuestion], progress: Progress | None = None
) -> list[Salience | Failure]:
    """One answer per question, in order."""
    shown, answers = progress or Silent(), list[Salience | Failure]()
    shown.start("salience", len(questions))
    for start in range(0, len(questions), _CHUNK):
        chunk = questions[start : start + _CHUNK]
        answers += _answers(model, chunk)
        shown.advance(len(chunk))
    shown.done()
    return answers


def _answers(model: NeuralModel, questions: Sequence[SalienceQuestion]) -> list[Salience | Failure]:
    engine = model.tested("score_without")
    encoded = [_encode(model, question) for question in questions]
    items = [item for question in encoded if not isinstance(question, Failure) for item in question.items]
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
    for question in encoded:
        if isinstance(question, Failure):
            answers.append(question)
            continue
        given = [next(scores) for _ in question.items]
        count = len(given) // 2 if question.wrong else len(given)
        right = [question.right.probability(logprobs) for logprobs in given[:count]]
        wrong = [question.wrong.probability(logprobs) for logprobs in given[count:]] if question.wrong else []
        answers.append(_salience(question, right, wrong, model.languages.source))
    return answers


def _encode(model: NeuralModel, question: SalienceQuestion) -> _Encoded | Failure:
    tokens = model.read_pair(ScorePair(question.source, question.target))
    if isinstance(tokens, Failure):
        return tokens
    source, target = tokens
    right = _target_word(model, target, question.target, question.word)
    if right is None:
        return Failure(f'the model has no token for "{question.target[slice(*question.word)]}"')
    wrong = None
    if question.wrong_word is not None:
        tokens = model.read_pair(ScorePair(question.source, question.wrong))
        if not isinstance(tokens, Failure):
            wrong = _target_word(model, tokens[1], question.wrong, question.wrong_word)
    return _Encoded(question, source, right, wrong, model.engine.source_spans(question.source))


def _target_word(model: NeuralModel, target: tuple[int, ...], text: str, word: Span) -> _TargetWord | None:
    start, end = word
    places = tuple(
        place
        for place, span in enumerate(model.engine.target_spans(text))
        if span is not None and span[0] < end and start < span[1]
    )
    return _TargetWord(target[: places[-1] + 1], places) if places else None


def _salience(encoded: _Encoded, right: Sequence[float], wrong: Sequence[float], language: str) -> Salience:
    question = encoded.question
    spans = [span for span in encoded.spans if span is not None]
    words = word_spans(question.source)
    if not puts_spaces_between_words(language):
        words = sorted({span for span in spans if span[0] < span[1]})
    shares = [_share(p, q) for p, q in zip(right, wrong, strict=True)] if wrong else []
    by_word, by_choice = (_means(values, spans, words) for values in (right, shares))
    return Salience(
        question,
        right[0],
        shares[0] if shares else None,
        tuple(
            Word(question.source[start:end], start, end, _kind((start, end), question), salience, choice)
            for (start, end), salience, choice in zip(words, by_word, by_choice, strict=True)
        ),
        tuple(
            Token(_token_kind(span, words, question), right[0] - value)
            for span, value in zip(spans, right[1:], strict=True)
        ),
    )


def _share(p: float, q: float) -> float:
    return p / (p + q) if p + q > 0 else 0.5


def _means(values: Sequence[float], spans: Sequence[Span], words: Sequence[Span]) -> list[float | None]:
    """For each word, how much the value of the complete source falls without one of its tokens, on average."""
    falls: list[list[float]] = [[] for _ in words]
    if values:
        for span, value in zip(spans, values[1:], strict=True):
            for place in _words_of(span, words):
                falls[place].append(values[0] - value)
    return [math.fsum(word) / len(word) if word else None for word in falls]


def _words_of(span: Span, words: Sequence[Span]) -> list[int]:
    """The words that a token is part of. A token that is only a space belongs to the word after it."""
    start, end = span
    if start == end:
        return [place for place, word in enumerate(words) if word[0] >= start][:1]
    return [place for place, word in enumerate(words) if word[0] < end and start < word[1]]


def _token_kind(span: Span, words: Sequence[Span], question: SalienceQuestion) -> Kind:
    """The kind of its word; punctuation is one of the others."""
    kinds = {_kind(words[place], question) for place in _words_of(span, words)} - {"sign"}
    return next((kind for kind in ("focus", "trigger") if kind in kinds), "other")


def _kind(word: Span, question: SalienceQuestion) -> Kind:
    def overlaps(span: Span) -> bool:
        return word[0] < span[1] and span[0] < word[1]

    if is_punctuation(question.source[slice(*word)]):
        return "sign"
    if any(map(overlaps, question.triggers)):
        return "trigger"
    return "focus" if question.focus and overlaps(question.focus) else "other"
