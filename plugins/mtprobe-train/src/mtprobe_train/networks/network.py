"""A transformers encoder–decoder for training: logits of given targets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mtprobe.backends import ModelError, parse_device

if TYPE_CHECKING:
    from torch import Tensor

    from .batch import Batch


@dataclass(frozen=True, slots=True)
class Network:
    """A module of torch, on its device."""

    module: Any
    device: str
    pad: int  # any token: padding is masked

    def logits(self, batch: Batch) -> Tensor:
        """[sentences, tokens, vocabulary]: the logits of each token of the targets, given those before it."""
        logits: Tensor = self.module(
            input_ids=batch.sources,
            attention_mask=batch.source_mask,
            decoder_input_ids=batch.given,
            use_cache=False,
        ).logits
        return logits.float()

    def parameters(self) -> list[Any]:
        """The trained parameters, tied ones once. Sinusoidal positions are not trained."""
        return [parameter for parameter in self.module.parameters() if parameter.requires_grad]


def load_network(folder: Path, device: str = "auto") -> Network:
    """The weights of a folder in fp32, without any code of the folder's own."""
    from transformers import AutoModelForSeq2SeqLM
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()  # of loading and saving: ours is that of the training

    try:
        module = AutoModelForSeq2SeqLM.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False, weights_only=True, dtype="float32"
        )
    except (OSError, ValueError, RuntimeError) as error:
        raise ModelError(f"{folder}: transformers cannot load it: {error}") from None
    return on_device(module, device, module.config.pad_token_id)


def on_device(module: Any, device: str, pad: int) -> Network:
    import torch

    requested = parse_device(device)
    available = torch.cuda.is_available()
    if requested.name == "cuda" and not available:
        raise ModelError(f"device {device}: torch finds no CUDA device")
    use_cuda = requested.name == "cuda" or (requested.name == "auto" and available)
    name = f"cuda:{requested.index or 0}" if use_cuda else "cpu"
    return Network(module.to(name), name, pad)
