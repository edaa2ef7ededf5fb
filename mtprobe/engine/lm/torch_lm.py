"""A language model that only transformers supports, run by torch: slower, and loaded without running its own code."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from mtprobe.backends.device import Device
from mtprobe.engine.checkpoints.causal.gguf_file import SUFFIX
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.checkpoints.huggingface.transformers_sizes import check_sizes
from mtprobe.engine.checkpoints.reading import library_errors
from mtprobe.engine.lm.loaded import Asked, Seeded
from mtprobe.engine.neural import Tokens
from mtprobe.engine.runtime.batches import Size, in_batches
from mtprobe.engine.runtime.interface import Floats
from mtprobe.engine.search.decoding import Decoding
from mtprobe.engine.search.sampling import Sampling
from mtprobe.engine.selftest.agreement import Work
from mtprobe.engine.torch_model import torch_device, torch_runtime
from mtprobe.errors import ModelError

BUDGET = Size(source=1024, target=1024)  # tokens, padding included: each has logits for the whole vocabulary
LONGEST = 4096  # tokens, if the model has no limit: attention over many more would not fit into memory


class TorchLm:
    """Any model that AutoModelForCausalLM loads; a `LoadedLm`."""

    def __init__(self, folder: ModelFolder, device: Device, threads: int | None) -> None:
        self._folder, self._device, self._threads = folder, device, threads

    @cached_property
    def _model(self) -> Any:
        try:
            import torch
            from transformers import AutoModelForCausalLM, GenerationConfig
        except ImportError:
            raise ModelError(
                f"{self._folder.name} has no ONNX graphs, and torch and transformers are not installed: "
                'pip install "mtprobe[torch]"'
            ) from None
        if self._threads:
            torch.set_num_threads(self._threads)
        what, weights = self._folder.name, self._folder.weights[0]
        place, named = str(self._folder.path), {}
        if weights.suffix.lower() == SUFFIX:
            place, named = str(weights.parent), {"gguf_file": weights.name}
        else:
            check_sizes(self._folder, AutoModelForCausalLM, what)
        with library_errors(f"{what}: transformers cannot load it"):
            model, loading = AutoModelForCausalLM.from_pretrained(
                place,
                local_files_only=True,
                trust_remote_code=False,
                weights_only=True,
                dtype=torch.float32,
                output_loading_info=True,
                **named,
            )
            model = model.to(torch_device(self._device)).eval()
            model.generation_config = GenerationConfig()  # a spec says all settings, here as on ONNX Runtime
        if missing := sorted(loading["missing_keys"]):
            raise ModelError(f"{what}: the weights have no {missing[0]}, and missing weights would be random")
        return model

    @property
    def vocabulary(self) -> int:
        return int(self._model.get_input_embeddings().num_embeddings)

    @property
    def longest(self) -> int:
        config = self._model.config
        given = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None)
        return min(LONGEST, int(given or LONGEST))

    @property
    def provider(self) -> str | None:
        return f"torch {self._model.device}"

    @property
    def runtime(self) -> str | None:
        return torch_runtime(self._model.device)

    def check(self, work: Work, model: str) -> None:
        """torch is not tested."""

    def score(self, asked: Sequence[Asked]) -> list[Floats]:
        with library_errors(f"{self._folder.name}: transformers cannot run it"):
            return in_batches(
                list(asked),
                size=lambda pair: Size(len(pair[0]) + len(pair[1]), len(pair[1])),
                run=self._score,
                budget=BUDGET,
            )

    def _score(self, asked: Sequence[Asked]) -> list[Floats]:
        import torch

        texts = [(*prompt, *target) for prompt, target in asked]
        longest = max(map(len, texts))
        ids = torch.tensor([[*text, *[0] * (longest - len(text))] for text in texts])
        mask = torch.tensor([[1] * len(text) + [0] * (longest - len(text)) for text in texts])
        device = self._model.device
        with torch.inference_mode():
            logits = self._model(input_ids=ids.to(device), attention_mask=mask.to(device)).logits
            logprobs = logits[:, :-1].float().log_softmax(-1)
            chosen = logprobs.gather(-1, ids[:, 1:, None].to(device)).squeeze(-1).cpu().numpy()
        return [
            np.asarray(row[len(prompt) - 1 : len(prompt) + len(target) - 1], np.float32)
            for row, (prompt, target) in zip(chosen, asked, strict=True)
        ]

    def answer(
        self, prompts: Sequence[Seeded], decoding: Decoding, sampling: Sampling | None
    ) -> list[Tokens]:
        """One prompt at a time: padding before a prompt would change its positions in some models."""
        with library_errors(f"{self._folder.name}: transformers cannot run it"):
            return [self._answer(asked, decoding, sampling) for asked in prompts]

    def _answer(self, asked: Seeded, decoding: Decoding, sampling: Sampling | None) -> Tokens:
        import torch

        settings: dict[str, Any] = {"num_beams": decoding.beams, "length_penalty": decoding.length_penalty}
        if sampling is not None:
            content = np.asarray([asked.seed, *asked.prompt], np.int64).tobytes()
            torch.manual_seed(int.from_bytes(hashlib.sha256(content).digest()[:7], "big"))
            settings |= {"temperature": sampling.temperature, "top_p": sampling.top_p, "top_k": 0}
        ids = torch.tensor([asked.prompt], device=self._model.device)
        with torch.inference_mode():
            (sequence,) = self._model.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                do_sample=sampling is not None,
                max_new_tokens=decoding.max_new_tokens,
                eos_token_id=list(decoding.ends),
                pad_token_id=decoding.ends[0],
                **settings,
            )
        tokens = tuple(sequence[len(asked.prompt) :].tolist())
        last = next((place for place, token in enumerate(tokens) if token in decoding.ends), len(tokens))
        return tokens[:last]
