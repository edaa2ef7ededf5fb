"""A reference implementation in plain numpy and double precision, one sentence at a time.

Written from the description of the architectures alone, independently of the graphs. Tables, type of decoder and
norms are inferred from the names of the tensors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

Work: TypeAlias = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Reference:
    """A transformer with an SSRU or an attending decoder. `tensors` are as Marian names them; sentences end
    with their EOS.

    `layers` are the numbers of the decoder's layers, one after the other; `old` is the Marian that normalises
    only queries, and whose gelu is not one.
    """

    def __init__(
        self,
        tensors: Mapping[str, np.ndarray],
        heads: int,
        activation: str = "relu",
        layers: Sequence[int] = (),
        old: bool = True,
    ) -> None:
        self.tensors = {name: np.asarray(values, np.float64) for name, values in tensors.items()}
        self.heads, self.activation, self.old = heads, activation, old
        self.source, self.target = (self._first("Wemb", f"{side}_Wemb") for side in ("encoder", "decoder"))
        self.width = self.target.shape[1]
        self.norm_first = "encoder_l1_self_Wo_ln_scale_pre" in tensors
        self.attends = "decoder_l1_self_Wq" in tensors
        self._attention: dict[str, np.ndarray] = {}  # by block, of the last sentence
        self.epsilon = 1e-6 if self.attends else 1e-9
        self.decoder = [f"decoder_l{number}" for number in layers] or self._layers("decoder")

    def _first(self, *names: str) -> np.ndarray:
        return self.tensors[next(name for name in names if name in self.tensors)]

    def _logits(self, states: np.ndarray) -> np.ndarray:
        if "decoder_ff_logit_out_W" in self.tensors:
            logits = states @ self.tensors["decoder_ff_logit_out_W"]
        else:
            logits = states @ self.tensors.get("decoder_ff_logit_out_Wt", self.target).T
        return (
            logits + self.tensors["decoder_ff_logit_out_b"].ravel()
            if self._has("decoder_ff_logit_out_b")
            else logits
        )

    def _has(self, name: str) -> bool:
        return name in self.tensors

    def log_probabilities(self, source: Sequence[int], target: Sequence[int]) -> np.ndarray:
        """[target tokens, vocabulary]: log-probabilities of the next token, given the target so far."""
        return self._next(self._encode(source), target)

    def judge(self, source: Sequence[int], target: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """The log-probability of each target token, and of the likeliest token at its place."""
        logprobs = self.log_probabilities(source, target)
        return logprobs[np.arange(len(target)), list(target)], logprobs.max(axis=1)

    def cross_attention(self, source: Sequence[int], target: Sequence[int]) -> np.ndarray:
        """[layers, heads, target, source]: how much the decoder attends to the source when it predicts each token."""
        weights = []
        look_at = self._look_at

        def watched(memory: np.ndarray, name: str) -> Work:
            def work(plain: np.ndarray, normed: np.ndarray) -> np.ndarray:
                states = look_at(memory, name)(plain, normed)
                weights.append(self._attention[name])
                return states

            return work

        self._look_at = watched  # type: ignore[method-assign]
        try:
            self._decode(self._encode(source), target)
        finally:
            del self._look_at
        return np.stack(weights)

    def greedy(self, source: Sequence[int], end: int, limit: int) -> list[int]:
        output: list[int] = []
        memory = self._encode(source)
        while len(output) < limit:
            token = int(self._next(memory, [*output, end])[-1].argmax())
            if token == end:
                break
            output.append(token)
        return output

    def _next(self, memory: np.ndarray, target: Sequence[int]) -> np.ndarray:
        logits = self._logits(self._decode(memory, target))
        logits -= logits.max(axis=1, keepdims=True)
        return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))

    def _encode(self, source: Sequence[int]) -> np.ndarray:
        states = np.sqrt(self.width) * self.source[list(source)] + self._waves(len(source))
        states = self._maybe_normalise(states, "encoder_emb", "_pre")
        for name in self._layers("encoder"):
            states = self._sublayer(states, f"{name}_self_Wo", self._look_around(f"{name}_self"))
            states = self._sublayer(states, f"{name}_ffn_ffn", self._think(f"{name}_ffn"))
        return self._maybe_normalise(states, "encoder_top")

    def _decode(self, memory: np.ndarray, target: Sequence[int]) -> np.ndarray:
        states = np.zeros((len(target), self.width))
        states[1:] = np.sqrt(self.width) * self.target[list(target)[:-1]]
        states += self._waves(len(target))
        states = self._maybe_normalise(states, "decoder_emb", "_pre")
        past = np.tril(np.ones((len(target), len(target)), bool))
        for name in self.decoder:
            if self.attends:
                states = self._sublayer(states, f"{name}_self_Wo", self._look_around(f"{name}_self", past))
            else:
                states = self._sublayer(states, f"{name}_rnn_ffn", self._remember(f"{name}_rnn"))
            states = self._sublayer(states, f"{name}_context_Wo", self._look_at(memory, f"{name}_context"))
            states = self._sublayer(states, f"{name}_ffn_ffn", self._think(f"{name}_ffn"))
        return self._maybe_normalise(states, "decoder_top")

    def _sublayer(self, states: np.ndarray, norm: str, work: Work) -> np.ndarray:
        """A sublayer with its residual connection; it gets the states unnormalised and normalised."""
        if self.norm_first:
            return states + work(states, self._normalise(states, norm, "_pre"))
        return self._normalise(states + work(states, states), norm)

    def _maybe_normalise(self, states: np.ndarray, name: str, suffix: str = "") -> np.ndarray:
        return self._normalise(states, name, suffix) if self._has(f"{name}_ln_scale{suffix}") else states

    def _layers(self, side: str) -> list[str]:
        count = 0
        while f"{side}_l{count + 1}_ffn_W1" in self.tensors:
            count += 1
        return [f"{side}_l{number}" for number in range(1, count + 1)]

    def _waves(self, length: int) -> np.ndarray:
        half = self.width // 2
        waves = np.empty((length, self.width))
        for dimension in range(half):
            angles = np.arange(length) / 10000 ** (dimension / (half - 1))
            waves[:, dimension], waves[:, half + dimension] = np.sin(angles), np.cos(angles)
        return waves

    def _affine(self, states: np.ndarray, matrix: str, bias: str) -> np.ndarray:
        return states @ self.tensors[matrix] + self.tensors[bias].ravel()

    def _normalise(self, states: np.ndarray, name: str, suffix: str = "") -> np.ndarray:
        deviation = np.sqrt(states.var(axis=1, keepdims=True) + self.epsilon)
        standard = (states - states.mean(axis=1, keepdims=True)) / deviation
        scale, bias = (self.tensors[f"{name}_ln_{part}{suffix}"].ravel() for part in ("scale", "bias"))
        return standard * scale + bias

    def _activated(self, inner: np.ndarray) -> np.ndarray:
        if self.activation == "relu":
            return np.clip(inner, 0, None)
        if self.activation == "gelu" and not self.old:
            return inner * 0.5 * (1 + np.vectorize(math.erf)(inner / np.sqrt(2)))
        return inner / (1 + np.exp(-(1.702 if self.activation == "gelu" else 1) * inner))

    def _think(self, name: str) -> Work:
        def work(_: np.ndarray, states: np.ndarray) -> np.ndarray:
            inner = self._activated(self._affine(states, f"{name}_W1", f"{name}_b1"))
            return self._affine(inner, f"{name}_W2", f"{name}_b2")

        return work

    def _look_around(self, name: str, allowed: np.ndarray | None = None) -> Work:
        def work(plain: np.ndarray, normed: np.ndarray) -> np.ndarray:
            return self._look(normed, plain if self.old else normed, name, allowed)

        return work

    def _look_at(self, memory: np.ndarray, name: str) -> Work:
        return lambda _, states: self._look(states, memory, name, None)

    def _look(
        self, states: np.ndarray, memory: np.ndarray, name: str, allowed: np.ndarray | None
    ) -> np.ndarray:
        size = self.width // self.heads
        query = self._affine(states, f"{name}_Wq", f"{name}_bq").reshape(-1, self.heads, size)
        key = self._affine(memory, f"{name}_Wk", f"{name}_bk").reshape(-1, self.heads, size)
        value = self._affine(memory, f"{name}_Wv", f"{name}_bv").reshape(-1, self.heads, size)
        closeness = np.einsum("qhs,khs->hqk", query, key) / np.sqrt(size)
        closeness = np.exp(closeness - closeness.max(axis=2, keepdims=True))
        if allowed is not None:
            closeness *= allowed
        attention = closeness / closeness.sum(axis=2, keepdims=True)
        self._attention[name] = attention
        seen = np.einsum("hqk,khs->qhs", attention, value).reshape(-1, self.width)
        return self._affine(seen, f"{name}_Wo", f"{name}_bo") if self._has(f"{name}_Wo") else seen

    def _remember(self, name: str) -> Work:
        def work(_: np.ndarray, states: np.ndarray) -> np.ndarray:
            forget = 1 / (1 + np.exp(-self._affine(states, f"{name}_Wf", f"{name}_bf")))
            candidates = states @ self.tensors[f"{name}_W"]
            cell, seen = np.zeros(self.width), []
            for gate, candidate in zip(forget, candidates, strict=True):
                cell = gate * cell + (1 - gate) * candidate
                seen.append(np.maximum(cell, 0))
            return np.array(seen)

        return work
