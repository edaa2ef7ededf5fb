"""The folder for a GGUF file: its configuration and tokenizer as transformers files, in the cache.

Converting the tokenizer needs transformers, once per file; later runs read the folder.
"""

from __future__ import annotations

import atexit
import json
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from mtprobe.engine.checkpoints.causal.gguf_file import SUFFIX, GgufFile, check_gguf
from mtprobe.engine.checkpoints.huggingface.files import CONFIG, GENERATION_CONFIG, ModelFolder
from mtprobe.engine.checkpoints.reading import file_digest, library_errors
from mtprobe.errors import ModelError

FORMAT = 2  # raise it with every change to what is written here
TOKENIZER = "tokenizer.json"


def is_gguf(path: Path) -> bool:
    return path.suffix.lower() == SUFFIX and path.is_file()


def find_gguf(path: Path) -> Path | None:
    """The GGUF file that a path means: itself, or the only one of a folder without a config.json."""
    if is_gguf(path):
        return path
    if not path.is_dir():
        if path.suffix.lower() == SUFFIX:
            raise ModelError(f"{path}: there is no such file")
        return None
    if (path / CONFIG).is_file():
        return None
    files = sorted(file for file in path.iterdir() if is_gguf(file))
    if len(files) > 1:
        raise ModelError(f"{path}: has {len(files)} GGUF files; name one, such as {files[0]}")
    return files[0] if files else None


def gguf_folder(name: str, path: Path, cache_root: Path | None) -> ModelFolder:
    """The model in a GGUF file; `cache_root` is where converted models are, if there is a cache."""
    check_gguf(path)
    digest = file_digest(path)
    if cache_root is None:
        folder = _converted_for_now(path, digest)
    else:
        folder = cache_root.with_name("gguf") / f"{digest[:32]}-{FORMAT}"
        if not (folder / TOKENIZER).is_file():
            _convert_into(path, folder)
    return ModelFolder(name, folder, (path,), contents=digest[:12])


@cache
def _converted_for_now(path: Path, digest: str) -> Path:  # noqa: ARG001 - part of the cache key
    folder = Path(mkdtemp(prefix="mtprobe-gguf-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _convert_into(path, folder / "model")
    return folder / "model"


def _convert_into(path: Path, folder: Path) -> None:
    file = GgufFile(path)
    settings = file.settings()
    try:
        import transformers
    except ImportError:
        raise ModelError(
            f"{path}: reading the tokenizer of a GGUF file needs transformers, once: "
            'pip install "mtprobe[gguf]"'
        ) from None
    with library_errors(f"{path}: transformers cannot read its tokenizer"):
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(path.parent), gguf_file=path.name, local_files_only=True, trust_remote_code=False
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(mkdtemp(prefix=f".{folder.name}.", suffix=".part", dir=folder.parent))
    try:
        tokenizer.save_pretrained(str(part))
        (part / CONFIG).write_text(json.dumps(settings, indent=2), encoding="utf-8")
        ends = {"eos_token_id": file.ends(tokenizer.eos_token_id)}
        (part / GENERATION_CONFIG).write_text(json.dumps(ends), encoding="utf-8")
        part.rename(folder)
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        if not (folder / TOKENIZER).is_file():  # otherwise another process was faster
            raise ModelError(f"{folder}: cannot be written: {error.strerror or error}") from None
