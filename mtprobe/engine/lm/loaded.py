"""A loaded language model on ONNX Runtime: tokens in, log-probabilities or answers out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeAlias

from mtprobe.engine.neural import Tokens
from mtprobe.engine.runtime.batches import Size, in_batches
from mtprobe.engine.runtime.causal_network import Beginning, CausalNetwork, CausalSteps
from mtprobe.engine.runtime.interface import Floats
from mtprobe.engine.search.beam import search
from mtprobe.engine.search.decoding import Decoding
from mtprobe.engine.search.first_steps import first_steps
from mtprobe.engine.search.sampling import Sampling, sample
from mtprobe.engine.selftest.agreement import Pair, Work

if TYPE_CHECKING:
    from mtprobe.engine.tokenizers.causal import CausalTokenizer

SCORE_BUDGET = Size(source=1024, target=768)  # tokens of a batch
STATE_BYTES = 1 << 29  # of the keys and values of a batch that is being generated
MOST_ROWS = 64

Asked: TypeAlias = tuple[Tokens, Tokens]  # a prompt and its target


@dataclass(frozen=True, slots=True)
class Seeded:
    """A prompt to answer; the seed matters where answers are drawn at random."""

    prompt: Tokens
    seed: int = 0


class LoadedLm(Protocol):
    """The interface of a loaded language model, on ONNX Runtime or in torch."""

    @property
    def vocabulary(self) -> int: ...

    @property
    def longest(self) -> int:
        """Maximum tokens of a prompt and its answer."""

    @property
    def provider(self) -> str | None: ...

    @property
    def runtime(self) -> str | None: ...

    def score(self, asked: Sequence[Asked]) -> list[Floats]:
        """The natural log-probability of each target token after its prompt."""

    def answer(
        self, prompts: Sequence[Seeded], decoding: Decoding, sampling: Sampling | None
    ) -> list[Tokens]:
        """The tokens of each answer, without its end."""

    def check(self, work: Work, model: str) -> None:
        """Raises `ModelError` if the runtime computes wrongly; `model` is the fingerprint."""


class OnnxLm:
    def __init__(self, network: CausalNetwork, tokenizer: CausalTokenizer, beginning: Tokens) -> None:
        """`beginning` is what most prompts begin with; it is read once."""
        self.network, self.tokenizer, self._beginning_tokens = network, tokenizer, beginning
        self._tested: set[Work] = set()

    @property
    def vocabulary(self) -> int:
        return self.network.dimensions.target_vocabulary

    @property
    def longest(self) -> int:
        return self.network.dimensions.longest

    @property
    def provider(self) -> str | None:
        return self.network.provider

    @property
    def runtime(self) -> str | None:
        from mtprobe.engine.runtime.version import runtime_name

        return f"{runtime_name()} {self.provider}" if self.provider else None

    def score(self, asked: Sequence[Asked]) -> list[Floats]:
        lanes = self.network.open_for_scores()
        scores: dict[Asked, Floats] = {}
        for beginning, members in self._by_beginning([prompt for prompt, _ in asked]):
            own = [(asked[index][0][len(beginning) :], asked[index][1]) for index in members]
            results = in_batches(
                own,
                size=lambda pair: Size(len(pair[0]), len(pair[1])),
                run=lambda batch, beginning=beginning: self._score_batch(batch, beginning),  # type: ignore[misc]
                budget=SCORE_BUDGET,
                together=lambda pair: pair[0],
                lanes=lanes,
            )
            scores.update(zip((asked[index] for index in members), results, strict=True))
        return [scores[pair] for pair in asked]

    def _score_batch(self, batch: Sequence[Asked], beginning: Beginning) -> list[Floats]:
        return self.network.score([prompt for prompt, _ in batch], [target for _, target in batch], beginning)

    def answer(
        self, prompts: Sequence[Seeded], decoding: Decoding, sampling: Sampling | None
    ) -> list[Tokens]:
        answers: dict[Seeded, Tokens] = {}
        distinct = list(dict.fromkeys(prompts))
        for beginning, members in self._by_beginning([asked.prompt for asked in distinct]):
            asked = [distinct[index] for index in members]
            own = [one.prompt[len(beginning) :] for one in asked]
            sources, prefixes = [prompt[:-1] for prompt in own], [prompt[-1:] for prompt in own]
            steps = CausalSteps(self.network, beginning)
            rows = self._rows(max(map(len, own)) + (decoding.max_new_tokens or 0), decoding.beams)
            for places in self._together([len(prompt) for prompt in own], rows // decoding.beams):
                part = [asked[place] for place in places]
                begun = [sources[place] for place in places]
                last = [prefixes[place] for place in places]
                if sampling is None:
                    found = search(steps, begun, last, replace(decoding, batch_rows=rows))
                    answers.update(zip(part, (best[0].tokens for best in found), strict=True))
                    continue
                for start in range(0, len(part), rows):
                    batch = slice(start, start + rows)
                    drawn = sample(
                        steps,
                        begun[batch],
                        last[batch],
                        [one.seed for one in part[batch]],
                        sampling,
                        ends=decoding.ends,
                        limit=decoding.max_new_tokens or 1,
                    )
                    answers.update(zip(part[batch], drawn, strict=True))
        return [answers[asked] for asked in prompts]

    def _together(self, lengths: Sequence[int], most: int) -> list[list[int]]:
        """The places of the prompts that are answered in one search: all of them, except in int8.

        Padding changes the last bit of what attention adds up, and rounding to 8 bits may make a different token of it. So
        only prompts of the same length share a batch there.
        """
        if self.network.dimensions.dtype != "int8":
            return [list(range(len(lengths)))]
        by_length: dict[int, list[int]] = {}
        for place, length in enumerate(lengths):
            by_length.setdefault(length, []).append(place)
        most = max(1, most)
        return [
            places[start : start + most]
            for places in by_length.values()
            for start in range(0, len(places), most)
        ]

    def _rows(self, length: int, beams: int) -> int:
        """The hypotheses of a batch: as many as memory allows, and at least those of one prompt."""
        dimensions = self.network.dimensions
        numbers = 2 * dimensions.decoder_layers * dimensions.key_heads * dimensions.head_width * length
        return max(beams, min(MOST_ROWS, STATE_BYTES // (4 * numbers)))

    @cached_property
    def _beginning(self) -> Beginning:
        return self.network.begin(self._beginning_tokens)

    @cached_property
    def _nothing(self) -> Beginning:
        return self.network.begin(())

    def _by_beginning(self, prompts: Sequence[Tokens]) -> list[tuple[Beginning, list[int]]]:
        """The places of the prompts that begin as most do, and of the others.

        It depends on a prompt alone, so its numbers do not depend on others.
        """
        size = len(self._beginning_tokens)
        usual: list[int] = []
        others: list[int] = []
        for index, prompt in enumerate(prompts):
            is_usual = len(prompt) > size > 0 and prompt[:size] == self._beginning_tokens
            (usual if is_usual else others).append(index)
        groups = [(self._beginning, usual)] if usual else []
        return [*groups, (self._nothing, others)] if others else groups

    # -- for the self-test of the runtime --

    def check(self, work: Work, model: str) -> None:
        if work in self._tested:
            return
        from mtprobe.engine.selftest.agreement import require_agreement

        require_agreement(self, work, model, self.network.dimensions.dtype)
        self._tested.add(work)

    def source_tokens(self, text: str) -> Tokens:
        return self.tokenizer.ids(text, special=False)

    def target_tokens(self, text: str) -> Tokens:
        return self.tokenizer.ids(text, special=False)

    def too_long(self, tokens: Tokens, what: str) -> str | None:  # noqa: ARG002 - the same for both
        return "too long" if 2 * len(tokens) > self.longest else None

    def probe(self, work: Work, pairs: Sequence[Pair]) -> list[Floats]:
        """Log-probabilities by pair, from the graphs of one kind of work."""
        if work == "score":
            return self._score_batch(pairs, self._beginning)
        steps = CausalSteps(self.network, self._beginning)
        return first_steps(steps, [source[:-1] for source, _ in pairs], pairs[0][0][-1:])
