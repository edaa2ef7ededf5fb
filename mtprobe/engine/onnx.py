"""`onnx:FOLDER`: a model written by `mtprobe export`, which needs no conversion.

It takes the options of the original model: `onnx:saved/opus-mt-en-de?beams=1`. Small files are checked against their
digests when it is opened, the weights with the first sentence.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

from mtprobe.backends.protocols import Opened, OpenRequest
from mtprobe.backends.registry import SEARCH, SpecOptions, split_options
from mtprobe.engine.checkpoints.bergamot.folder import ModelFiles
from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig, read_config
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.converted.manifest import PROMPT, WEIGHTS, SavedFirefox, SavedHf, SavedLm
from mtprobe.engine.converted.read import SavedFolder, open_saved
from mtprobe.engine.firefox import FirefoxModel, FirefoxSearch
from mtprobe.engine.hf import HfModel, HfSpec
from mtprobe.engine.lm.open import open_onnx_lm
from mtprobe.engine.lm.spec import OPTIONS, LmSpec, with_languages
from mtprobe.engine.lm.spec import SEARCH as LM_SEARCH
from mtprobe.engine.runtime.installed import require_runtime
from mtprobe.errors import ModelError

LM_OPTIONS = tuple(name for name in OPTIONS if name != "revision")


def open_onnx(rest: str, request: OpenRequest) -> Opened:
    name, options = split_options("onnx", rest, (*SEARCH, *LM_OPTIONS))
    if not name:
        raise ModelError("onnx: needs a folder written by `mtprobe export`, as in onnx:saved/ende")
    require_runtime(f"onnx:{name}", converted=True)
    saved = open_saved(Path(name).expanduser())
    saved.require_dtype(request.dtype)
    if not isinstance(saved.manifest.model, SavedLm):
        name, options = split_options("onnx", rest, SEARCH)
    match saved.manifest.model:
        case SavedHf() as model:
            return _hf(name, saved, model, _with_defaults(options, model.options), request)
        case SavedFirefox() as model:
            return _firefox(saved, model, _with_defaults(options, model.options), request)
        case SavedLm() as model:
            return _lm(name, saved, model, options, request)
        case None:
            raise ModelError(f"{name}: a network without its tokenizer, as in the cache; export the model")


def _with_defaults(options: SpecOptions, exported: dict[str, str]) -> SpecOptions:
    return replace(options, given={**exported, **options.given})


def _hf(name: str, saved: SavedFolder, model: SavedHf, options: SpecOptions, request: OpenRequest) -> HfModel:
    folder = ModelFolder(name, saved.path, weights=(), languages=model.languages)
    config = read_config(folder)
    if not isinstance(config, Seq2SeqConfig):
        raise ModelError(f"{name}: {config.model_type} models have no graphs")
    return HfModel(folder, config, saved, HfSpec.from_options(name, options), request)


def _lm(name: str, saved: SavedFolder, model: SavedLm, options: SpecOptions, request: OpenRequest) -> Opened:
    _, options = split_options("onnx", f"{name}?{urlencode(options.given)}", LM_OPTIONS)
    given = _with_defaults(options, model.options if not {*options.given} & {*LM_SEARCH} else {})
    spec = LmSpec.from_options(name, given)
    if spec.prompt is None:
        spec = replace(spec, prompt=str(saved.path / PROMPT), prompt_name=model.prompt)
    folder = ModelFolder(name, saved.path, weights=())
    return open_onnx_lm(folder, spec, with_languages(request, given), saved)


def _firefox(
    saved: SavedFolder, model: SavedFirefox, options: SpecOptions, request: OpenRequest
) -> FirefoxModel:
    source, target = model.vocabularies
    files = ModelFiles(
        weights=saved.path / WEIGHTS,
        source_vocabulary=saved.path / source,
        target_vocabulary=saved.path / target,
        config=None,
        languages=model.languages,
        digests={saved.path / name: saved.manifest.files[name].sha256 for name in (WEIGHTS, source, target)},
    )
    return FirefoxModel(files, saved, request, FirefoxSearch.from_options(options))
