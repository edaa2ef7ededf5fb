"""What is written of a model so that it loads without conversion: its network, its tokenizer's files, its facts."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mtprobe.backends.protocols import Opened
from mtprobe.backends.spec_options import SEARCH
from mtprobe.engine.checkpoints.huggingface.files import CONFIG, GENERATION_CONFIG, TOKENIZER_FILES
from mtprobe.engine.converted.files import known_file, written_whole
from mtprobe.engine.converted.manifest import Manifest, SavedFirefox, SavedHf, describe
from mtprobe.engine.converted.read import SavedFolder
from mtprobe.engine.firefox import FirefoxModel, FirefoxWeights
from mtprobe.engine.graphs.network import Parts
from mtprobe.engine.hf import HfModel, HfWeights
from mtprobe.engine.tokenizers.huggingface import languages_of
from mtprobe.errors import ModelError


@dataclass(frozen=True, slots=True)
class _Export:
    made_from: str
    decoding: str
    model: SavedFirefox | SavedHf
    files: Mapping[str, Path]  # those of the tokenizer, by the names that they get
    build: Callable[[], Parts]


def export(name: str, backend: Opened, target: Path) -> Manifest:
    """Writes a folder that `onnx:` opens, whole or not at all; nothing that is there is overwritten.

    `name` is what the user calls the model.
    """
    planned = _planned(name, backend)
    _must_be_free(target)
    try:
        with written_whole(target) as folder:
            return _write(planned, folder)
    except OSError as error:
        raise ModelError(f"{target}: cannot be written: {error.strerror or error}") from None


def _write(planned: _Export, folder: Path) -> Manifest:
    from mtprobe.engine.converted.write import write_manifest, write_network

    parts = planned.build()
    files = write_network(parts, folder)
    for name, path in planned.files.items():
        shutil.copyfile(path, folder / name)
        files[name] = known_file(folder / name)
    manifest = describe(parts.facts, files, planned.made_from, planned.decoding, planned.model)
    write_manifest(manifest, folder)
    return manifest


def _must_be_free(target: Path) -> None:
    if target.is_dir():
        if any(target.iterdir()):
            raise ModelError(f"{target}: the folder is not empty; name a new one")
    elif target.exists() or target.is_symlink():
        raise ModelError(f"{target}: is there already, and is no folder; name a new one")


def _planned(name: str, backend: Opened) -> _Export:
    match backend:
        case HfModel(origin=HfWeights() as weights):
            return _hf(backend, weights)
        case FirefoxModel(origin=FirefoxWeights() as weights):
            return _firefox(backend, weights)
        case HfModel(origin=SavedFolder(path=path)) | FirefoxModel(origin=SavedFolder(path=path)):
            raise ModelError(f"{path}: is exported already; copy the folder")
    raise ModelError(
        f"{name} cannot be exported: it has no graphs of ours, as demo, firefox: and those hf: models have "
        "that need no torch"
    )


def _hf(backend: HfModel, weights: HfWeights) -> _Export:
    folder = weights.folder
    names = (CONFIG, GENERATION_CONFIG, *TOKENIZER_FILES)
    options = {name: str(value) for name in SEARCH if (value := getattr(backend.spec, name)) is not None}
    return _Export(
        made_from=_origin("hf", folder.name if folder.commit else Path(folder.name).name, weights.mark),
        decoding=backend.decoding,
        model=SavedHf(languages=languages_of(folder, weights.config), options=options),
        files={name: path for name in names if (path := folder.file(name)) is not None},
        build=lambda: weights.build(backend.dtype),
    )


def _firefox(backend: FirefoxModel, weights: FirefoxWeights) -> _Export:
    files, pair = weights.files, backend.languages
    return _Export(
        made_from=_origin(weights.kind, files.weights.parent.name, weights.mark),
        decoding=backend.decoding,
        model=SavedFirefox(
            languages=files.languages or (pair.source, pair.target),
            vocabularies=(files.source_vocabulary.name, files.target_vocabulary.name),
            options=backend.search.options(),
        ),
        files={path.name: path for path in (files.source_vocabulary, files.target_vocabulary)},
        build=lambda: weights.build(backend.dtype),
    )


def _origin(kind: str, name: str, mark: str) -> str:
    """Never a whole path: what is exported is given to others."""
    return f"{kind}:{name} ({mark.rpartition(':')[2]})"
