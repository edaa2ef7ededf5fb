"""Where the files of a Hugging Face model are: in a folder, in the hub's cache, or on the hub."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mtprobe.engine.checkpoints.huggingface.reading import read_json
from mtprobe.errors import ModelError

CONFIG = "config.json"
GENERATION_CONFIG = "generation_config.json"

# What a tokenizer may be made of. The last line is for models that transformers itself has to run.
TOKENIZER_FILES = (
    *("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
    *("source.spm", "target.spm", "vocab.json", "target_vocab.json"),
    *("tokenizer.json", "sentencepiece.bpe.model"),
    *("spiece.model", "tokenizer.model", "merges.txt", "vocab.txt", "vocab-src.json", "vocab-tgt.json"),
)
# Any of these is enough to make text into tokens.
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
# In the order of preference: one file, or an index that names the parts.
WEIGHTS = (
    ("model.safetensors", "model.safetensors.index.json"),
    ("pytorch_model.bin", "pytorch_model.bin.index.json"),
)

# What the hub takes for a name: words, with single dots and hyphens inside of them.
_WORD = r"\w+(?:[.-]\w+)*"
_REPOSITORY = re.compile(rf"(?=.{{1,96}}$){_WORD}(?:/{_WORD})?(?<!\.git)", re.ASCII)
_LISTED = 12  # file names that an error repeats


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """The files of one model, all of them on this disk."""

    name: str
    """As the user called it: a path, or the name of a repository."""
    path: Path
    weights: tuple[Path, ...]
    """One file, or the parts in the order of their names; all `.safetensors` or all `.bin`."""
    commit: str | None = None
    """For a model of the hub: the commit that the files belong to."""
    languages: tuple[str | None, str | None] | None = None
    """Source and target of a bilingual model, where they are known by other means than files and names."""

    def file(self, name: str) -> Path | None:
        """The path of a file of the model, or None where there is no such file."""
        path = self.path / name
        return path if path.is_file() else None

    def digest(self) -> str:
        """Stands for all that the model's outputs depend on: the commit, or a hash of the contents."""
        if self.commit is not None:
            return self.commit
        found = (self.file(name) for name in (CONFIG, GENERATION_CONFIG, *TOKENIZER_FILES))
        parts = sorted({*self.weights, *(path for path in found if path is not None)})
        lines = (f"{path.name} {_digest(path)}\n" for path in parts)
        return hashlib.sha256("".join(lines).encode()).hexdigest()[:12]


def resolve(name_or_path: str, revision: str | None = None) -> ModelFolder:
    """The files of a model: a folder by its path, or a repository of the hub by its name.

    The hub is asked only for what its cache on this disk does not hold.
    """
    path = _existing(name_or_path)
    if path is not None and path.is_dir():
        if revision is not None:
            raise ModelError(f"{name_or_path}: a folder has no revision; leave out {revision}")
        return local_folder(name_or_path, path)
    if path is not None:
        raise ModelError(f"{name_or_path}: a file; give the folder that holds the model")
    if not _REPOSITORY.fullmatch(name_or_path):
        raise ModelError(
            f'"{name_or_path}": there is no such folder, nor can this be the name of a model on the hub, '
            "as Helsinki-NLP/opus-mt-en-de is"
        )
    from mtprobe.engine.checkpoints.huggingface.remote import fetch

    snapshot = fetch(name_or_path, revision)
    return ModelFolder(name_or_path, snapshot, find_weights(snapshot), commit=snapshot.name)


def _existing(name: str) -> Path | None:
    """The path that a name may be, if something is there."""
    try:
        path = Path(name).expanduser()
        return path if name and path.exists() else None
    except (OSError, RuntimeError, ValueError):  # too long, no such home, a NUL
        return None


def local_folder(name: str, path: Path) -> ModelFolder:
    """The model in a folder; a `ModelError` lists what is there where it is not one."""
    if not (path / CONFIG).is_file():
        hint = "; give the folder below its snapshots/" if (path / "snapshots").is_dir() else ""
        raise ModelError(f"{path}: there is no {CONFIG}, so this is not the folder of a model{hint}")
    return ModelFolder(name, path, find_weights(path))


def find_weights(path: Path) -> tuple[Path, ...]:
    """The files that hold the weights; a missing one is a `ModelError`."""
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
    names = sorted(entry.name for entry in path.iterdir())
    raise ModelError(f"{path}: neither {' nor '.join(one for one, _ in WEIGHTS)}; there is {_some(names)}")


def lacks(path: Path) -> str | None:
    """What a folder lacks to be a model, in words, or None."""
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
    names = read_json(index).get("weight_map")
    if not isinstance(names, dict) or not names or not all(isinstance(name, str) for name in names.values()):
        raise ModelError(f'{index}: "weight_map" does not say which file holds which tensor')
    parts = [index.parent / name for name in sorted(set(names.values()))]
    for part in parts:
        if part.parent != index.parent or part.suffix != index.suffixes[-3]:
            raise ModelError(f'{index}: "weight_map" names {part.name}, which cannot hold its weights')
        if not part.is_file():
            raise ModelError(f"{part}: the file is missing; {index.name} says that it holds weights")
    return tuple(parts)


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:_LISTED] + ["…"] * (len(listed) > _LISTED)) or "nothing"


def _digest(path: Path) -> str:
    try:
        facts = path.stat()
        return _digest_of_content(path, facts.st_size, facts.st_mtime_ns)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None


@functools.cache
def _digest_of_content(path: Path, size: int, changed: int) -> str:  # noqa: ARG001 - they tell contents apart
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
