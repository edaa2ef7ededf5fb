"""Finds the files of a Firefox Translations or Marian model in a folder."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mtprobe.engine.checkpoints.reading import abbreviated, file_digest, require_folder
from mtprobe.errors import ModelError

_LANGUAGE = r"([a-z]{2}(?:_[a-z]{4})?)"  # two letters, and the script if there are several: zh_hant
_NAME = re.compile(rf"(?:model|(?:src|trg)?vocab)\.{_LANGUAGE}{_LANGUAGE}\.")


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The files of a model. `languages` come from the names: `model.enpt.….bin` → en, pt."""

    weights: Path
    source_vocabulary: Path
    target_vocabulary: Path  # the same file if the languages share a vocabulary
    config: Path | None  # Marian's configuration: the name of the weights and .yml
    languages: tuple[str, str] | None
    digests: Mapping[Path, str]  # the sha256 of each file

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits that identify the content of all files."""
        return hashlib.sha256(" ".join(self.digests.values()).encode()).hexdigest()[:12]


def find_model(folder: Path) -> ModelFiles:
    """The model in a folder; raises `ModelError` if there is none or more than one."""
    require_folder(folder)
    weights = _only(folder, "model*.bin", "*.npz")
    if not any(folder.glob("*vocab*.spm")) and (listed := sorted(folder.glob("*vocab*.yml"))):
        raise ModelError(
            f"{listed[0]}: YAML vocabularies, as in the original releases of OPUS-MT, are not supported; "
            "use the Hugging Face version of the model with hf:"
        )
    if any(folder.glob("???vocab*.spm")):
        source, target = _only(folder, "srcvocab*.spm"), _only(folder, "trgvocab*.spm")
    else:
        source = target = _only(folder, "vocab*.spm")
    config_path = weights.with_name(f"{weights.name}.yml")
    config = config_path if config_path.is_file() else None
    return ModelFiles(
        weights=weights,
        source_vocabulary=source,
        target_vocabulary=target,
        config=config,
        languages=_languages(weights, source, target),
        digests={path: file_digest(path) for path in (weights, source, target, config) if path is not None},
    )


def _only(folder: Path, *patterns: str) -> Path:
    """The only file that matches the first pattern with any match."""
    for pattern in patterns:
        matches = sorted(folder.glob(pattern))
        if len(matches) > 1:
            raise ModelError(
                f"{folder}: several files match {pattern}: {abbreviated(matches)}; keep one model per folder"
            )
        if matches:
            return matches[0]
    expected = " or ".join(patterns)
    raise ModelError(f"{folder}: no file matches {expected}; found: {abbreviated(folder.iterdir())}")


def _languages(weights: Path, *vocabularies: Path) -> tuple[str, str] | None:
    of_model = _NAME.match(weights.name)
    if of_model is None:
        return None
    for vocabulary in vocabularies:
        # The two directions of a pair may share a vocabulary, which is then named after one of them.
        of_vocabulary = _NAME.match(vocabulary.name)
        if of_vocabulary and set(of_vocabulary.groups()) != set(of_model.groups()):
            raise ModelError(
                f"{weights.parent}: {weights.name} and {vocabulary.name} are for different languages"
            )
    return _tag(of_model[1]), _tag(of_model[2])


def _tag(letters: str) -> str:
    language, _, script = letters.partition("_")
    return f"{language}-{script.title()}" if script else language
