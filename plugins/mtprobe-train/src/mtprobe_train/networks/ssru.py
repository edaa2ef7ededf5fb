"""The SSRU transformer of Firefox models in torch, with the same outputs as the ONNX graphs."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn

from mtprobe.verbs import Linear, SsruModel, bergamot_positions

_EPSILON = 1e-9
_LAYERS = ("encoder_l", "decoder_l")


class SsruTwin(nn.Module):  # type: ignore[misc]  # torch is not followed
    """Reads and writes an `SsruModel`; called as models of transformers are."""

    def __init__(self, model: SsruModel) -> None:
        super().__init__()
        self._model = model
        layers = {name: array for name, array in model.tensors.items() if name.startswith(_LAYERS)}
        self.layers = nn.ParameterDict({name: _parameter(array) for name, array in layers.items()})
        self.source = _parameter(model.source_embeddings)
        self.target = self.source if self._shares_target else _parameter(model.target_embeddings)
        self.output = self.target if self._shares_output else _parameter(model.output.matrix)
        self.bias = None if model.output.bias is None else _parameter(model.output.bias)

    @property
    def _shares_target(self) -> bool:
        return self._model.target_embeddings is self._model.source_embeddings

    @property
    def _shares_output(self) -> bool:
        return self._model.output.matrix is self._model.target_embeddings

    def trained(self) -> SsruModel:
        """The model with its present weights."""
        arrays = {name: _array(values) for name, values in self.layers.items()}
        source = _array(self.source)
        target = source if self._shares_target else _array(self.target)
        output = target if self._shares_output else _array(self.output)
        bias = None if self.bias is None else _array(self.bias)
        return replace(
            self._model,
            tensors={**self._model.tensors, **arrays},
            source_embeddings=source,
            target_embeddings=target,
            output=Linear(output, bias),
        )

    def forward(self, input_ids: Tensor, attention_mask: Tensor, decoder_input_ids: Tensor, **_: Any) -> Any:
        masked = attention_mask[:, None, None, :] == 0
        memory = self._encode(input_ids, masked)
        embedded = nn.functional.embedding(decoder_input_ids, self.target) * math.sqrt(self._model.width)
        started = torch.arange(decoder_input_ids.shape[1], device=embedded.device) > 0
        x = self._positioned(embedded * started[None, :, None])
        for layer in range(1, self._model.decoder_layers + 1):
            x = self._recur(x, f"decoder_l{layer}_rnn")
            x = self._attend(x, memory, masked, f"decoder_l{layer}_context")
            x = self._feed_forward(x, f"decoder_l{layer}_ffn")
        logits = x @ self.output.T
        return SimpleNamespace(logits=logits if self.bias is None else logits + self.bias)

    def _encode(self, tokens: Tensor, masked: Tensor) -> Tensor:
        x = self._positioned(nn.functional.embedding(tokens, self.source) * math.sqrt(self._model.width))
        for layer in range(1, self._model.encoder_layers + 1):
            x = self._attend(x, x, masked, f"encoder_l{layer}_self")
            x = self._feed_forward(x, f"encoder_l{layer}_ffn")
        return x

    def _positioned(self, x: Tensor) -> Tensor:
        return x + torch.from_numpy(bergamot_positions(x.shape[1], self._model.width)).to(x.device)

    def _linear(self, x: Tensor, prefix: str, letter: str) -> Tensor:
        return x @ self.layers[f"{prefix}_W{letter}"] + self.layers[f"{prefix}_b{letter}"].reshape(-1)

    def _norm(self, x: Tensor, prefix: str) -> Tensor:
        scale, bias = (self.layers[f"{prefix}_ln_{part}"].reshape(-1) for part in ("scale", "bias"))
        return nn.functional.layer_norm(x, scale.shape, scale, bias, _EPSILON)

    def _attend(self, x: Tensor, memory: Tensor, masked: Tensor, prefix: str) -> Tensor:
        query, key, value = (
            self._heads(self._linear(values, prefix, letter))
            for values, letter in ((x, "q"), (memory, "k"), (memory, "v"))
        )
        scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[-1])
        mixed = scores.masked_fill(masked, float("-inf")).softmax(-1) @ value
        return self._norm(
            self._linear(mixed.transpose(1, 2).reshape(x.shape), prefix, "o") + x, f"{prefix}_Wo"
        )

    def _heads(self, x: Tensor) -> Tensor:
        return x.unflatten(2, (self._model.heads, -1)).transpose(1, 2)

    def _recur(self, x: Tensor, prefix: str) -> Tensor:
        forget = self._linear(x, prefix, "f").sigmoid()
        fresh = (1 - forget) * (x @ self.layers[f"{prefix}_W"])
        cell, cells = torch.zeros_like(x[:, 0]), []
        for place in range(x.shape[1]):
            cell = forget[:, place] * cell + fresh[:, place]
            cells.append(cell)
        return self._norm(torch.stack(cells, dim=1).relu() + x, f"{prefix}_ffn")

    def _feed_forward(self, x: Tensor, prefix: str) -> Tensor:
        hidden = self._linear(x, prefix, "1").relu()
        return self._norm(self._linear(hidden, prefix, "2") + x, f"{prefix}_ffn")


def _parameter(array: Any) -> nn.Parameter:
    return nn.Parameter(torch.tensor(array, dtype=torch.float32))


def _array(values: Tensor) -> Any:
    return values.detach().cpu().numpy().copy()
