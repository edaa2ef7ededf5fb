"""Requirements for backends that align, by the positions of their tokens or by attention to parts of a source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pytest

from mtprobe.backends import Attends, Failure, ScorePair, SpanPair, can_score
from mtprobe.testing.answers import expect, fail, scored, shown
from mtprobe.testing.sentences import SOURCES

_SENTENCES = 4


class AlignmentChecks:
    """A backend without `target_spans` skips the first of them, one without `attention` the others."""

    sources: ClassVar[Sequence[str]] = SOURCES
    tolerance: ClassVar[float] = 1e-5

    def test_every_scored_token_has_a_place(self, backend: object) -> None:
        place = getattr(backend, "target_spans", None)
        if not callable(place) or not can_score(backend):
            pytest.skip("it does not place its tokens: it has no `target_spans`")
        texts = self.sources[:_SENTENCES]
        for text, values in zip(
            texts, scored(backend, [ScorePair(text, text) for text in texts]), strict=True
        ):
            spans = list(place(text))
            if isinstance(values, Failure):
                continue
            if len(spans) != len(values):
                fail(f"{shown(text)} has {len(values)} scores, but {len(spans)} places of tokens")
            outside = [
                span for span in spans if span is not None and not 0 <= span[0] <= span[1] <= len(text)
            ]
            expect(not outside, f"{shown(text)}: the places {outside} are outside the text")

    def test_every_scored_token_has_its_attention(self, backend: object) -> None:
        pairs = self._words(_attending(backend))
        if not can_score(backend):
            fail("it has `attention`, but no `score`: attention is for the tokens that are scored")
        scores = scored(backend, [ScorePair(pair.source, pair.target) for pair in pairs])
        for pair, values, logprobs in zip(pairs, self._attention(backend, pairs), scores, strict=True):
            if not isinstance(logprobs, Failure) and len(values) != len(logprobs):
                fail(f"{shown(pair.target)} has {len(logprobs)} scores, but {len(values)} attention weights")
            expect(
                all(-self.tolerance <= value <= 1 + self.tolerance for value in values),
                f"{shown(pair.target)}: attention weights are shares, from 0 to 1",
            )

    def test_the_attention_to_all_words_is_at_most_one(self, backend: object) -> None:
        pairs = self._words(_attending(backend))
        by_source: dict[str, list[tuple[float, ...]]] = {}
        for pair, values in zip(pairs, self._attention(backend, pairs), strict=True):
            by_source.setdefault(pair.source, []).append(values)
        for source, words in by_source.items():
            largest = max(map(sum, zip(*words, strict=True)))
            # A token of several words counts for each of them, so only a nonsensical sum is wrong.
            expect(
                largest <= 1.5, f"{shown(source)}: a token pays {largest:.2f} of its attention to all words"
            )

    def test_attention_does_not_depend_on_its_batch(self, backend: object) -> None:
        pairs = self._words(_attending(backend))
        for pair, together in list(zip(pairs, self._attention(backend, pairs), strict=True))[::3]:
            (alone,) = self._attention(backend, [pair])
            expect(
                len(alone) == len(together)
                and all(abs(one - other) <= 1e-3 for one, other in zip(alone, together, strict=True)),
                f"{shown(pair.target)}: its attention is another one in a batch of {len(pairs)}",
            )

    def _words(self, backend: Attends) -> list[SpanPair]:  # noqa: ARG002 - to be sure that it attends
        """Every word of some sources; the target is the source itself."""
        pairs = []
        for source in self.sources[:_SENTENCES]:
            end = 0
            for word in source.split():
                start = source.index(word, end)
                end = start + len(word)
                pairs.append(SpanPair(source, source, start, end))
        return pairs

    def _attention(self, backend: object, pairs: Sequence[SpanPair]) -> list[tuple[float, ...]]:
        answers = _attending(backend).attention(list(pairs))
        expect(
            isinstance(answers, list | tuple) and len(answers) == len(pairs),
            f"attention must return one answer for each of {len(pairs)} pairs",
        )
        weights: list[tuple[float, ...]] = []
        for pair, answer in zip(pairs, answers, strict=True):
            if isinstance(answer, Failure):
                fail(f"{shown(pair.target)} is an ordinary target, but failed: {answer}")
            weights.append(tuple(answer))
        return weights


def _attending(backend: object) -> Attends:
    """The backend, if it attends; otherwise skips."""
    if not callable(getattr(backend, "attention", None)):
        pytest.skip("it does not align: it has no `attention`")
    return backend  # type: ignore[return-value]
