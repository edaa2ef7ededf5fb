"""Exports a model, so that `onnx:` loads it without conversion: its graphs, weights, tokenizer files and manifest."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mtprobe.backends.protocols import Opened
from mtprobe.backends.registry import SEARCH
from mtprobe.engine.checkpoints.huggingface.files import CONFIG, GENERATION_CONFIG, TOKENIZER_FILES
from mtprobe.engine.converted.manifest import (
    PROMPT,
    Manifest,
    SavedFirefox,
    SavedHf,
    SavedLm,
    SavedModel,
    describe,
)
from mtprobe.engine.converted.read import SavedFolder
from mtprobe.engine.converted.write import describe_file, write_manifest, write_network, written_atomically
from mtprobe.engine.firefox import FirefoxModel, FirefoxWeights
from mtprobe.engine.graphs.definition import NetworkDefinition
from mtprobe.engine.hf import HfModel, HfWeights
from mtprobe.engine.lm.model import LanguageModel, LmOrigin
from mtprobe.engine.lm.open import LmWeights
from mtprobe.engine.tokenizers.huggingface import languages_of
from mtprobe.errors import ModelError


@dataclass(frozen=True, slots=True)
class _Export:
    made_from: str
    decoding: str
    model: SavedModel
    files: Mapping[str, Path]  # tokenizer files, by their names in the exported folder
    build: Callable[[], NetworkDefinition]


def export(name: str, backend: Opened, target: Path) -> Manifest:
    """Writes a folder for `onnx:`, atomically and without overwriting anything.

    `name` is the user's name of the model.
    """
    plan = _plan(name, backend)
    _check_is_free(target)
    try:
        with written_atomically(target) as folder:
            return _write(plan, folder)
    except OSError as error:
        raise ModelError(f"{target}: cannot be written: {error.strerror or error}") from None


def _write(plan: _Export, folder: Path) -> Manifest:
    network = plan.build()
    files = write_network(network, folder)
    for name, path in plan.files.items():
        shutil.copyfile(path, folder / name)
        files[name] = describe_file(folder / name)
    manifest = describe(network.dimensions, files, plan.made_from, plan.decoding, plan.model)
    write_manifest(manifest, folder)
    return manifest


def _check_is_free(target: Path) -> None:
    if target.is_dir():
        if any(target.iterdir()):
            raise ModelError(f"{target}: the folder is not empty; name a new one")
    elif target.exists() or target.is_symlink():
        raise ModelError(f"{target}: already exists and is not a folder; name a new one")


def _plan(name: str, backend: Opened) -> _Export:
    match backend:
        case HfModel(origin=HfWeights() as weights):
            return _hf(backend, weights)
        case FirefoxModel(origin=FirefoxWeights() as weights):
            return _firefox(backend, weights)
        case LanguageModel(origin=LmOrigin(network=LmWeights() as weights)):
            return _lm(backend, weights)
        case (
            HfModel(origin=SavedFolder(path=path))
            | FirefoxModel(origin=SavedFolder(path=path))
            | LanguageModel(origin=LmOrigin(network=SavedFolder(path=path)))
        ):
            raise ModelError(f"{path}: is already exported; copy the folder")
    raise ModelError(
        f"{name} cannot be exported: only demo, firefox: and the hf: and lm: models that run without torch have graphs"
    )


def _hf(backend: HfModel, weights: HfWeights) -> _Export:
    folder = weights.folder
    names = (CONFIG, GENERATION_CONFIG, *TOKENIZER_FILES)
    options = {name: str(value) for name in SEARCH if (value := getattr(backend.spec, name)) is not None}
    return _Export(
        made_from=_origin(
            "hf", folder.name if folder.commit else Path(folder.name).name, weights.fingerprint_prefix
        ),
        decoding=backend.decoding,
        model=SavedHf(languages=languages_of(folder, weights.config), options=options),
        files={name: path for name in names if (path := folder.file(name)) is not None},
        build=lambda: weights.build(backend.dtype),
    )


def _lm(backend: LanguageModel, weights: LmWeights) -> _Export:
    folder, prompt = weights.folder, backend.asking.prompt
    names = (CONFIG, GENERATION_CONFIG, *TOKENIZER_FILES)
    files = {name: path for name in names if (path := folder.file(name)) is not None}
    return _Export(
        made_from=_origin(
            "lm", folder.name if folder.commit else Path(folder.name).name, weights.fingerprint_prefix
        ),
        decoding=backend.decoding,
        model=SavedLm(prompt=prompt.name, options=backend.spec.options()),
        files={**files, PROMPT: prompt.path},
        build=lambda: weights.build(backend.dtype),
    )


def _firefox(backend: FirefoxModel, weights: FirefoxWeights) -> _Export:
    files, pair = weights.files, backend.languages
    return _Export(
        made_from=_origin(weights.kind, files.weights.parent.name, weights.fingerprint_prefix),
        decoding=backend.decoding,
        model=SavedFirefox(
            languages=files.languages or (pair.source, pair.target),
            vocabularies=(files.source_vocabulary.name, files.target_vocabulary.name),
            options=backend.search.options(),
        ),
        files={path.name: path for path in (files.source_vocabulary, files.target_vocabulary)},
        build=lambda: weights.build(backend.dtype),
    )


def _origin(kind: str, name: str, fingerprint_prefix: str) -> str:
    """Never a full path: exported models are given to others."""
    return f"{kind}:{name} ({fingerprint_prefix.rpartition(':')[2]})"
