"""The public interface for backends and executors: everything that a plugin needs from mtprobe.

Names are loaded lazily, so importing this package is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers; at run time, `_NAMES` decides
    from mtprobe.backends.answers import Answers as Answers
    from mtprobe.backends.answers import ChatMessage as ChatMessage
    from mtprobe.backends.answers import ChatPrompt as ChatPrompt
    from mtprobe.backends.answers import ChoiceScores as ChoiceScores
    from mtprobe.backends.answers import Completes as Completes
    from mtprobe.backends.answers import Question as Question
    from mtprobe.backends.answers import answer_all as answer_all
    from mtprobe.backends.answers import can_answer as can_answer
    from mtprobe.backends.answers import can_complete as can_complete
    from mtprobe.backends.answers import complete_all as complete_all
    from mtprobe.backends.answers import samples_answers as samples_answers
    from mtprobe.backends.device import Device as Device
    from mtprobe.backends.device import Dtype as Dtype
    from mtprobe.backends.device import parse_device as parse_device
    from mtprobe.backends.model import Executor as Executor
    from mtprobe.backends.model import Model as Model
    from mtprobe.backends.model import OpenedModel as OpenedModel
    from mtprobe.backends.model import Recipe as Recipe
    from mtprobe.backends.model import open_model as open_model
    from mtprobe.backends.protocols import LONE_SURROGATE as LONE_SURROGATE
    from mtprobe.backends.protocols import UNDETERMINED as UNDETERMINED
    from mtprobe.backends.protocols import Backend as Backend
    from mtprobe.backends.protocols import Estimate as Estimate
    from mtprobe.backends.protocols import LanguagePair as LanguagePair
    from mtprobe.backends.protocols import Measures as Measures
    from mtprobe.backends.protocols import Opened as Opened
    from mtprobe.backends.protocols import OpenRequest as OpenRequest
    from mtprobe.backends.protocols import Priced as Priced
    from mtprobe.backends.protocols import Request as Request
    from mtprobe.backends.protocols import RequestBackend as RequestBackend
    from mtprobe.backends.protocols import Streaming as Streaming
    from mtprobe.backends.protocols import TextBackend as TextBackend
    from mtprobe.backends.protocols import as_request as as_request
    from mtprobe.backends.protocols import can_translate as can_translate
    from mtprobe.backends.protocols import inputs_for as inputs_for
    from mtprobe.backends.protocols import is_deterministic as is_deterministic
    from mtprobe.backends.protocols import is_encodable as is_encodable
    from mtprobe.backends.protocols import languages_from as languages_from
    from mtprobe.backends.protocols import runtime_of as runtime_of
    from mtprobe.backends.protocols import stays_here as stays_here
    from mtprobe.backends.protocols import takes_requests as takes_requests
    from mtprobe.backends.protocols import uses_context as uses_context
    from mtprobe.backends.registry import ModelSpec as ModelSpec
    from mtprobe.backends.registry import SpecOptions as SpecOptions
    from mtprobe.backends.registry import open_backend as open_backend
    from mtprobe.backends.registry import split_options as split_options
    from mtprobe.backends.scorer import Attends as Attends
    from mtprobe.backends.scorer import PlacesTokens as PlacesTokens
    from mtprobe.backends.scorer import PricedScorer as PricedScorer
    from mtprobe.backends.scorer import ScorePair as ScorePair
    from mtprobe.backends.scorer import Scorer as Scorer
    from mtprobe.backends.scorer import SpanPair as SpanPair
    from mtprobe.backends.scorer import StreamingScorer as StreamingScorer
    from mtprobe.backends.scorer import TokenAttention as TokenAttention
    from mtprobe.backends.scorer import TokenLogProbs as TokenLogProbs
    from mtprobe.backends.scorer import can_score as can_score
    from mtprobe.backends.scorer import reads_sources as reads_sources
    from mtprobe.backends.shared import Shared as Shared
    from mtprobe.backends.stored import score_stream as score_stream
    from mtprobe.backends.stored import translations_of as translations_of
    from mtprobe.backends.tokenizers import HubTokenizer as HubTokenizer
    from mtprobe.backends.tokenizers import SentencePieces as SentencePieces
    from mtprobe.backends.tokenizers import Tokenizer as Tokenizer
    from mtprobe.backends.tokenizers import hub_tokenizer as hub_tokenizer
    from mtprobe.backends.tokenizers import language_code as language_code
    from mtprobe.backends.tokenizers import sentence_pieces as sentence_pieces
    from mtprobe.errors import Failure as Failure
    from mtprobe.errors import ModelError as ModelError
    from mtprobe.errors import MtprobeError as MtprobeError
    from mtprobe.errors import did_you_mean as did_you_mean
    from mtprobe.language.chatter import chatter as chatter
    from mtprobe.language.names import language_name as language_name
    from mtprobe.progress import LOGGER as LOGGER
    from mtprobe.progress import notices_to as notices_to
    from mtprobe.system.secrets import HIDDEN as HIDDEN
    from mtprobe.system.secrets import Scrubber as Scrubber
    from mtprobe.system.secrets import without_secrets as without_secrets

_NAMES = {
    "mtprobe.backends.answers": "Answers ChatMessage ChatPrompt ChoiceScores Completes Question answer_all can_answer can_complete complete_all "
    "samples_answers",
    "mtprobe.backends.device": "Device Dtype parse_device",
    "mtprobe.backends.model": "Executor Model OpenedModel Recipe open_model",
    "mtprobe.backends.protocols": "LONE_SURROGATE UNDETERMINED Backend Estimate LanguagePair Measures Opened OpenRequest "
    "Priced Request RequestBackend Streaming TextBackend as_request can_translate inputs_for "
    "is_deterministic is_encodable languages_from runtime_of stays_here takes_requests uses_context",
    "mtprobe.backends.registry": "ModelSpec SpecOptions open_backend split_options",
    "mtprobe.backends.scorer": "Attends PlacesTokens PricedScorer ScorePair Scorer SpanPair StreamingScorer TokenAttention TokenLogProbs "
    "can_score reads_sources",
    "mtprobe.backends.shared": "Shared",
    "mtprobe.backends.stored": "score_stream translations_of",
    "mtprobe.backends.tokenizers": "HubTokenizer SentencePieces Tokenizer hub_tokenizer language_code sentence_pieces",
    "mtprobe.errors": "Failure ModelError MtprobeError did_you_mean",
    "mtprobe.language.chatter": "chatter",
    "mtprobe.language.names": "language_name",
    "mtprobe.progress": "LOGGER notices_to",
    "mtprobe.system.secrets": "HIDDEN Scrubber without_secrets",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'mtprobe.backends' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return __all__
