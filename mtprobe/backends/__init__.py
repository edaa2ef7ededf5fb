"""The public interface for backends and executors: all that a plugin needs of mtprobe.

Names are loaded when they are used, so importing this package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mtprobe.backends.device import Device, parse_device
    from mtprobe.backends.dtype import Dtype
    from mtprobe.backends.executor import Executor, Recipe
    from mtprobe.backends.model import Model
    from mtprobe.backends.opening import OpenedModel, open_model
    from mtprobe.backends.protocols import (
        UNDETERMINED,
        Backend,
        Estimate,
        LanguagePair,
        Measures,
        Opened,
        OpenRequest,
        Priced,
        RequestBackend,
        Streaming,
        TextBackend,
        can_translate,
        languages_from,
        stays_here,
    )
    from mtprobe.backends.registry import ModelSpec, open_backend
    from mtprobe.backends.request import Request, as_request, inputs_for, takes_requests
    from mtprobe.backends.scorer import (
        PlacesTokens,
        ScorePair,
        Scorer,
        StreamingScorer,
        TokenLogProbs,
        can_score,
        reads_sources,
    )
    from mtprobe.backends.spec_options import SpecOptions, split_options
    from mtprobe.backends.stream import score_stream
    from mtprobe.backends.text import LONE_SURROGATE, is_encodable
    from mtprobe.backends.tokenizers import (
        HubTokenizer,
        SentencePieces,
        Tokenizer,
        hub_tokenizer,
        language_code,
        sentence_pieces,
    )
    from mtprobe.backends.translating import translations_of
    from mtprobe.errors import Failure, ModelError, MtprobeError, did_you_mean
    from mtprobe.progress import LOGGER, notices_to

__all__ = [
    "LOGGER",
    "LONE_SURROGATE",
    "UNDETERMINED",
    "Backend",
    "Device",
    "Dtype",
    "Estimate",
    "Executor",
    "Failure",
    "HubTokenizer",
    "LanguagePair",
    "Measures",
    "Model",
    "ModelError",
    "ModelSpec",
    "MtprobeError",
    "OpenRequest",
    "Opened",
    "OpenedModel",
    "PlacesTokens",
    "Priced",
    "Recipe",
    "Request",
    "RequestBackend",
    "ScorePair",
    "Scorer",
    "SentencePieces",
    "SpecOptions",
    "Streaming",
    "StreamingScorer",
    "TextBackend",
    "TokenLogProbs",
    "Tokenizer",
    "as_request",
    "can_score",
    "can_translate",
    "did_you_mean",
    "hub_tokenizer",
    "inputs_for",
    "is_encodable",
    "language_code",
    "languages_from",
    "notices_to",
    "open_backend",
    "open_model",
    "parse_device",
    "reads_sources",
    "score_stream",
    "sentence_pieces",
    "split_options",
    "stays_here",
    "takes_requests",
    "translations_of",
]

_NAMES_BY_MODULE = {
    "mtprobe.backends.device": "Device parse_device",
    "mtprobe.backends.dtype": "Dtype",
    "mtprobe.backends.executor": "Executor Recipe",
    "mtprobe.backends.model": "Model",
    "mtprobe.backends.opening": "OpenedModel open_model",
    "mtprobe.backends.protocols": "UNDETERMINED Backend Estimate LanguagePair Measures Opened OpenRequest Priced "
    "RequestBackend Streaming TextBackend can_translate languages_from stays_here",
    "mtprobe.backends.registry": "ModelSpec open_backend",
    "mtprobe.backends.request": "Request as_request inputs_for takes_requests",
    "mtprobe.backends.scorer": "PlacesTokens Scorer ScorePair StreamingScorer TokenLogProbs can_score reads_sources",
    "mtprobe.backends.spec_options": "SpecOptions split_options",
    "mtprobe.backends.stream": "score_stream",
    "mtprobe.backends.text": "LONE_SURROGATE is_encodable",
    "mtprobe.backends.tokenizers": "HubTokenizer SentencePieces Tokenizer hub_tokenizer language_code sentence_pieces",
    "mtprobe.backends.translating": "translations_of",
    "mtprobe.errors": "Failure ModelError MtprobeError did_you_mean",
    "mtprobe.progress": "LOGGER notices_to",
}
_MODULES = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'mtprobe.backends' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
