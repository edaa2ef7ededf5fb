"""Networks to search with: tables of probabilities, random histories, and real torch models."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

START, END = 0, 1

Row = tuple[tuple[int, ...], tuple[int, ...]]  # a source and the tokens consumed so far


def likeliest(logprobs: NDArray[np.float32], top: int) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    tokens = np.argsort(-logprobs, axis=1, kind="stable")[:, :top]
    return np.take_along_axis(logprobs, tokens, axis=1), tokens


@dataclass
class HistoryNetwork:
    """The next token depends on the source and all tokens so far, so that rows cannot be confused."""

    vocabulary: int
    sharpness: float = 1.5
    most_rows: int = field(default=0, init=False)
    steps: int = field(default=0, init=False)
    started: list[int] = field(default_factory=list, init=False)

    def start(self, sources: Sequence[Sequence[int]], prefixes: Sequence[Sequence[int]]) -> list[Row]:
        self.started.append(len(sources))
        return [(tuple(s), tuple(p[:-1])) for s, p in zip(sources, prefixes, strict=True)]

    def step(
        self, state: list[Row], rows: NDArray[np.intp], tokens: NDArray[np.intp], top: int
    ) -> tuple[list[Row], NDArray[np.float32], NDArray[np.intp]]:
        self.steps += 1
        self.most_rows = max(self.most_rows, len(rows))
        new: list[Row] = []
        for row, token in zip(rows.tolist(), tokens.tolist(), strict=True):
            source, history = state[row]
            new.append((source, (*history, token)))
        logprobs = np.array([self.logprobs(*row) for row in new], np.float32)
        return new, *likeliest(logprobs, top)

    def join(self, states: Sequence[list[Row]]) -> list[Row]:
        return [row for state in states for row in state]

    def logprobs(self, source: tuple[int, ...], history: tuple[int, ...]) -> NDArray[np.float64]:
        seed = zlib.crc32(repr((source, history)).encode())
        logits = self.sharpness * np.random.default_rng(seed).standard_normal(self.vocabulary)
        logits[START] = -np.inf
        return np.asarray(logits - np.log(np.exp(logits).sum()))


class TableNetwork(HistoryNetwork):
    """Probabilities of the next token from a table of histories; other tokens are impossible."""

    def __init__(self, vocabulary: int, table: dict[tuple[int, ...], dict[int, float]]) -> None:
        super().__init__(vocabulary)
        self.table = table

    def logprobs(self, source: tuple[int, ...], history: tuple[int, ...]) -> NDArray[np.float64]:
        del source
        logprobs = np.full(self.vocabulary, -np.inf)
        for token, probability in self.table.get(history[1:], {END: 1.0}).items():
            logprobs[token] = np.log(probability)
        return logprobs


class TorchNetwork:
    """A transformers model that recomputes the complete hypothesis at each step."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.pad = model.config.pad_token_id

    def start(self, sources: Sequence[Sequence[int]], prefixes: Sequence[Sequence[int]]) -> list[Any]:
        import torch

        tokens, mask = self.padded(sources)
        with torch.inference_mode():
            hidden = self.model.get_encoder()(tokens, attention_mask=mask).last_hidden_state
        return [
            (hidden[row, : len(source)], tuple(prefix[:-1]))
            for row, (source, prefix) in enumerate(zip(sources, prefixes, strict=True))
        ]

    def step(
        self, state: list[Any], rows: NDArray[np.intp], tokens: NDArray[np.intp], top: int
    ) -> tuple[list[Any], NDArray[np.float32], NDArray[np.intp]]:
        import torch
        from transformers.modeling_outputs import BaseModelOutput

        new = [(state[row][0], (*state[row][1], int(token))) for row, token in zip(rows, tokens, strict=True)]
        history, mask = self.padded([tokens for _, tokens in new])
        hidden: Any = torch.nn.utils.rnn.pad_sequence([hidden for hidden, _ in new], batch_first=True)
        lengths = torch.tensor([len(hidden) for hidden, _ in new])
        with torch.inference_mode():
            logits = self.model(
                attention_mask=(torch.arange(hidden.shape[1]) < lengths[:, None]).long(),
                decoder_input_ids=history,
                encoder_outputs=BaseModelOutput(last_hidden_state=hidden),
            ).logits[torch.arange(len(new)), mask.sum(dim=1) - 1]
        return new, *likeliest(torch.log_softmax(logits.float(), dim=-1).numpy(), top)

    def join(self, states: Sequence[list[Any]]) -> list[Any]:
        return [row for state in states for row in state]

    def padded(self, rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
        import torch

        lengths = torch.tensor([len(row) for row in rows])
        tokens = torch.nn.utils.rnn.pad_sequence(
            [torch.tensor(row) for row in rows], batch_first=True, padding_value=self.pad
        )
        return tokens, (torch.arange(tokens.shape[1]) < lengths[:, None]).long()
