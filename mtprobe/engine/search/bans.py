"""Tokens that may not follow a hypothesis.

A network returns only the likeliest tokens, so a search requests as many more as may be banned among them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtprobe.engine.search.decoding import Decoding
from mtprobe.engine.search.hypotheses import NO_TOKEN, Flags, Integers


@dataclass(frozen=True, slots=True)
class Bans:
    """The banned next tokens of each hypothesis, given its tokens so far (see `Running.tokens`)."""

    always: Integers  # [tokens]
    ends: Integers  # [tokens] banned while a hypothesis is too short
    too_short: Flags  # [hypothesis]
    repeating: Integers  # [hypothesis, tokens] padded with NO_TOKEN

    @classmethod
    def on(cls, tokens: Integers, lengths: Integers, settings: Decoding) -> Bans:
        return cls(
            always=np.array(sorted({*settings.suppressed} - {*settings.ends}), np.intp),
            ends=np.array(settings.ends, np.intp),
            too_short=lengths < settings.min_length,
            repeating=_repeating(tokens, settings.no_repeat_ngram_size),
        )

    @property
    def most(self) -> int:
        """The maximum number of banned tokens of a hypothesis."""
        ends = len(self.ends) if self.too_short.any() else 0
        repeating: int = self.repeating.shape[1]
        return len(self.always) + ends + repeating

    def among(self, following: Integers) -> Flags:
        """Which of the tokens [hypothesis, candidate] are banned."""
        banned = np.isin(following, self.always)
        if self.too_short.any():
            banned |= self.too_short[:, None] & np.isin(following, self.ends)
        if self.repeating.size:
            banned |= (following[:, :, None] == self.repeating[:, None, :]).any(axis=2)
        return banned


def _repeating(tokens: Integers, size: int) -> Integers:
    """The tokens that would repeat an n-gram of the hypothesis."""
    count, longest = tokens.shape
    if not 0 < size <= longest:
        return np.empty((count, 0), np.intp)
    windows = np.lib.stride_tricks.sliding_window_view(tokens, size, axis=1)
    latest = tokens[:, longest + 1 - size :]
    again = (windows[:, :, :-1] == latest[:, None, :]).all(axis=2)
    repeating = np.where(again, windows[:, :, -1], NO_TOKEN)
    most = int((repeating != NO_TOKEN).sum(axis=1).max(initial=0))
    return -np.sort(-repeating, axis=1)[:, :most]
