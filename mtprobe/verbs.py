"""The public interface for verbs in other packages, in addition to `mtprobe.backends` and `mtprobe.methods`.

A verb is a module with `arguments(parser)` and `run(args) -> int`, named by an entry point of the group `mtprobe.verbs`.
Names are loaded lazily, so importing this module is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers; at run time, `_NAMES` decides
    from mtprobe.audit.exchanges import Exchange as Exchange
    from mtprobe.audit.exchanges import exchanges as exchanges
    from mtprobe.authoring.part import write_part as write_part
    from mtprobe.backends.stored import translate_all as translate_all
    from mtprobe.cli.arguments import language_arguments as language_arguments
    from mtprobe.cli.arguments import store_arguments as store_arguments
    from mtprobe.cli.model import open_store as open_store
    from mtprobe.cli.output import counted as counted
    from mtprobe.cli.output import say as say
    from mtprobe.cli.output import warn as warn
    from mtprobe.engine.build import ssru_definition as ssru_definition
    from mtprobe.engine.checkpoints.bergamot.architecture import read_model as read_model
    from mtprobe.engine.checkpoints.huggingface.files import TOKENIZER_FILES as TOKENIZER_FILES
    from mtprobe.engine.export import export as export
    from mtprobe.engine.firefox import LONGEST_INPUT as LONGEST_INPUT
    from mtprobe.engine.firefox import FirefoxModel as FirefoxModel
    from mtprobe.engine.firefox import FirefoxWeights as FirefoxWeights
    from mtprobe.engine.graphs.definition import NetworkDefinition as NetworkDefinition
    from mtprobe.engine.graphs.positions import bergamot_positions as bergamot_positions
    from mtprobe.engine.graphs.ssru import SsruModel as SsruModel
    from mtprobe.engine.graphs.weights import Linear as Linear
    from mtprobe.engine.hf import HfModel as HfModel
    from mtprobe.engine.hf import HfWeights as HfWeights
    from mtprobe.engine.tokenizers.sentencepieces import BergamotTokenizer as BergamotTokenizer
    from mtprobe.engine.tokenizers.sentencepieces import SentencePieceVocabulary as SentencePieceVocabulary
    from mtprobe.language.parallel_text import pairs_of as pairs_of
    from mtprobe.language.tags import fits as fits
    from mtprobe.language.tags import is_language as is_language
    from mtprobe.language.tags import standard as standard
    from mtprobe.progress import Progress as Progress
    from mtprobe.report.progress import progress_of_a_verb as progress_of_a_verb
    from mtprobe.store import Store as Store
    from mtprobe.suite.find import is_suite as is_suite
    from mtprobe.suite.find import suite_files as suite_files
    from mtprobe.suite.sample import Sample as Sample
    from mtprobe.suite.sample import Suite as Suite
    from mtprobe.suites import load_suite as load_suite
    from mtprobe.system.atomic import write_text as write_text
    from mtprobe.system.text_files import text_lines as text_lines

_NAMES = {
    "mtprobe.audit.exchanges": "Exchange exchanges",
    "mtprobe.authoring.part": "write_part",
    "mtprobe.backends.stored": "translate_all",
    "mtprobe.cli.arguments": "language_arguments store_arguments",
    "mtprobe.cli.model": "open_store",
    "mtprobe.cli.output": "counted say warn",
    "mtprobe.engine.checkpoints.huggingface.files": "TOKENIZER_FILES",
    "mtprobe.engine.build": "ssru_definition",
    "mtprobe.engine.checkpoints.bergamot.architecture": "read_model",
    "mtprobe.engine.export": "export",
    "mtprobe.engine.firefox": "LONGEST_INPUT FirefoxModel FirefoxWeights",
    "mtprobe.engine.graphs.definition": "NetworkDefinition",
    "mtprobe.engine.graphs.positions": "bergamot_positions",
    "mtprobe.engine.graphs.ssru": "SsruModel",
    "mtprobe.engine.graphs.weights": "Linear",
    "mtprobe.engine.tokenizers.sentencepieces": "BergamotTokenizer SentencePieceVocabulary",
    "mtprobe.engine.hf": "HfModel HfWeights",
    "mtprobe.language.parallel_text": "pairs_of",
    "mtprobe.language.tags": "fits is_language standard",
    "mtprobe.progress": "Progress",
    "mtprobe.report.progress": "progress_of_a_verb",
    "mtprobe.store": "Store",
    "mtprobe.suite.find": "is_suite suite_files",
    "mtprobe.suite.sample": "Sample Suite",
    "mtprobe.suites": "load_suite",
    "mtprobe.system.atomic": "write_text",
    "mtprobe.system.text_files": "text_lines",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'mtprobe.verbs' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return __all__
