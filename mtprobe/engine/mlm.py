"""`mlm:NAME_OR_PATH`: a masked language model, which scores targets without reading the source.

The score of a token is its log-probability given all other tokens of the target (Salazar et al., 2020): each token is
masked in turn. The maskings of one text form a batch of their own, so that a score depends on its text alone and needs
no padding. Only the masked places are projected to the vocabulary, which is most of the work in a multilingual model.

Models are located as for `hf:`; options: `?revision=main`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mtprobe.backends.device import Device, parse_device
from mtprobe.backends.protocols import UNDETERMINED, LanguagePair, OpenRequest
from mtprobe.backends.registry import split_options
from mtprobe.backends.scorer import ScorePair, TokenLogProbs
from mtprobe.backends.shared import Shared
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder, resolve
from mtprobe.engine.checkpoints.huggingface.transformers_sizes import check_sizes
from mtprobe.engine.checkpoints.reading import library_errors
from mtprobe.engine.torch_model import torch_device, torch_runtime
from mtprobe.errors import Failure, ModelError
from mtprobe.language import tags
from mtprobe.system.bounded_yaml import Limits, YamlError, read_yaml
from mtprobe.system.regular_files import open_regular

NUMBERS = "v1"  # raise it with every change that may alter a score
BUDGET = 8192  # tokens of one run
LONGEST = 4096  # tokens of a text, if the model has no limit
_LARGEST_CARD = 1_000_000  # bytes
_CARD_LIMITS = Limits(depth=16, nodes=20_000, characters=_LARGEST_CARD)
_FRONT = re.compile(r"\A---\s*\n(.*?)\n---\s*\n", re.DOTALL)


_MODELS: Shared[PseudoScores] = Shared()


class MaskedModel:
    """A `Scorer` of single texts, loaded with the first one."""

    dtype = "fp32"
    reads_sources = False

    def __init__(self, folder: ModelFolder, request: OpenRequest) -> None:
        if request.dtype != self.dtype:
            raise ModelError(
                f"mlm:{folder.name} runs in torch, which supports only the dtype fp32 here, not {request.dtype}"
            )
        # It fits any source language, because it does not read the source.
        self.languages = LanguagePair(UNDETERMINED, _language(folder, request))
        self._folder, self._threads = folder, request.threads
        self._device = parse_device(request.device)
        self.fingerprint = f"mlm:{folder.digest()[:12]}:{self.languages.target}:{self.dtype}:{NUMBERS}"

    @cached_property
    def _scores(self) -> PseudoScores:
        key = (self._folder.digest(), self._folder.path, self._device, self._threads)
        return _MODELS.get(key, lambda: load_masked(self._folder, self._device, self._threads))

    @property
    def provider(self) -> str | None:
        return self._scores.provider if "_scores" in self.__dict__ else None

    @property
    def runtime(self) -> str | None:
        return torch_runtime(self._scores.model.device) if "_scores" in self.__dict__ else None

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        """The scores of each target, whatever its source; special tokens are read but not scored."""
        model, what = self._scores, f"mlm:{self._folder.name}: transformers cannot run it"
        with library_errors(what):
            scores = {text: model.of(text) for text in dict.fromkeys(target for _, target in pairs)}
        return [scores[target] for _, target in pairs]


def open_masked(rest: str, request: OpenRequest) -> MaskedModel:
    name, options = split_options("mlm", rest, ("revision",))
    if not name:
        raise ModelError("mlm: needs a model, as in mlm:FacebookAI/xlm-roberta-base or mlm:models/mine")
    return MaskedModel(resolve(name, options.given.get("revision")), request)


def _language(folder: ModelFolder, request: OpenRequest) -> str:
    """The requested language, or else the one of the model card."""
    if request.source and request.target and not tags.fits(request.source, request.target):
        raise ModelError(
            f"mlm:{folder.name} reads one language, but the source language {request.source} is not the target "
            f"language {request.target}: give the language of the sentences to score"
        )
    language = request.target or request.source or _language_of_card(folder)
    if language is None:
        raise ModelError(f"mlm:{folder.name} does not say which language it is for: give the target language")
    return language


def _language_of_card(folder: ModelFolder) -> str | None:
    """The language that the model card names, as a BCP 47 tag; None if it names several, or no valid one."""
    path = folder.file("README.md")
    if path is None:
        return None
    with open_regular(path) as file:
        text = file.read(_LARGEST_CARD).decode("utf-8", errors="replace")
    front = _FRONT.match(text.replace("\r\n", "\n"))
    if front is None:
        return None
    try:
        metadata = read_yaml(front.group(1), _CARD_LIMITS)
    except YamlError:
        return None
    language = metadata.get("language") if isinstance(metadata, dict) else None
    if isinstance(language, list) and len(language) == 1:
        language = language[0]
    return tags.standard(language) if isinstance(language, str) and tags.is_language(language) else None


@dataclass(frozen=True)
class PseudoScores:
    """A model and its tokenizer, loaded."""

    tokenizer: Any
    model: Any
    longest: int  # maximum tokens, special ones included

    @property
    def provider(self) -> str:
        return f"torch {self.model.device}"

    def of(self, text: str) -> TokenLogProbs | Failure:
        """One log-probability per token of the text; a `Failure` if it has no tokens, or too many."""
        try:
            text.encode()
        except UnicodeError as error:
            return Failure(f"target is not text: {error}")
        encoded = self.tokenizer(text, return_special_tokens_mask=True, truncation=False, verbose=False)
        ids, special = encoded["input_ids"], encoded["special_tokens_mask"]
        places = [place for place, is_special in enumerate(special) if not is_special]
        if not places:
            return Failure("target has no tokens to score")
        if len(ids) > self.longest:
            return Failure(f"target has {len(ids)} tokens; this model reads at most {self.longest}")
        step = max(1, BUDGET // len(ids))
        logprobs: list[float] = []
        for start in range(0, len(places), step):
            logprobs += self._masked(encoded, places[start : start + step])
        return tuple(logprobs)

    def _masked(self, encoded: Any, places: list[int]) -> list[float]:
        """The log-probability of the token at each place, given all others."""
        import torch

        device, count = self.model.device, len(places)
        ids = torch.tensor(encoded["input_ids"], device=device)
        rows, columns = torch.arange(count, device=device), torch.tensor(places, device=device)
        masked = ids.repeat(count, 1)
        masked[rows, columns] = self.tokenizer.mask_token_id
        inputs = {"input_ids": masked, "attention_mask": torch.ones_like(masked)}
        if "token_type_ids" in encoded:
            type_ids = torch.tensor(encoded["token_type_ids"], device=device)
            inputs["token_type_ids"] = type_ids.repeat(count, 1)
        with torch.inference_mode(), _projecting_only(self.model, masked.shape, rows, columns):
            logits = self.model(**inputs).logits
            if logits.shape[1] == len(ids) > 1:  # the model has no output layer to hook into
                logits = logits[rows, columns]
            logprobs = logits.reshape(count, -1).float().log_softmax(-1)
            chosen: list[float] = logprobs[rows, ids[columns]].double().tolist()
        return chosen


@contextmanager
def _projecting_only(model: Any, shape: Any, rows: Any, columns: Any) -> Iterator[None]:
    """While active, the model's output layer gets only the states at the given places."""

    def pick(_: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...] | None:
        states = arguments[0]
        if states.ndim != 3 or states.shape[:2] != shape:
            return None
        return states[rows, columns].unsqueeze(1), *arguments[1:]

    last = model.get_output_embeddings()
    hook = last.register_forward_pre_hook(pick) if last is not None else None
    try:
        yield
    finally:
        if hook is not None:
            hook.remove()


