"""Finds the files of a Firefox Translations model in a folder, and knows them by their digests."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from mtprobe.errors import ModelError

_LETTERS = re.compile(r"(?:model|vocab)\.([a-z]{2})([a-z]{2})\.")
_LISTED = 12  # file names that an error repeats


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The files of a model. `languages` are the letters in their names: `model.enpt.….bin` → en, pt."""

    weights: Path
    vocabulary: Path
    languages: tuple[str, str] | None
    weights_digest: str
    vocabulary_digest: str

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits that stand for the content of both files."""
        both = f"{self.weights_digest} {self.vocabulary_digest}"
        return hashlib.sha256(both.encode()).hexdigest()[:12]


def find_model(folder: Path) -> ModelFiles:
    """The one model in a folder; anything else is a `ModelError` that lists what was found."""
    if not folder.is_dir():
        what = "a file; give the folder that holds it" if folder.exists() else "not there"
        raise ModelError(f"{folder}: the folder of the model is {what}")
    if separate := sorted(folder.glob("???vocab.*.spm")):  # srcvocab and trgvocab
        raise ModelError(f"{separate[0]}: separate vocabularies for source and target are not supported yet")
    weights, vocabulary = _only(folder, "model*.bin"), _only(folder, "vocab*.spm")
    return ModelFiles(
        weights, vocabulary, _languages(weights, vocabulary), _digest(weights), _digest(vocabulary)
    )


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) == 1:
        return found[0]
    if found:
        raise ModelError(f"{folder}: several files fit {pattern}: {_names(found)}; keep one model a folder")
    raise ModelError(f"{folder}: no file fits {pattern}; there is {_names(sorted(folder.iterdir()))}")


def _names(paths: list[Path]) -> str:
    names = [path.name for path in paths[:_LISTED]]
    return ", ".join(names + ["…"] * (len(paths) > _LISTED)) or "nothing"


def _languages(weights: Path, vocabulary: Path) -> tuple[str, str] | None:
    of_model, of_vocabulary = (_LETTERS.match(path.name) for path in (weights, vocabulary))
    if of_model is None:
        return None
    # The two directions of a pair may share a vocabulary, which is then named after one of them.
    if of_vocabulary and set(of_vocabulary.groups()) != set(of_model.groups()):
        raise ModelError(
            f"{weights.parent}: {weights.name} and {vocabulary.name} are for different languages"
        )
    return of_model[1], of_model[2]


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror}") from None
