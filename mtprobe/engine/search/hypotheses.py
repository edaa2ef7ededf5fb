"""The running hypotheses of a beam search over many sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from mtprobe.engine.search.decoding import Decoding, Hypothesis

Floats: TypeAlias = npt.NDArray[np.float32]
Integers: TypeAlias = npt.NDArray[np.intp]
Flags: TypeAlias = npt.NDArray[np.bool_]

NO_TOKEN = -1
# The arrays of `Running` that have a row per sentence and need no padding.
_PER_SENTENCE = ("places", "prefixes", "prompts", "limits", "lengths", "scores", "rows", "worst")


@dataclass(slots=True)
class Running:
    """The running sentences; all hypotheses of a sentence have the same length.

    A sentence has `beams` hypotheses, best first. Those with a score of -inf do not exist; at first, all but one do
    not, otherwise all beams would be the same.
    """

    places: Integers  # [sentence] place in the input
    prefixes: Integers  # [sentence] number of prefix tokens
    prompts: Integers  # [sentence] number of prefix tokens excluded from scores
    limits: Integers  # [sentence] maximum number of tokens
    lengths: Integers  # [sentence] number of tokens so far
    scores: Floats  # [sentence, beam] sums of log-probabilities
    rows: Integers  # [sentence, beam] of the network's state
    tokens: Integers  # [sentence, beam, longest] right-aligned, NO_TOKEN before the prefix
    finished: list[tuple[Hypothesis, ...]]  # per sentence, best first, at most `beams`
    worst: Floats  # [sentence] score of the last finished one once there are `beams`, -inf before

    @classmethod
    def entering(
        cls, places: Sequence[int], prefixes: Sequence[Sequence[int]], settings: Decoding, first_row: int
    ) -> Running:
        """Sentences before their first step, in rows of the state starting at `first_row`."""
        count, lengths = len(places), np.array([len(prefix) for prefix in prefixes], np.intp)
        scores = np.full((count, settings.beams), -np.inf, np.float32)
        scores[:, :1] = 0
        tokens = np.full((count, settings.beams, lengths.max(initial=0)), NO_TOKEN, np.intp)
        for sentence, prefix in enumerate(prefixes):
            tokens[sentence, :, tokens.shape[2] - len(prefix) :] = prefix
        return cls(
            places=np.array(places, np.intp),
            prefixes=lengths,
            prompts=np.array([settings.prompt(len(prefix)) for prefix in prefixes], np.intp),
            limits=np.array([settings.limit(len(prefix)) for prefix in prefixes], np.intp),
            lengths=lengths,
            scores=scores,
            rows=np.repeat(np.arange(first_row, first_row + count)[:, None], settings.beams, axis=1),
            tokens=tokens,
            finished=[()] * count,
            worst=np.full(count, -np.inf, np.float32),
        )

    def __len__(self) -> int:
        return len(self.places)

    @property
    def alive(self) -> Flags:
        """[sentence, beam] which hypotheses exist."""
        return np.isfinite(self.scores)

    def keep(self, sentences: Flags) -> Running:
        """Only the given sentences."""
        lengths = self.lengths[sentences]
        return Running(
            **{name: getattr(self, name)[sentences] for name in _PER_SENTENCE},
            tokens=self.tokens[sentences, :, self.tokens.shape[2] - lengths.max(initial=0) :],
            finished=[hypotheses for hypotheses, kept in zip(self.finished, sentences, strict=True) if kept],
        )

    def join(self, others: Running) -> Running:
        """These sentences, followed by the others."""
        longest = max(self.tokens.shape[2], others.tokens.shape[2])
        return Running(
            **{name: np.concatenate([getattr(self, name), getattr(others, name)]) for name in _PER_SENTENCE},
            tokens=np.concatenate([_padded(self.tokens, longest), _padded(others.tokens, longest)]),
            finished=[*self.finished, *others.finished],
        )

    def extend(self, parents: Integers, tokens: Integers, scores: Floats, rows: Integers) -> None:
        """Replaces the hypotheses by continuations that are one token longer; all [sentence, beam]."""
        history = np.take_along_axis(self.tokens, parents[:, :, None], axis=1)
        self.tokens = np.concatenate([history, tokens[:, :, None]], axis=2)
        self.scores, self.rows = scores, rows
        self.lengths = self.lengths + 1

    def generated(self, sentence: int, beam: int) -> tuple[int, ...]:
        """The tokens of a hypothesis after its prefix."""
        first = self.tokens.shape[2] - (self.lengths[sentence] - self.prefixes[sentence])
        return tuple(self.tokens[sentence, beam, first:].tolist())

    def finish(self, sentence: int, hypothesis: Hypothesis) -> None:
        """Adds it to the best of its sentence, after those with an equal score."""
        beams = self.scores.shape[1]
        best = sorted([*self.finished[sentence], hypothesis], key=lambda finished: -finished.score)[:beams]
        self.finished[sentence] = tuple(best)
        if len(best) == beams:
            self.worst[sentence] = best[-1].score


def _padded(tokens: Integers, longest: int) -> Integers:
    return np.pad(tokens, ((0, 0), (0, 0), (longest - tokens.shape[2], 0)), constant_values=NO_TOKEN)
