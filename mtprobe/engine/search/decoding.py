"""How translations are searched for, in the terms of transformers' `generate`, and what is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mtprobe.errors import ModelError


@dataclass(frozen=True, slots=True)
class Decoding:
    """The settings of a search; each means what `generate` means by it."""

    ends: tuple[int, ...]  # eos_token_id; any of them ends a translation
    max_length: int | None = None  # tokens with decoder start, prefix and end
    max_new_tokens: int | None = None  # tokens behind the prompt, the end included; wins over max_length
    min_length: int = 0  # no end before there are so many tokens, decoder start and prefix included
    beams: int = 1  # num_beams; 1 is greedy search
    n_best: int = 1  # num_return_sequences
    length_penalty: float = 1.0  # a score is a sum of log-probabilities ÷ length ** length_penalty
    early_stopping: bool | Literal["never"] = False  # greedy search always stops at the first end
    forced_end: int | None = None  # forced_eos_token_id: the token in the last place that max_length allows
    forced_prefix: int = 0  # last tokens of a prefix that count as generated; 1 for forced_bos_token_id
    suppressed: tuple[int, ...] = ()  # bad_words_ids of one token, and none of the ends
    no_repeat_ngram_size: int = 0  # an n-gram of this size occurs once, the prefix included; 0 is off
    batch_rows: int = 160  # hypotheses that the network continues at once, but at least one sentence's

    def __post_init__(self) -> None:
        if self.beams < 1:
            raise ModelError(f"beams = {self.beams}: there must be at least 1")
        if not 1 <= self.n_best <= self.beams:
            raise ModelError(
                f"n_best = {self.n_best}: a search with {self.beams} beams finds 1 to {self.beams}"
            )
        if self.early_stopping not in (False, True, "never"):
            raise ModelError(f'early_stopping = {self.early_stopping!r}: must be False, True or "never"')
        if self.max_length is None and self.max_new_tokens is None:
            raise ModelError(
                "a search needs max_length or max_new_tokens: a translation may never end by itself"
            )

    @property
    def candidates(self) -> int:
        """How many continuations of a sentence are looked at: were all ends likely, enough still go on."""
        return 1 if self.beams == 1 else max(2, 1 + len(self.ends)) * self.beams

    @property
    def stops_when_full(self) -> bool:
        """Whether a sentence is done once it has as many translations as beams."""
        return self.beams == 1 or self.early_stopping is True

    def prompt(self, prefix: int) -> int:
        """The tokens that no score counts, of a prefix of the given length."""
        return prefix - self.forced_prefix

    def limit(self, prefix: int) -> int:
        """The tokens that a translation behind a prefix of the given length may have, the prefix included."""
        if self.max_new_tokens is None:
            limit, name = self.max_length or 0, f"max_length = {self.max_length}"
        else:
            limit, name = self.prompt(prefix) + self.max_new_tokens, f"max_new_tokens = {self.max_new_tokens}"
        if prefix <= self.forced_prefix:
            raise ModelError(
                f"a prefix of {prefix} tokens: it must have the decoder's start token and "
                f"{self.forced_prefix} forced ones"
            )
        if prefix >= limit:
            raise ModelError(f"a prefix of {prefix} tokens and {name}: no token is left for a translation")
        return limit


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A translation that a search has found."""

    tokens: tuple[int, ...]  # without prefix and end
    score: float  # natural logarithm, divided by length ** length_penalty; the length counts the end
    finished: bool  # it ended by itself; otherwise it was cut off, or its end forced, at the greatest length


def in_words(beams: int, length_penalty: float, longest: int) -> str:
    """How translations were searched for, as a report says it."""
    way = "greedy" if beams == 1 else f"beam {beams}, length penalty {length_penalty:g}"
    return f"{way}, max {longest} tokens"
