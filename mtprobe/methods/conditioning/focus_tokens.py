"""Focus scoring: only the target tokens that translate the focus are compared.

A cue word that the translation does not contain costs probability all over the sentence, and more than what it says
about the focus. So the original source and the translation are aligned once, by the scorer's cross-attention if it
has one, else by a word aligner, and the same tokens serve all cues. Where a cue is beside the focus (*woman nurse*),
what the translation omits falls on the focus itself, and the token before it, often an article, is compared as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from mtprobe.backends.attention import attention_of
from mtprobe.backends.scorer import (
    PlacesTokens,
    Scorer,
    SpanPair,
    TokenAttention,
    can_attend,
)
from mtprobe.backends.stored import spans_of
from mtprobe.errors import Failure
from mtprobe.language.alignment import Aligner, Alignment, SentencePair, aligned_to, tokens_in
from mtprobe.methods.conditioning.target_words import token_groups, word_spans
from mtprobe.progress import Progress
from mtprobe.store import Spans, Store
from mtprobe.suite.sample import Sample
from mtprobe.suite.samples.focus import cue_is_beside_focus

# Chosen on translations of ambiguous words and occupations by opus-mt-en-fr and the demo model: *sont devenues*,
# *sente falta* and *acidente vascular cerebral* are found whole, without the articles before other words.
NEARLY_BEST = (
    0.8  # of the attention of the best word: such a word belongs to the translation of the focus, too
)
LEAST = 0.15  # the attention of the best word; below, nothing translates the focus


class Focused(NamedTuple):
    """A source with its focus, and a translation."""

    source: str
    translation: str
    focus: tuple[int, int]


@dataclass(frozen=True, slots=True)
class FocusTokens:
    """The tokens of a translation that are compared."""

    tokens: tuple[int, ...]  # their places among the scored tokens
    spans: tuple[tuple[int, int], ...]  # where they are in the translation


@dataclass(frozen=True)
class FocusFinder:
    """Finds the tokens that translate a focus."""

    scorer: Scorer
    store: Store | None
    progress: Progress
    aligner: Aligner  # for a scorer without attention
    corpus: Sequence[SentencePair] = ()  # which it learns from

    @property
    def found_by(self) -> str:
        """The aligner; empty if there is none because the scorer does not report where its tokens are."""
        if not callable(getattr(self.scorer, "target_spans", None)):
            return ""
        return "cross-attention" if can_attend(self.scorer) else f"alignment {self.aligner.name}"

    def compared(self, samples: Sequence[tuple[Sample, str]]) -> list[FocusTokens | None]:
        """The tokens by which the cues of each sample are compared on its translation; None: not found."""
        asked = [
            Focused(sample.source, text, sample.focus) if sample.focus is not None else None
            for sample, text in samples
        ]
        found = self.find([focused for focused in asked if focused is not None])
        return [
            self._with_context(found[focused], sample) if focused is not None and focused in found else None
            for focused, (sample, _) in zip(asked, samples, strict=True)
        ]

    @staticmethod
    def _with_context(found: _Found, sample: Sample) -> FocusTokens:
        tokens = found.tokens
        if tokens[0] > 0 and cue_is_beside_focus(sample):
            tokens = (tokens[0] - 1, *tokens)
        return FocusTokens(tokens, tuple(joined_spans(found.spans[token] for token in tokens)))

    def find(self, asked: Sequence[Focused]) -> dict[Focused, _Found]:
        """The tokens of each focus that can be found."""
        if not self.found_by or not isinstance(self.scorer, PlacesTokens):
            return {}
        spans = spans_of(self.scorer, dict.fromkeys(focused.translation for focused in asked), self.store)
        placed = [focused for focused in dict.fromkeys(asked) if focused.translation in spans]
        search = self._by_attention if can_attend(self.scorer) else self._by_aligner
        return {
            focused: _Found(tuple(sorted(tokens)), spans[focused.translation])
            for focused, tokens in search(placed, spans)
            if tokens
        }

    def _by_attention(
        self, asked: Sequence[Focused], spans: Mapping[str, Spans]
    ) -> Iterator[tuple[Focused, set[int]]]:
        """Each word of the focus chooses the words that attend to it most."""
        if not can_attend(self.scorer):
            return
        wanted = {focused: _word_pairs(focused) for focused in asked}
        attention = attention_of(
            self.scorer, [pair for pairs in wanted.values() for pair in pairs], self.store, self.progress
        )
        for focused, pairs in wanted.items():
            places = spans[focused.translation]
            groups = token_groups(focused.translation, places)
            tokens: set[int] = set()
            for pair in pairs:
                weights = attention[pair]
                if not isinstance(weights, Failure) and len(weights) == len(places):
                    tokens |= _attending(groups, weights)
            yield focused, tokens

    def _by_aligner(
        self, asked: Sequence[Focused], spans: Mapping[str, Spans]
    ) -> Iterator[tuple[Focused, set[int]]]:
        pairs = {focused: SentencePair(focused.source, focused.translation) for focused in asked}
        alignments = self._aligned(list(pairs.values()))
        for focused, pair in pairs.items():
            alignment = alignments[pair]
            if not isinstance(alignment, Failure):
                linked = aligned_to(alignment, tokens_in(focused.source, focused.focus))
                yield focused, _tokens_of(focused.translation, linked, spans[focused.translation])

    def _aligned(self, pairs: Sequence[SentencePair]) -> dict[SentencePair, Alignment | Failure]:
        """Learnt from the whole corpus, so that blocks of samples do not matter."""
        new = [pair for pair in pairs if pair not in self._corpus_alignments]
        return self._align([*self.corpus, *new]) if new else self._corpus_alignments

    @cached_property
    def _corpus_alignments(self) -> dict[SentencePair, Alignment | Failure]:
        return self._align(self.corpus)

    def _align(self, pairs: Sequence[SentencePair]) -> dict[SentencePair, Alignment | Failure]:
        return dict(zip(pairs, self.aligner.align(pairs), strict=True))


class _Found(NamedTuple):
    tokens: tuple[int, ...]  # in order, at least one
    spans: Spans  # of all tokens


def _word_pairs(focused: Focused) -> list[SpanPair]:
    """One per word of the focus."""
    start, end = focused.focus
    words = word_spans(focused.source[start:end]) or [(0, end - start)]
    return [
        SpanPair(focused.source, focused.translation, start + first, start + last) for first, last in words
    ]


def _attending(groups: Sequence[tuple[int, ...]], weights: TokenAttention) -> set[int]:
    """The tokens of the words that attend most; a word attends as much as its most attentive token."""
    strengths = [max(weights[token] for token in group) for group in groups]
    best = max(strengths, default=0.0)
    if best < LEAST:
        return set()
    return {
        token
        for group, strength in zip(groups, strengths, strict=True)
        if strength >= NEARLY_BEST * best
        for token in group
    }


def _tokens_of(text: str, words: Sequence[int], spans: Spans) -> set[int]:
    """The tokens of words that are separated by white space."""
    places, end = [], 0
    for word in text.split():
        start = text.index(word, end)
        end = start + len(word)
        places.append((start, end))
    return {
        number
        for group in token_groups(text, spans)
        for number in group
        if any(_overlap(spans[token], places[word]) for token in group for word in words)
    }


def _overlap(one: tuple[int, int] | None, other: tuple[int, int]) -> bool:
    return one is not None and max(one[0], other[0]) < min(one[1], other[1])


def joined_spans(spans: Iterable[tuple[int, int] | None]) -> Iterator[tuple[int, int]]:
    """Spans in order, those that touch joined, without empty ones."""
    current: tuple[int, int] | None = None
    for span in spans:
        if span is None or span[0] == span[1]:
            continue
        if current is not None and span[0] <= current[1]:
            current = current[0], max(current[1], span[1])
        else:
            if current is not None:
                yield current
            current = span
    if current is not None:
        yield current
