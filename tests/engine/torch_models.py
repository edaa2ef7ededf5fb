"""Small random models of transformers, with torch as the reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from mtprobe.backends.device import Device
from mtprobe.engine.build import transformer_definition
from mtprobe.engine.engines import open_network
from mtprobe.engine.graphs.transformer import TransformerModel
from mtprobe.engine.runtime.transformer_network import TransformerNetwork

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

Tokens = tuple[int, ...]


@dataclass(frozen=True)
class Pair:
    """A model in torch, and in our implementation."""

    theirs: Any
    ours: TransformerNetwork
    prefix: Tokens

    def sentences(self, count: int, seed: int, vocabulary: int, longest: int = 20) -> list[Tokens]:
        """Random sentences of different lengths with EOS but no other special tokens."""
        random = np.random.default_rng(seed)
        end = self.theirs.config.eos_token_id
        return [
            (*random.integers(4, vocabulary - 4, random.integers(0, longest)).tolist(), end)
            for _ in range(count)
        ]

    def sources(self, count: int, seed: int, longest: int = 20) -> list[Tokens]:
        return self.sentences(count, seed, self.theirs.config.vocab_size, longest)

    def targets(self, count: int, seed: int, longest: int = 20) -> list[Tokens]:
        return self.sentences(count, seed, self.ours.dimensions.target_vocabulary, longest)

    def next_logprobs(self, source: Tokens, given: Sequence[int]) -> np.ndarray:
        """[given, vocabulary]: torch's log-probabilities after each of the given tokens; one sentence, no padding."""
        with torch.no_grad():
            logits = self.theirs(
                input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([list(given)])
            ).logits[0]
        return torch.log_softmax(logits, dim=-1).numpy()

    def score(self, source: Tokens, target: Tokens) -> np.ndarray:
        logprobs = self.next_logprobs(source, (*self.prefix, *target[:-1]))[len(self.prefix) - 1 :]
        return logprobs[np.arange(len(target)), list(target)]

    def attention(self, source: Tokens, target: Tokens, layers: Sequence[int]) -> np.ndarray:
        """[target, source]: torch's cross-attention, when each token is predicted, averaged over layers and heads."""
        given = (*self.prefix, *target[:-1])
        self.theirs.set_attn_implementation("eager")
        with torch.no_grad():
            weights = self.theirs(
                input_ids=torch.tensor([source]),
                decoder_input_ids=torch.tensor([list(given)]),
                output_attentions=True,
            ).cross_attentions
        chosen = torch.cat([weights[layer] for layer in layers]).mean((0, 1))
        return chosen.numpy()[len(self.prefix) - 1 :]

    def score_without(self, source: Tokens, target: Tokens, place: int | None) -> np.ndarray:
        """The same with zeros for the embedding of a source token."""

        def occlude(_: Any, given: tuple[Any, ...], embedded: Any) -> Any:
            if place is None or given[0].tolist() != [list(source)]:  # the decoder may share the table
                return embedded
            embedded = embedded.clone()
            embedded[0, place] = 0
            return embedded

        hook = self.theirs.get_encoder().embed_tokens.register_forward_hook(occlude)
        try:
            return self.score(source, target)
        finally:
            hook.remove()

    def generate(self, sources: Sequence[Tokens], limit: int, end: int | None) -> list[Tokens]:
        """Greedy translations after the prefix, EOS included."""
        longest, config = max(map(len, sources)), self.theirs.config
        padded = [(*source, *[config.pad_token_id] * (longest - len(source))) for source in sources]
        mask = [[1] * len(source) + [0] * (longest - len(source)) for source in sources]
        with torch.no_grad():
            generated = self.theirs.generate(
                torch.tensor(padded),
                attention_mask=torch.tensor(mask),
                decoder_input_ids=torch.tensor([self.prefix] * len(sources)),
                num_beams=1,
                do_sample=False,
                max_new_tokens=limit,
                eos_token_id=-1 if end is None else end,
            )[:, len(self.prefix) :].tolist()
        ends = [output.index(end) if end in output else limit for output in generated]
        return [tuple(output[: end + 1]) for output, end in zip(generated, ends, strict=True)]


def random_weights(model: Any, seed: int = 0) -> None:
    """Large enough that every layer matters, without zeros and ones."""
    generator = torch.Generator().manual_seed(seed)
    fixed = {name for name, _ in model.named_parameters() if "embed_positions" in name and not learned(model)}
    with torch.no_grad():
        for name, values in model.named_parameters():
            if name in fixed:
                continue
            noise = torch.randn(values.shape, generator=generator)
            if values.ndim == 1:
                values.copy_((1.0 if "norm" in name and name.endswith("weight") else 0.0) + 0.2 * noise)
            elif "embed" in name or "shared" in name:
                values.copy_((0.25 if model.config.scale_embedding else 0.7) * noise)
            else:
                # What comes from the source must outweigh the last token, or every output repeats itself.
                values.copy_((2.5 if "attn" in name else 1.0) * values.shape[1] ** -0.5 * noise)
        if hasattr(model, "final_logits_bias"):
            model.final_logits_bias.copy_(
                0.3 * torch.randn(model.final_logits_bias.shape, generator=generator)
            )


def learned(model: Any) -> bool:
    return model.config.model_type == "mbart"


def weights_of(model: Any) -> dict[str, np.ndarray]:
    return {name: values.numpy() for name, values in model.state_dict().items()}


def make_pair(
    kind: Any, config: Any, build: Callable[..., TransformerModel], prefix: Tokens, seed: int = 0
) -> Pair:
    torch.set_num_threads(1)
    model = kind(config).eval()
    random_weights(model, seed)
    return Pair(
        model,
        open_network(transformer_definition(build(config, weights_of(model))), Device("cpu"), threads=2),
        prefix,
    )