def load_masked(folder: ModelFolder, device: Device, threads: int | None) -> PseudoScores:
    """Loads the model without any code of its own; raises `ModelError` if it is not a masked language model."""
    try:
        import torch
        from transformers import AutoModelForMaskedLM, AutoTokenizer
    except ImportError:
        raise ModelError(
            f'mlm:{folder.name} needs torch and transformers: pip install "mtprobe[torch]"'
        ) from None
    if threads:
        torch.set_num_threads(threads)
    path, what = str(folder.path), f"mlm:{folder.name}"
    check_sizes(folder, AutoModelForMaskedLM, what)
    with library_errors(f"{what}: transformers cannot load it"):
        tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False)
        model, loading = AutoModelForMaskedLM.from_pretrained(
            path,
            local_files_only=True,
            trust_remote_code=False,
            weights_only=True,
            dtype=torch.float32,
            output_loading_info=True,
        )
        model = model.to(torch_device(device)).eval()
        words = model.get_input_embeddings().num_embeddings
        longest = _longest(tokenizer, model)
    if missing := sorted(loading["missing_keys"]):
        raise ModelError(
            f"mlm:{folder.name}: the weights have no {missing[0]}: they were not saved as a masked language "
            "model, and missing weights would be random"
        )
    if tokenizer.mask_token_id is None:
        raise ModelError(
            f"mlm:{folder.name}: its tokenizer has no mask, so it is not a masked language model"
        )
    if len(tokenizer) > words:
        raise ModelError(
            f"mlm:{folder.name}: its tokenizer has {len(tokenizer)} entries but the model has {words}; "
            "they belong to different models"
        )
    return PseudoScores(tokenizer, model, longest)


def _longest(tokenizer: Any, model: Any) -> int:
    """The number of positions; some families skip the first rows of their position table."""
    bounds = [LONGEST, int(tokenizer.model_max_length)]
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and getattr(module, "num_embeddings", None):
            unused = 0 if module.padding_idx is None else module.padding_idx + 1
            bounds.append(module.num_embeddings - unused)
    return min(bounds)
