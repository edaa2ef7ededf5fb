"""The network once more, in plain numpy and double precision: one sentence at a time, nothing clever.

Written from the description of the architecture alone, so that it can disagree with the graphs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np


class Reference:
    """A transformer with an SSRU decoder. `tensors` are as Marian names them; sentences end with their EOS."""

    def __init__(self, tensors: Mapping[str, np.ndarray], heads: int) -> None:
        self.tensors = {name: np.asarray(values, np.float64) for name, values in tensors.items()}
        self.heads = heads
        self.embeddings = self.tensors["Wemb"]
        self.width = self.embeddings.shape[1]

    def log_probabilities(self, source: Sequence[int], target: Sequence[int]) -> np.ndarray:
        """[target tokens, vocabulary]: what the model thinks of each next token, given the target up to there."""
        states = self._decode(self._encode(source), target)
        logits = states @ self.embeddings.T + self.tensors["decoder_ff_logit_out_b"].ravel()
        logits -= logits.max(axis=1, keepdims=True)
        return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))

    def judge(self, source: Sequence[int], target: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """The log-probability of each target token, and that of the likeliest token in its place."""
        logprobs = self.log_probabilities(source, target)
        return logprobs[np.arange(len(target)), list(target)], logprobs.max(axis=1)

    def greedy(self, source: Sequence[int], end: int, limit: int) -> list[int]:
        output: list[int] = []
        while len(output) < limit:
            token = int(self.log_probabilities(source, [*output, end])[-1].argmax())
            if token == end:
                break
            output.append(token)
        return output

    def _encode(self, source: Sequence[int]) -> np.ndarray:
        states = np.sqrt(self.width) * self.embeddings[list(source)] + self._waves(len(source))
        for name in self._layers("encoder"):
            states = self._normalise(states + self._look(states, states, f"{name}_self"), f"{name}_self_Wo")
            states = self._think(states, f"{name}_ffn")
        return states

    def _decode(self, memory: np.ndarray, target: Sequence[int]) -> np.ndarray:
        states = np.zeros((len(target), self.width))
        states[1:] = np.sqrt(self.width) * self.embeddings[list(target)[:-1]]
        states += self._waves(len(target))
        for name in self._layers("decoder"):
            states = self._normalise(states + self._remember(states, f"{name}_rnn"), f"{name}_rnn_ffn")
            states = self._normalise(
                states + self._look(states, memory, f"{name}_context"), f"{name}_context_Wo"
            )
            states = self._think(states, f"{name}_ffn")
        return states

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

    def _normalise(self, states: np.ndarray, name: str) -> np.ndarray:
        deviation = np.sqrt(states.var(axis=1, keepdims=True) + 1e-9)
        standard = (states - states.mean(axis=1, keepdims=True)) / deviation
        return standard * self.tensors[f"{name}_ln_scale"].ravel() + self.tensors[f"{name}_ln_bias"].ravel()

    def _think(self, states: np.ndarray, name: str) -> np.ndarray:
        inner = np.clip(self._affine(states, f"{name}_W1", f"{name}_b1"), 0, None)
        return self._normalise(states + self._affine(inner, f"{name}_W2", f"{name}_b2"), f"{name}_ffn")

    def _look(self, states: np.ndarray, memory: np.ndarray, name: str) -> np.ndarray:
        size = self.width // self.heads
        query = self._affine(states, f"{name}_Wq", f"{name}_bq").reshape(-1, self.heads, size)
        key = self._affine(memory, f"{name}_Wk", f"{name}_bk").reshape(-1, self.heads, size)
        value = self._affine(memory, f"{name}_Wv", f"{name}_bv").reshape(-1, self.heads, size)
        closeness = np.exp(np.einsum("qhs,khs->hqk", query, key) / np.sqrt(size))
        attention = closeness / closeness.sum(axis=2, keepdims=True)
        seen = np.einsum("hqk,khs->qhs", attention, value).reshape(-1, self.width)
        return self._affine(seen, f"{name}_Wo", f"{name}_bo")

    def _remember(self, states: np.ndarray, name: str) -> np.ndarray:
        forget = 1 / (1 + np.exp(-self._affine(states, f"{name}_Wf", f"{name}_bf")))
        candidates = states @ self.tensors[f"{name}_W"]
        cell, seen = np.zeros(self.width), []
        for gate, candidate in zip(forget, candidates, strict=True):
            cell = gate * cell + (1 - gate) * candidate
            seen.append(np.maximum(cell, 0))
        return np.array(seen)
