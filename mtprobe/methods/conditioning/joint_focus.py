"""Focus scoring by several evaluators: each finds the translated focus among its own tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

from mtprobe.backends.ensemble import Ensemble
from mtprobe.backends.scorer import PlacesTokens, Scorer
from mtprobe.backends.stored import spans_of
from mtprobe.language.alignment import Aligner, SentencePair
from mtprobe.methods.conditioning.focus_tokens import FocusFinder, FocusTokens, joined_spans
from mtprobe.progress import Progress
from mtprobe.store import Store
from mtprobe.suite.sample import Sample


@dataclass(frozen=True, slots=True)
class JointFocusFinder:
    """Finds the tokens in what the members of an ensemble score, one after the other."""

    finders: tuple[FocusFinder, ...]

    @property
    def found_by(self) -> str:
        """The aligner; empty if one of the members does not report where its tokens are."""
        each = [finder.found_by for finder in self.finders]
        return " and ".join(dict.fromkeys(each)) if all(each) else ""

    def compared(self, samples: Sequence[tuple[Sample, str]]) -> list[FocusTokens | None]:
        """Like that of one evaluator; if one of them does not find the focus, it is not found."""
        if not self.found_by:
            return [None] * len(samples)
        sizes = [self._sizes(finder, [text for _, text in samples]) for finder in self.finders]
        by_member = [finder.compared(samples) for finder in self.finders]
        return [
            _joined(found, [sizes_of[text] for sizes_of in sizes]) if all(found) else None
            for (_, text), *found in zip(samples, *by_member, strict=True)
        ]

    @staticmethod
    def _sizes(finder: FocusFinder, texts: Sequence[str]) -> dict[str, int]:
        """How many tokens each text has."""
        scorer = finder.scorer
        spans = (
            spans_of(scorer, dict.fromkeys(texts), finder.store) if isinstance(scorer, PlacesTokens) else {}
        )
        return {text: len(spans.get(text, ())) for text in texts}


Finder: TypeAlias = FocusFinder | JointFocusFinder


def focus_finder(
    scorer: Scorer,
    store: Store | None,
    progress: Progress,
    aligner: Aligner,
    corpus: Sequence[SentencePair] = (),
) -> Finder:
    """One for the scorer, or for all that it is made of."""
    if isinstance(scorer, Ensemble):
        members = (FocusFinder(member, store, progress, aligner, corpus) for member in scorer.members)
        return JointFocusFinder(tuple(members))
    return FocusFinder(scorer, store, progress, aligner, corpus)


def _joined(found: Sequence[FocusTokens | None], sizes: Sequence[int]) -> FocusTokens:
    """The tokens by their places among all scores."""
    known = [tokens for tokens in found if tokens is not None]
    starts = (0, *accumulate(sizes))
    tokens = tuple(start + token for one, start in zip(known, starts, strict=False) for token in one.tokens)
    return FocusTokens(tokens, tuple(joined_spans(sorted(span for one in known for span in one.spans))))
