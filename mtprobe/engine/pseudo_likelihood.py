"""Pseudo-log-probabilities: each token of a text masked in turn, and read back by a masked language model.

All maskings of a text run together and nothing else does, so that a score depends on its text alone and needs no
padding. Only the masked places are projected to the vocabulary, which in a multilingual model is most of the work.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from mtprobe.backends.device import Device
from mtprobe.backends.scorer import TokenLogProbs
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.torch_device import torch_place
from mtprobe.errors import Failure, ModelError

TOGETHER = 8192  # tokens of one run
LONGEST = 4096  # tokens of a text, where the model sets no bound


@dataclass(frozen=True)
class PseudoScores:
    """A model and its tokenizer, loaded."""

    tokenizer: Any
    model: Any
    longest: int  # tokens that the model can read, special ones included

    @property
    def provider(self) -> str:
        return f"torch {self.model.device}"

    def of(self, text: str) -> TokenLogProbs | Failure:
        """One log-probability a token of the text; a text without any, or with too many, is a `Failure`."""
        try:
            text.encode()
        except UnicodeError as error:
            return Failure(f"target is not text: {error}")
        read = self.tokenizer(text, return_special_tokens_mask=True, truncation=False, verbose=False)
        ids, special = read["input_ids"], read["special_tokens_mask"]
        places = [place for place, is_special in enumerate(special) if not is_special]
        if not places:
            return Failure("target has no token to be scored")
        if len(ids) > self.longest:
            return Failure(f"target has {len(ids)} tokens; this model reads at most {self.longest}")
        step = max(1, TOGETHER // len(ids))
        found: list[float] = []
        for start in range(0, len(places), step):
            found += self._masked(read, places[start : start + step])
        return tuple(found)

    def _masked(self, read: Any, places: list[int]) -> list[float]:
        """The log-probability of the token at each place, masked there."""
        import torch

        device, count = self.model.device, len(places)
        ids = torch.tensor(read["input_ids"], device=device)
        rows, columns = torch.arange(count, device=device), torch.tensor(places, device=device)
        masked = ids.repeat(count, 1)
        masked[rows, columns] = self.tokenizer.mask_token_id
        inputs = {"input_ids": masked, "attention_mask": torch.ones_like(masked)}
        if "token_type_ids" in read:
            inputs["token_type_ids"] = torch.tensor(read["token_type_ids"], device=device).repeat(count, 1)
        with torch.inference_mode(), _only(self.model, masked.shape, rows, columns):
            logits = self.model(**inputs).logits
            if logits.shape[1] == len(ids) > 1:  # the model has no last layer that could be told
                logits = logits[rows, columns]
            logprobs = logits.reshape(count, -1).float().log_softmax(-1)
            chosen: list[float] = logprobs[rows, ids[columns]].double().tolist()
        return chosen


@contextmanager
def _only(model: Any, shape: Any, rows: Any, columns: Any) -> Iterator[None]:
    """While it is open, the model's last layer is given the states of the wanted places alone."""

    def pick(_: Any, given: tuple[Any, ...]) -> tuple[Any, ...] | None:
        states = given[0]
        if states.ndim != 3 or states.shape[:2] != shape:
            return None
        return states[rows, columns].unsqueeze(1), *given[1:]

    last = model.get_output_embeddings()
    hook = last.register_forward_pre_hook(pick) if last is not None else None
    try:
        yield
    finally:
        if hook is not None:
            hook.remove()


def load_masked(folder: ModelFolder, device: Device, threads: int | None) -> PseudoScores:
    """Loads it without any code of its own; what is no masked language model is a `ModelError`."""
    try:
        import torch
        from transformers import AutoModelForMaskedLM, AutoTokenizer
    except ImportError:
        raise ModelError(
            f'mlm:{folder.name} needs torch and transformers: pip install "mtprobe[torch]"'
        ) from None
    if threads:
        torch.set_num_threads(threads)
    path = str(folder.path)
    try:
        tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False)
        model, loading = AutoModelForMaskedLM.from_pretrained(
            path,
            local_files_only=True,
            trust_remote_code=False,
            weights_only=True,
            dtype=torch.float32,
            output_loading_info=True,
        )
        model = model.to(torch_place(device)).eval()
    except (OSError, ValueError, RuntimeError, KeyError, AssertionError) as error:
        raise ModelError(f"mlm:{folder.name}: transformers cannot load it: {_first_line(error)}") from None
    if missing := sorted(loading["missing_keys"]):
        raise ModelError(
            f"mlm:{folder.name}: the weights have no {missing[0]}: they were not saved as a masked language "
            "model, and what is missing would be made up"
        )
    if tokenizer.mask_token_id is None:
        raise ModelError(f"mlm:{folder.name}: its tokenizer has no mask, so it is no masked language model")
    return PseudoScores(tokenizer, model, _longest(tokenizer, model))


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _longest(tokenizer: Any, model: Any) -> int:
    """The tokens that there are positions for; some families leave out the first positions of their table."""
    bounds = [LONGEST, int(tokenizer.model_max_length)]
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and getattr(module, "num_embeddings", None):
            unused = 0 if module.padding_idx is None else module.padding_idx + 1
            bounds.append(module.num_embeddings - unused)
    return min(bounds)
