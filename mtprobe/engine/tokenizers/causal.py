"""The tokenizers of language models: tokenizer.json, run by the package `tokenizers`."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from mtprobe.engine.checkpoints.huggingface.files import TOKENIZER_FILES, ModelFolder
from mtprobe.engine.checkpoints.reading import MOST_TOKENIZER_BYTES, library_errors, read_json
from mtprobe.engine.runtime.installed import pip_install
from mtprobe.engine.tokenizers.spans import Span
from mtprobe.errors import ModelError

FILE = "tokenizer.json"


@dataclass(frozen=True)
class CausalTokenizer:
    """Texts with lone surrogates raise `UnicodeError`."""

    _tokenizer: Any
    start: int | None
    """The token before the first one of a plain text, if the tokenizer adds one."""
    _after: int = 0
    """How many tokens it adds after the last one. They are omitted, since prompts are to be continued."""

    @property
    def size(self) -> int:
        return int(self._tokenizer.get_vocab_size(with_added_tokens=True))

    def ids(self, text: str, *, special: bool) -> tuple[int, ...]:
        """The tokens of a text; `special`: with those that the tokenizer adds before it, such as the start of a text."""
        text.encode()
        ids = self._tokenizer.encode(text, add_special_tokens=special).ids
        return tuple(ids[: len(ids) - self._after] if special else ids)

    def spans(self, text: str, *, special: bool) -> list[Span]:
        """The span of each token in the text, without the spaces around it."""
        offsets = self._tokenizer.encode(text, add_special_tokens=special).offsets
        spans = []
        for start, end in offsets[: len(offsets) - self._after] if special else offsets:
            piece = text[start:end]
            left = len(piece) - len(piece.lstrip())
            spans.append((start + left, start + left + len(piece.strip())))
        return spans

    def text(self, ids: Sequence[int]) -> str:
        """The text of tokens, without special ones."""
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=True))

    def id_of(self, token: str) -> int | None:
        id: int | None = self._tokenizer.token_to_id(token)
        return id

    def beginning_with(self, text: str) -> list[int]:
        """All tokens whose text begins with this one."""
        return [
            id
            for id in range(self.size)
            if self._tokenizer.decode([id], skip_special_tokens=False).startswith(text)
        ]


def open_causal_tokenizer(folder: ModelFolder, cache_root: Path | None) -> CausalTokenizer:
    """Raises `ModelError` if the tokenizer is missing or damaged.

    One that has no tokenizer.json is converted by transformers, once if there is a cache.
    """
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise ModelError(f"{folder.name} needs tokenizers: {pip_install('hf')}") from None
    path = folder.file(FILE) or _converted(folder, cache_root)
    read_json(path, MOST_TOKENIZER_BYTES)  # clearer errors than the package's
    with library_errors(f"{path}: not a usable tokenizer"):
        tokenizer = Tokenizer.from_file(str(path))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        plain = tokenizer.encode("a", add_special_tokens=False).ids
        added = tokenizer.encode("a", add_special_tokens=True).ids
    start = added[0] if len(added) > len(plain) and added[0] not in plain else None
    before = next((place for place in range(len(added)) if added[place : place + len(plain)] == plain), 0)
    return CausalTokenizer(tokenizer, start, max(0, len(added) - before - len(plain)))


def _converted(folder: ModelFolder, cache_root: Path | None) -> Path:
    """The tokenizer.json of a tokenizer in another format."""
    if not any(folder.file(name) for name in TOKENIZER_FILES if not name.endswith("config.json")):
        raise ModelError(f"{folder.path}: there is no {FILE}, nor another tokenizer")
    key = "-".join(("tokenizer", folder.tokenizer_key()[1]))
    parent = cache_root.with_name("tokenizers") if cache_root else Path(mkdtemp(prefix="mtprobe-tokenizer-"))
    target = parent / key
    if (target / FILE).is_file():
        return target / FILE
    try:
        import transformers
    except ImportError:
        raise ModelError(
            f"{folder.path}: there is no {FILE}; converting another tokenizer needs transformers, once: "
            'pip install "mtprobe[torch]"'
        ) from None
    with library_errors(f"{folder.path}: transformers cannot read its tokenizer"):
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(folder.path), local_files_only=True, trust_remote_code=False
        )
        if not tokenizer.is_fast:
            raise ModelError(f"{folder.path}: its tokenizer cannot be converted to {FILE}")
        parent.mkdir(parents=True, exist_ok=True)
        part = Path(mkdtemp(prefix=f".{key}.", suffix=".part", dir=parent))
        tokenizer.save_pretrained(str(part))
        try:
            part.rename(target)
        except OSError:
            shutil.rmtree(part, ignore_errors=True)
    return target / FILE
