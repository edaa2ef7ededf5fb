"""`mlm:NAME_OR_PATH`: a masked language model, which scores targets without reading the source.

The score of a token is its log-probability given all other tokens of the target (Salazar et al., 2020). Models are
located as for `hf:`; options: `?revision=main`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from mtprobe.backends.device import parse_device
from mtprobe.backends.protocols import UNDETERMINED, LanguagePair, OpenRequest
from mtprobe.backends.registry import split_options
from mtprobe.backends.scorer import ScorePair, TokenLogProbs
from mtprobe.engine.checkpoints.huggingface.card import language_of_card
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder, resolve
from mtprobe.errors import Failure, ModelError
from mtprobe.language import tags

if TYPE_CHECKING:
    from mtprobe.engine.pseudo_likelihood import PseudoScores

NUMBERS = "v1"  # raise it with every change that may alter a score


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
        from mtprobe.engine.pseudo_likelihood import load_masked

        return load_masked(self._folder, self._device, self._threads)

    @property
    def provider(self) -> str | None:
        return self._scores.provider if "_scores" in self.__dict__ else None

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        """The scores of each target, whatever its source; special tokens are read but not scored."""
        scores = {text: self._scores.of(text) for text in dict.fromkeys(target for _, target in pairs)}
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
    language = request.target or request.source or language_of_card(folder)
    if language is None:
        raise ModelError(f"mlm:{folder.name} does not say which language it is for: give the target language")
    return language
