"""A self-test of the runtime: sentences must get the same results alone and in a batch.

Shorter sentences of a batch are padded, and padded positions are masked. A runtime that gets this wrong still returns
numbers that look like log-probabilities (ONNX Runtime 1.20 does, in the decoder's cross-attention), so each model is
tested with it once before its first result; see `memory.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice
from typing import Literal, Protocol, TypeAlias

import numpy as np

from mtprobe.backends.device import Device, Dtype
from mtprobe.engine.runtime.interface import Floats
from mtprobe.engine.runtime.version import runtime_name, runtime_package
from mtprobe.engine.selftest.memory import Passed
from mtprobe.errors import ModelError

Work: TypeAlias = Literal["score", "score_without", "attention", "search", "greedy", "drafts"]
"""The ways of running a network; each has graphs of its own."""

Pair: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


class TestedNetwork(Protocol):
    @property
    def device(self) -> Device: ...

    def open_encoder(self, *, occluding: bool = False) -> str:
        """Opens the graph that reads sources; returns the execution provider."""


class Tested(Protocol):
    """A loaded model that can be tested."""

    @property
    def network(self) -> TestedNetwork: ...

    def source_tokens(self, text: str) -> tuple[int, ...]: ...

    def target_tokens(self, text: str) -> tuple[int, ...]: ...

    def too_long(self, tokens: tuple[int, ...], what: str) -> str | None:
        """An error message if there are more tokens than the model can read, else None."""

    def probe(self, work: Work, pairs: Sequence[Pair]) -> list[Floats]:
        """Log-probabilities (or attention) by pair, from the graphs of one kind of work."""


# Nats per token. In fp32 and int8, batches change the last bits only; fp16 has 11 bits, and logits of about ±10.
TOLERANCE: dict[Dtype, float] = {"fp32": 1e-3, "int8": 1e-3, "fp16": 0.1}
RELATIVE = 1e-3  # for very unlikely tokens

# A jumble, so that a model of any language is unsure what comes next: a certain token would hide an error.
TEXT = "zeta A: x 7; Q, b? (3) w! K/ m-4 e"
LENGTHS = ((9, 6), (4, 1), (1, 2))  # tokens of source and target, without EOS; the longest source first
SAFE = "1.21"  # the first version without known errors


def require_agreement(engine: Tested, work: Work, model: str, dtype: Dtype) -> None:
    """Raises `ModelError` if the runtime computes wrongly; a test that was passed is not repeated.

    `model` is the fingerprint.
    """
    runtime = f"{runtime_name()} {engine.network.open_encoder(occluding=work == 'score_without')}"
    test = Passed(model, runtime, engine.network.device.index, work)
    if test.is_remembered():
        return
    pairs = probes(engine)
    if len(pairs) < 2:
        return  # a model of very short sentences: there is nothing to pad
    together = engine.probe(work, pairs)
    for pair, in_batch in list(zip(pairs, together, strict=True))[1:]:  # the longest is not padded
        (alone,) = engine.probe(work, [pair])
        if not np.isfinite(alone).all():
            raise ModelError(f"{model}: its weights give a sentence no finite score; are its files damaged?")
        if not np.allclose(in_batch, alone, rtol=RELATIVE, atol=TOLERANCE[dtype]):
            raise ModelError(_refusal(runtime, model, dtype, work, alone, in_batch))
    test.remember()


def probes(engine: Tested) -> list[Pair]:
    """Pairs of different lengths that the model can read, the longest source first."""
    source, target = engine.source_tokens(TEXT), engine.target_tokens(TEXT)
    pairs = [
        (_of_length(source, source_length), _of_length(target, target_length))
        for source_length, target_length in LENGTHS
    ]
    return [
        pair
        for pair in pairs
        if not engine.too_long(pair[0], "source") and not engine.too_long(pair[1], "target")
    ]


def _of_length(tokens: Sequence[int], length: int) -> tuple[int, ...]:
    """The last token, which ends a sentence, after as many of the others as asked for, repeated if necessary."""
    return *islice(cycle(tokens[:-1] or tokens), length), tokens[-1]


def _refusal(runtime: str, model: str, dtype: Dtype, work: Work, alone: Floats, in_batch: Floats) -> str:
    if work == "attention":  # its mean is always the same
        furthest = int(np.abs(in_batch - alone).argmax())
        alone, in_batch = alone[furthest : furthest + 1], in_batch[furthest : furthest + 1]
    what = "an attention weight" if work == "attention" else "a mean log-probability"
    return (
        f"{runtime} computes wrong numbers for {model}: a sentence has {what} of "
        f"{alone.mean():.4f} alone but of {in_batch.mean():.4f} in a batch, and in {dtype} tokens may differ by "
        f"{TOLERANCE[dtype]}; install another version (pip install '{runtime_package()}>={SAFE}'), "
        "or use another `device` or `dtype`"
    )
