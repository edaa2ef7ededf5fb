"""A model that only transformers supports, run by torch: slower, and loaded without running its own code."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mtprobe.backends.device import Device, parse_device
from mtprobe.backends.protocols import OpenRequest, is_encodable, languages_from
from mtprobe.backends.scorer import ScorePair, TokenLogProbs
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.checkpoints.huggingface.transformers_sizes import check_sizes
from mtprobe.engine.checkpoints.reading import library_errors
from mtprobe.engine.runtime.batches import Size, in_batches
from mtprobe.errors import Failure, ModelError

if TYPE_CHECKING:
    from mtprobe.engine.hf import HfSpec

BUDGET = Size(source=2048, target=1024)  # tokens, padding included
LONGEST = 1024  # tokens: attention over many more would not fit into memory


class TorchModel:
    """Any encoder–decoder that AutoModelForSeq2SeqLM loads."""

    deterministic = True  # greedy or beam search
    ignores_target = True  # a prefix may say it
    dtype = "fp32"

    def __init__(self, folder: ModelFolder, spec: HfSpec, request: OpenRequest) -> None:
        self.languages = languages_from(request, f"hf:{folder.name}")
        self._folder, self._spec, self._threads = folder, spec, request.threads
        self._device = parse_device(request.device)
        if spec.max_length is not None and spec.max_length > LONGEST:
            raise ModelError(
                f"hf:{folder.name}: max_length={spec.max_length} is too large: at most {LONGEST}"
            )
        if request.dtype != self.dtype:
            raise ModelError(
                f"hf:{folder.name} has no ONNX graphs and runs in torch, which supports only the dtype fp32 here, "
                f"not {request.dtype}"
            )
        beams = f"beam={spec.beams or 'own'}:lp={spec.length_penalty or 'own'}:max={spec.max_length or 'own'}"
        self.decoding = f"transformers' generate, {beams}"
        self.fingerprint, self.scoring_fingerprint = (
            f"torch:{folder.digest()[:12]}:{self.languages}:{spec.prefix}:{search}:{self.dtype}:v1"
            for search in (beams, "beam=own:lp=own:max=own")
        )

    @property
    def provider(self) -> str | None:
        return f"torch {self._loaded[2].device}" if "_loaded" in self.__dict__ else None

    @property
    def runtime(self) -> str | None:
        return torch_runtime(self._loaded[2].device) if "_loaded" in self.__dict__ else None

    @cached_property
    def _loaded(self) -> tuple[Any, Any, Any]:
        try:
            import torch
            from transformers import AutoModelForSeq2SeqLM, AutoTokenizer
        except ImportError:
            raise ModelError(
                f"{self._folder.name} has no ONNX graphs, and torch and transformers are not installed: "
                'pip install "mtprobe[torch]"'
            ) from None
        if self._threads:
            torch.set_num_threads(self._threads)
        path, what = str(self._folder.path), self._folder.name
        check_sizes(self._folder, AutoModelForSeq2SeqLM, what)
        with library_errors(f"{what}: transformers cannot load it"):
            tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False)
            model = AutoModelForSeq2SeqLM.from_pretrained(
                path,
                local_files_only=True,
                trust_remote_code=False,
                weights_only=True,
                dtype=torch.float32,
            )
            model = model.to(torch_device(self._device)).eval()
            for name in ("max_length", "max_new_tokens"):
                if (getattr(model.generation_config, name) or 0) > LONGEST:
                    setattr(model.generation_config, name, LONGEST)
        return torch, tokenizer, model

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        with self._running():
            return self._translate_all(sources)

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        with self._running():
            return self._score_all(pairs)

    def _running(self) -> AbstractContextManager[None]:
        return library_errors(f"{self._folder.name}: transformers cannot run it")

    def _translate_all(self, sources: Sequence[str]) -> list[str | Failure]:
        unreadable = [self._unreadable(self._spec.prefix + source, "source") for source in sources]
        readable = [source for source, failure in zip(sources, unreadable, strict=True) if failure is None]
        translations = iter(
            in_batches(
                readable, size=lambda text: Size(len(text) // 2 + 1, 1), run=self._translate, budget=BUDGET
            )
        )
        return [next(translations) if failure is None else failure for failure in unreadable]

    def _unreadable(self, text: str, what: str) -> Failure | None:
        """Why the model cannot read a text, which would otherwise fail its whole batch."""
        _, tokenizer, model = self._loaded
        if not is_encodable(text):
            return Failure(f"{what} is not text: it contains a lone surrogate")
        longest = min(LONGEST, getattr(model.config, "max_position_embeddings", None) or LONGEST)
        count = len(tokenizer(text)["input_ids"])
        if count > longest:
            return Failure(f"{what} has {count} tokens; this model reads at most {longest}")
        return None

    def _translate(self, sources: Sequence[str]) -> list[str | Failure]:
        torch, tokenizer, model = self._loaded
        inputs = self._inputs(sources)
        settings = {
            "num_beams": self._spec.beams,
            "length_penalty": self._spec.length_penalty,
            "max_length": self._spec.max_length,
        }
        with torch.inference_mode():
            outputs = model.generate(
                **inputs, **{name: value for name, value in settings.items() if value is not None}
            )
        return list(tokenizer.batch_decode(outputs, skip_special_tokens=True))

    def _score_all(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        unreadable = [
            self._unreadable(self._spec.prefix + source, "source") or self._unreadable(target, "target")
            for source, target in pairs
        ]
        scored = iter(
            in_batches(
                [pair for pair, failure in zip(pairs, unreadable, strict=True) if failure is None],
                size=lambda pair: Size(len(pair[0]) // 2 + 1, len(pair[1]) // 2 + 1),
                run=self._score,
                budget=BUDGET,
            )
        )
        return [next(scored) if failure is None else failure for failure in unreadable]

    def _score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        torch, tokenizer, model = self._loaded
        inputs = self._inputs([source for source, _ in pairs])
        targets = tokenizer(text_target=[target for _, target in pairs], return_tensors="pt", padding=True)
        labels = targets["input_ids"].to(self._loaded[2].device)
        with torch.inference_mode():
            logits = model(**inputs, labels=labels).logits.float()
            chosen = logits.log_softmax(-1).gather(-1, labels.unsqueeze(-1)).squeeze(-1)
        return [
            tuple(row[kept].tolist())
            for row, kept in zip(chosen.cpu(), targets["attention_mask"].bool(), strict=True)
        ]

    def _inputs(self, sources: Sequence[str]) -> Any:
        _, tokenizer, _ = self._loaded
        texts = [self._spec.prefix + source for source in sources]
        return tokenizer(texts, return_tensors="pt", padding=True).to(self._loaded[2].device)


def torch_runtime(device: object) -> str:
    """Versions and device."""
    import torch
    import transformers

    return f"torch {torch.__version__} transformers {transformers.__version__} {device}"


def torch_device(requested: Device) -> str:
    """The device in torch's notation; torch itself raises an error if CUDA was requested but is missing."""
    import torch

    if requested.name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    return f"cuda:{requested.index}" if requested.name == "cuda" else "cpu"
