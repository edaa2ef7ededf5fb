"""Search settings in the terms of transformers' `generate`, and the hypotheses that a search returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mtprobe.backends.registry import SpecOptions
from mtprobe.errors import ModelError

MOST_BEAMS = 1000
LARGEST_PENALTY = 100  # length ** length_penalty must remain a number


@dataclass(frozen=True, slots=True)
class Decoding:
    """Search settings, each with its meaning in `generate`."""

    ends: tuple[int, ...]  # eos_token_id; any of them ends a translation
    max_length: int | None = None  # tokens, decoder start, prefix and EOS included
    max_new_tokens: int | None = (
        None  # tokens after the prompt, EOS included; takes precedence over max_length
    )
    min_length: int = 0  # minimum tokens before EOS, decoder start and prefix included
    beams: int = 1  # num_beams; 1 is greedy search
    n_best: int = 1  # num_return_sequences
    length_penalty: float = 1.0  # a score is a sum of log-probabilities ÷ length ** length_penalty
    early_stopping: bool | Literal["never"] = False  # greedy search always stops at the first EOS
    forced_end: int | None = (
        None  # forced_eos_token_id: the token at the last position that max_length allows
    )
    forced_prefix: int = 0  # last tokens of a prefix that count as generated; 1 for forced_bos_token_id
    suppressed: tuple[int, ...] = ()  # bad_words_ids of one token, except EOS tokens
    no_repeat_ngram_size: int = 0  # n-grams of this size occur at most once, the prefix included; 0 is off
    batch_rows: int = 160  # hypotheses per batch, but at least those of one sentence

    def __post_init__(self) -> None:
        if self.beams < 1:
            raise ModelError(f"beams = {self.beams}: there must be at least 1")
        if self.beams > MOST_BEAMS:
            raise ModelError(f"beams = {self.beams}: there may be at most {MOST_BEAMS:,}")
        if not 1 <= self.n_best <= self.beams:
            raise ModelError(
                f"n_best = {self.n_best}: a search with {self.beams} beams finds 1 to {self.beams}"
            )
        if self.early_stopping not in (False, True, "never"):
            raise ModelError(f'early_stopping = {self.early_stopping!r}: must be False, True or "never"')
        if self.max_length is None and self.max_new_tokens is None:
            raise ModelError("a search needs max_length or max_new_tokens: a translation may never reach EOS")

    @property
    def candidates(self) -> int:
        """The continuations considered per sentence: enough to fill the beams even if all EOS tokens are likely."""
        return 1 if self.beams == 1 else max(2, 1 + len(self.ends)) * self.beams

    @property
    def stops_when_full(self) -> bool:
        """Whether a sentence is done once it has as many finished translations as beams."""
        return self.beams == 1 or self.early_stopping is True

    def prompt(self, prefix: int) -> int:
        """The number of prefix tokens that are excluded from scores."""
        return prefix - self.forced_prefix

    def limit(self, prefix: int) -> int:
        """The maximum tokens of a translation with a prefix of the given length, the prefix included."""
        if self.max_new_tokens is None:
            limit, name = self.max_length or 0, f"max_length = {self.max_length}"
        else:
            limit, name = self.prompt(prefix) + self.max_new_tokens, f"max_new_tokens = {self.max_new_tokens}"
        if prefix <= self.forced_prefix:
            raise ModelError(
                f"a prefix of {prefix} tokens: it must contain the decoder's start token and "
                f"{self.forced_prefix} forced tokens"
            )
        if prefix >= limit:
            raise ModelError(f"a prefix of {prefix} tokens and {name}: no token is left for a translation")
        return limit


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A translation that a search has found."""

    tokens: tuple[int, ...]  # without prefix and EOS
    score: float  # natural log-probability ÷ length ** length_penalty; the length includes EOS
    finished: bool  # it reached EOS; otherwise it was cut off, or EOS was forced, at the maximum length


def in_words(beams: int, length_penalty: float, longest: int) -> str:
    """The description of a search in reports."""
    strategy = "greedy" if beams == 1 else f"beam {beams}, length penalty {length_penalty:g}"
    return f"{strategy}, max {longest} tokens"


def beams_and_penalty(options: SpecOptions) -> tuple[int | None, float | None]:
    """The options `beams` and `length_penalty` of a spec; raises `ModelError` if one is out of range."""
    beams, penalty = options.positive("beams"), options.real("length_penalty")
    if beams is not None and beams > MOST_BEAMS:
        raise ModelError(f"{options.spec}: beams={beams} is too large: at most {MOST_BEAMS:,}")
    if penalty is not None and abs(penalty) > LARGEST_PENALTY:
        raise ModelError(
            f"{options.spec}: length_penalty={penalty:g} is not between -{LARGEST_PENALTY} and {LARGEST_PENALTY}"
        )
    return beams, penalty
