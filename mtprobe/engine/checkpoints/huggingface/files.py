"""Locates the files of a Hugging Face model: in a folder, in the hub's cache, or on the hub."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from mtprobe.engine.checkpoints.reading import (
    MOST_TOKENIZER_BYTES,
    abbreviated,
    file_digest,
    read_json,
    refuse_special_files,
)
from mtprobe.errors import ModelError

CONFIG = "config.json"
GENERATION_CONFIG = "generation_config.json"

# The files of tokenizers. The last line is for models that run in transformers.
TOKENIZER_FILES = (
    *("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
    *("source.spm", "target.spm", "vocab.json", "target_vocab.json"),
    *("tokenizer.json", "sentencepiece.bpe.model"),
    *("chat_template.jinja", "chat_template.json"),
    *("spiece.model", "tokenizer.model", "merges.txt", "vocab.txt", "vocab-src.json", "vocab-tgt.json"),
)
"""The files that a tokenizer may consist of."""
# Any of these sets is enough for a tokenizer.
_VOCABULARIES = (
    {"source.spm", "target.spm", "vocab.json"},
    {"tokenizer.json"},
    {"sentencepiece.bpe.model"},
    {"spiece.model"},
    {"tokenizer.model"},
    {"vocab.txt"},
    {"vocab.json", "merges.txt"},
    {"vocab-src.json", "vocab-tgt.json", "merges.txt"},
)
# In order of preference: one file, or an index of its parts.
WEIGHTS = (
    ("model.safetensors", "model.safetensors.index.json"),
    ("pytorch_model.bin", "pytorch_model.bin.index.json"),
)

# Names on the hub: words with single dots and hyphens inside.
_WORD = r"\w+(?:[.-]\w+)*"
_REPOSITORY = re.compile(rf"(?=.{{1,96}}$){_WORD}(?:/{_WORD})?(?<!\.git)", re.ASCII)


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """The local files of one model."""

    name: str
    """The user's name for it: a path, or the name of a repository."""
    path: Path
    weights: tuple[Path, ...]
    """One file, or its parts in order of name; all `.safetensors` or all `.bin`."""
    commit: str | None = None
    """The commit of a model from the hub."""
    languages: tuple[str | None, str | None] | None = None
    """Source and target of a bilingual model, if known from elsewhere than its files and name."""
    contents: str | None = None
    """A hash of everything that outputs depend on, if all of it comes from one file."""

    def file(self, name: str) -> Path | None:
        """The path of a file of the model, or None if it does not exist."""
        path = self.path / name
        return path if path.is_file() else None

    def digest(self) -> str:
        """Identifies everything that outputs depend on: the commit, or a hash of the contents."""
        if self.commit is not None:
            return self.commit
        if self.contents is not None:
            return self.contents
        return _digest([*self.weights, *self._files(CONFIG, GENERATION_CONFIG, *TOKENIZER_FILES)])

    def tokenizer_key(self) -> tuple[Path, str]:
        """Identifies the files of the tokenizer, for what is read from them once."""
        return self.path, _digest(self._files(CONFIG, *TOKENIZER_FILES))

    def _files(self, *names: str) -> list[Path]:
        return [path for name in names if (path := self.file(name)) is not None]


def _digest(paths: list[Path]) -> str:
    lines = (f"{path.name} {file_digest(path)}\n" for path in sorted(set(paths)))
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:12]


def resolve(name_or_path: str, revision: str | None = None) -> ModelFolder:
    """The files of a model, given the path of a folder or the name of a repository on the hub.

    Only what the local cache lacks is downloaded.
    """
    path = _existing(name_or_path)
    if path is not None and path.is_dir():
        if revision is not None:
            raise ModelError(f"{name_or_path}: a folder has no revision; omit {revision}")
        return local_folder(name_or_path, path)
    if path is not None:
        raise ModelError(f"{name_or_path}: is a file; give the folder that contains the model")
    if not _REPOSITORY.fullmatch(name_or_path):
        raise ModelError(
            f'"{name_or_path}": there is no such folder, and it is not a valid name of a model on the hub, '
            "such as Helsinki-NLP/opus-mt-en-de"
        )
    from mtprobe.engine.checkpoints.huggingface.remote import fetch

    snapshot = fetch(name_or_path, revision)
    return ModelFolder(name_or_path, snapshot, find_weights(snapshot), commit=snapshot.name)


def _existing(name: str) -> Path | None:
    """The name as a path, if it exists."""
    try:
        path = Path(name).expanduser()
        return path if name and path.exists() else None
    except (OSError, RuntimeError, ValueError):  # too long, no such home, a NUL
        return None


def local_folder(name: str, path: Path) -> ModelFolder:
    """The model in a folder; raises `ModelError` if it does not contain one."""
    refuse_special_files(path)
    if not (path / CONFIG).is_file():
        hint = "; give the folder below its snapshots/" if (path / "snapshots").is_dir() else ""
        raise ModelError(f"{path}: there is no {CONFIG}, so this is not a model folder{hint}")
    return ModelFolder(name, path, find_weights(path))


def find_weights(path: Path) -> tuple[Path, ...]:
    """The files of the weights; raises `ModelError` if one is missing."""
    incomplete: ModelError | None = None
    for single, index in WEIGHTS:
        if (path / single).is_file():
            return (path / single,)
        if (path / index).is_file():
            try:
                return _parts(path / index)
            except ModelError as error:
                incomplete = incomplete or error
    if incomplete is not None:
        raise incomplete
    expected = " nor ".join(single for single, _ in WEIGHTS)
    raise ModelError(f"{path}: neither {expected}; found: {abbreviated(path.iterdir())}")


def lacks(path: Path) -> str | None:
    """A description of what a model folder lacks, or None."""
    if not (path / CONFIG).is_file():
        return CONFIG
    if not any(all((path / name).is_file() for name in names) for names in _VOCABULARIES):
        return "the vocabulary"
    try:
        find_weights(path)
    except ModelError:
        return "the weights"
    return None


def _parts(index: Path) -> tuple[Path, ...]:
    names = read_json(index, MOST_TOKENIZER_BYTES).get("weight_map")
    if not isinstance(names, dict) or not names or not all(isinstance(name, str) for name in names.values()):
        raise ModelError(f'{index}: "weight_map" does not say which file holds which tensor')
    parts = [index.parent / name for name in sorted(set(names.values()))]
    for part in parts:
        if part.parent != index.parent or part.suffix != index.suffixes[-3]:
            raise ModelError(f'{index}: "weight_map" names {part.name}, which cannot contain its weights')
        if not part.is_file():
            raise ModelError(f"{part}: the file is missing; {index.name} names it")
    return tuple(parts)
