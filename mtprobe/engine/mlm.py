"""`mlm:NAME_OR_PATH`: a masked language model. It translates nothing and is shown no source.

A score is that of the target alone: the log-probability of each of its tokens, masked in turn and seen with all of
the others (Salazar et al., 2020). Found as `hf:` models are; options: `?revision=main`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from mtprobe.backends.device import parse_device
from mtprobe.backends.protocols import UNDETERMINED, LanguagePair, OpenRequest
from mtprobe.backends.scorer import ScorePair, TokenLogProbs
from mtprobe.backends.spec_options import split_options
from mtprobe.engine.checkpoints.huggingface.card import language_of_card
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder, resolve
from mtprobe.errors import Failure, ModelError
from mtprobe.language import tags

if TYPE_CHECKING:
    from mtprobe.engine.pseudo_likelihood import PseudoScores

NUMBERS = "v1"  # to be raised with every change after which a score may differ


class MaskedModel:
    """A `Scorer` of single texts. Loaded with the first of them."""

    dtype = "fp32"
    reads_sources = False

    def __init__(self, folder: ModelFolder, request: OpenRequest) -> None:
        if request.dtype != self.dtype:
            raise ModelError(
                f"mlm:{folder.name} runs through torch, which computes in fp32 here: "
                f"leave --mt-dtype={request.dtype} away"
            )
        # It serves whatever source its suite has: it is not shown any.
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
        """Of each target, whatever its source; special tokens are seen, and not scored."""
        made = {text: self._scores.of(text) for text in dict.fromkeys(target for _, target in pairs)}
        return [made[target] for _, target in pairs]


def open_masked(rest: str, request: OpenRequest) -> MaskedModel:
    name, options = split_options("mlm", rest, ("revision",))
    if not name:
        raise ModelError("mlm: needs a model, as in mlm:FacebookAI/xlm-roberta-base or mlm:models/mine")
    return MaskedModel(resolve(name, options.given.get("revision")), request)


def _language(folder: ModelFolder, request: OpenRequest) -> str:
    """The language that it is asked about: as the user says, or else as its card does."""
    if request.source and request.target and not tags.fits(request.source, request.target):
        raise ModelError(
            f"mlm:{folder.name} reads one language, and --mt-source={request.source} "
            f"is not --mt-target={request.target}: give the one of the sentences to be scored"
        )
    language = request.target or request.source or language_of_card(folder)
    if language is None:
        raise ModelError(f"mlm:{folder.name} does not say which language it is for: give --mt-target")
    return language
