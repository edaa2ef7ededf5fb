"""Words that a masked language model predicts before the focus of a sentence, or in its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtprobe.authoring.cues.material import FocusContext
from mtprobe.authoring.cues.vocabulary import KEEP_CAPITALS, CueVocabulary, read_vocabulary
from mtprobe.backends.device import parse_device
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.errors import ModelError
from mtprobe.language import tags
from mtprobe.suite.samples import english

_LOGITS_PER_BATCH = 1 << 26  # 256 MB


@dataclass(frozen=True, slots=True)
class _Parts:
    torch: Any
    tokenizer: Any
    model: Any
    vocabulary: CueVocabulary
    before: int  # special tokens before a text
    after: int  # special tokens after a text
    limit: int  # tokens of a text


class CueModel:
    """A fill-mask model of transformers, run by torch; code in the model's folder is never run."""

    def __init__(self, folder: ModelFolder, language: str, device: str = "auto") -> None:
        self._folder, self._language, self._device = folder, language, parse_device(device)

    @property
    def fingerprint(self) -> str:
        """Changes whenever proposals may change. Known before the weights are loaded."""
        return f"mlm:{self._folder.digest()[:12]}"

    @property
    def words(self) -> tuple[str, ...]:
        """The words that it may propose."""
        return self._parts.vocabulary.words

    def before_focus(self, contexts: Sequence[FocusContext]) -> NDArray[np.float64]:
        """For each context, the probability of each of the `words` before its focus."""
        return self._expected(contexts, instead=False)

    def instead_of_focus(self, contexts: Sequence[FocusContext]) -> NDArray[np.float64]:
        """For each context, the probability of each of the `words` in the place of its focus."""
        return self._expected(contexts, instead=True)

    def _expected(self, contexts: Sequence[FocusContext], instead: bool) -> NDArray[np.float64]:
        parts = self._parts
        encoded = [self._encoded(context, instead) for context in contexts]
        expected = np.zeros((len(contexts), len(self.words)))
        for batch in self._batches([len(ids) for ids, _ in encoded]):
            for row, probabilities in zip(
                batch, self._predicted([encoded[row] for row in batch]), strict=True
            ):
                at_start = not contexts[row].source[: contexts[row].focus[0]].strip()
                expected[row] = parts.vocabulary.probabilities(probabilities, at_start)
        return expected

    def _predicted(self, encoded: Sequence[tuple[list[int], int]]) -> NDArray[np.float64]:
        """The probability of each token at the mask."""
        parts = self._parts
        padded = parts.tokenizer.pad(
            {"input_ids": [ids for ids, _ in encoded]}, return_tensors="pt", return_attention_mask=True
        ).to(parts.model.device)
        left = parts.tokenizer.padding_side == "left"
        width = padded["input_ids"].shape[1]
        places = [place + (width - len(ids)) * left for ids, place in encoded]
        with parts.torch.inference_mode():
            logits = parts.model(
                input_ids=padded["input_ids"], attention_mask=padded["attention_mask"]
            ).logits[list(range(len(places))), places]
        return np.asarray(logits.double().softmax(-1).cpu().numpy(), dtype=np.float64)

    def _batches(self, lengths: Sequence[int]) -> Iterator[list[int]]:
        """Contexts of similar lengths, as many as fit into a batch."""
        tokens = max(_LOGITS_PER_BATCH // max(self._parts.model.config.vocab_size, 1), 1)
        batch: list[int] = []
        for row in sorted(range(len(lengths)), key=lambda row: lengths[row]):
            if batch and lengths[row] * (len(batch) + 1) > tokens:
                yield batch
                batch = []
            batch.append(row)
        if batch:
            yield batch

    def _encoded(self, context: FocusContext, instead: bool) -> tuple[list[int], int]:
        """The tokens of the sentence with a mask before its focus or in its place, and the place of the mask.

        A text that is too long is cut to a window around the mask.
        """
        parts, mask = self._parts, self._parts.tokenizer.mask_token
        ids = list(parts.tokenizer(self._masked(context, instead), verbose=False)["input_ids"])
        masks = [place for place, token in enumerate(ids) if token == parts.tokenizer.mask_token_id]
        place = masks[context.source[: context.focus[0]].count(mask)]  # after any that the sentence quotes
        first, last = parts.before, len(ids) - parts.after
        start = min(max(place - parts.limit // 2, first), max(last - parts.limit, first))
        end = min(start + parts.limit, last)
        return ids[:first] + ids[start:end] + ids[last:], place - start + first

    def _masked(self, context: FocusContext, instead: bool) -> str:
        """A word that began the sentence loses its capital, as when a cue is inserted before it."""
        start, end = context.focus
        before, word, after = context.source[:start], context.source[start:end], context.source[end:]
        if instead:
            return f"{before}{self._parts.tokenizer.mask_token}{after}"
        keeps = tags.standard(self._language).split("-")[0] in KEEP_CAPITALS
        if english.starts_sentence(before) and not keeps:
            word = english.without_capital(word)
        return f"{before}{self._parts.tokenizer.mask_token} {word}{after}"

    @cached_property
    def _parts(self) -> _Parts:
        name = self._folder.name
        try:
            import torch
            from transformers import AutoModelForMaskedLM, AutoTokenizer
            from transformers.utils.logging import disable_progress_bar
        except ImportError:
            raise ModelError(
                f'{name}: masked language models need torch and transformers: pip install "mtprobe[torch]"'
            ) from None
        path = str(self._folder.path)
        disable_progress_bar()  # of loading weights
        settings = {"local_files_only": True, "trust_remote_code": False}
        try:
            tokenizer = AutoTokenizer.from_pretrained(path, **settings)
            model, loading = AutoModelForMaskedLM.from_pretrained(
                path,
                **settings,
                dtype=torch.float32,
                use_safetensors=self._folder.weights[0].suffix == ".safetensors",
                weights_only=True,
                output_loading_info=True,
            )
            model = model.to(self._place(torch)).eval()
        except (OSError, ValueError, RuntimeError, KeyError, AssertionError) as error:
            raise ModelError(
                f"{name}: transformers cannot load it as a masked language model: {error}"
            ) from None
        if tokenizer.mask_token_id is None:
            raise ModelError(f"{name}: not a masked language model: its tokenizer has no mask")
        if missing := sorted(loading["missing_keys"]):
            raise ModelError(
                f"{name}: not a masked language model: the weights lack {', '.join(missing[:3])}"
            )
        vocabulary = read_vocabulary(tokenizer, self._language)
        if not vocabulary.words:
            raise ModelError(f"{name}: its vocabulary has no words in the script of {self._language}")
        alone = list(tokenizer(tokenizer.mask_token)["input_ids"])
        before = alone.index(tokenizer.mask_token_id)
        limit = _limit(tokenizer, model) - len(alone) + 1
        return _Parts(torch, tokenizer, model, vocabulary, before, len(alone) - before - 1, max(limit, 1))

    def _place(self, torch: Any) -> str:
        devices = torch.cuda.device_count() if torch.cuda.is_available() else 0
        if self._device.name == "cuda" and self._device.index >= devices:
            raise ModelError(
                f"CUDA was requested, but torch finds {devices or 'no'} devices; --device auto uses what is available"
            )
        return f"cuda:{self._device.index}" if devices and self._device.name != "cpu" else "cpu"


def _limit(tokenizer: Any, model: Any) -> int:
    """The maximum number of tokens in a text. Some models count positions from 2."""
    positions = int(getattr(model.config, "max_position_embeddings", 0) or 0)
    return min(int(tokenizer.model_max_length), positions - 2 if positions > 2 else 1 << 30)
