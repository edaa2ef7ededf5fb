"""The special and added tokens of a tokenizer, from its configuration files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.checkpoints.reading import MOST_TOKENIZER_BYTES, read_json, read_optional_json
from mtprobe.errors import ModelError

TOKENIZER_CONFIG = "tokenizer_config.json"
_MOST_DIGITS = 9  # of an id

# As in transformers' `clean_up_tokenization_spaces`.
_CLEANED_UP = {
    **{f" {sign}": sign for sign in ".?!,"},
    " ' ": "'",
    **{f" {ending}": ending for ending in ("n't", "'m", "'s", "'ve", "'re")},
}


@dataclass(frozen=True, slots=True)
class AddedToken:
    """A token that is matched in a text before the text is segmented."""

    content: str
    strips_left: bool = False
    """Whether it removes the spaces to its left."""
    strips_right: bool = False


@dataclass(frozen=True, slots=True)
class SpecialTokens:
    """The tokens that are not pieces of the vocabulary."""

    named: Mapping[str, str]
    """By role: `eos_token` and so on."""
    ids: Mapping[str, int]
    """Of all added tokens, special or not."""
    skipped: frozenset[int]
    """Ids that do not appear in text."""
    special: frozenset[str]
    cleans_up_spaces: bool
    _added: Mapping[str, AddedToken]
    _pattern: re.Pattern[str]

    def split(self, text: str) -> list[str]:
        """Splits a text at its added tokens, which become parts of their own."""
        parts = self._pattern.split(text)
        for index in range(1, len(parts), 2):
            token = self._added[parts[index]]
            if token.strips_left:
                parts[index - 1] = parts[index - 1].rstrip()
            if token.strips_right:
                parts[index + 1] = parts[index + 1].lstrip()
        return [part for part in parts if part]

    def cut(self, text: str, segment: Callable[[str], list[str]]) -> list[str]:
        """The pieces of a text; added tokens are pieces of their own."""
        text.encode()  # SentencePiece's own error for lone surrogates is unintelligible
        pieces: list[str] = []
        for part in self.split(text):
            pieces += [part] if part in self.ids else segment(part)
        return pieces

    def join(self, pieces: Iterable[str], join: Callable[[Sequence[str]], str], after: str = "") -> str:
        """Joins what is between special tokens; `after` follows each of these."""
        text, between = "", list[str]()
        for piece in pieces:
            if piece in self.special:
                text += f"{join(between)}{piece}{after}"
                between = []
            else:
                between.append(piece)
        return text + join(between)


def read_special_tokens(
    folder: ModelFolder, defaults: Mapping[str, str], vocabulary: Mapping[str, int]
) -> SpecialTokens:
    """The special tokens, collected as in transformers. Those that the vocabulary lacks get ids after it."""
    config = read_optional_json(folder.file(TOKENIZER_CONFIG))
    explicit = config.get("added_tokens_decoder")
    old = {} if explicit is not None else read_optional_json(folder.file("special_tokens_map.json"))
    settings = {**config, **old}
    roles = {
        name: _content(value)
        for name, value in settings.items()
        if name.endswith("_token") and _content(value)
    }
    named = {**defaults, **roles}
    extra = settings.get("extra_special_tokens") or settings.get("additional_special_tokens") or []
    extra_tokens = extra.values() if isinstance(extra, dict) else extra if isinstance(extra, list) else ()
    special = [content for content in (*named.values(), *map(_content, extra_tokens)) if content]
    added = _added(folder, explicit)
    ids = {token.content: id for id, token in added.items()}
    tokens = {token.content: token for token in added.values()}
    next_id = len({**vocabulary, **ids})
    for content in dict.fromkeys(special):
        if content in ids:
            continue
        tokens[content] = AddedToken(content)
        ids[content] = vocabulary.get(content, next_id)
        next_id += content not in vocabulary
    return SpecialTokens(
        named=named,
        ids=ids,
        skipped=frozenset(ids[content] for content in special),
        special=frozenset(special),
        cleans_up_spaces=config.get("clean_up_tokenization_spaces") is True,
        _added=tokens,
        _pattern=re.compile(f"({'|'.join(map(re.escape, sorted(tokens, key=len, reverse=True)))})"),
    )


def named_tokens(folder: ModelFolder) -> dict[str, str]:
    """The special tokens that a tokenizer's files name, by role: `bos_token`, `eos_token` and so on."""
    files = (folder.file("special_tokens_map.json"), folder.file(TOKENIZER_CONFIG))
    return {
        name: content
        for file in files
        for name, value in read_optional_json(file).items()
        if name.endswith("_token") and (content := _content(value))
    }


def clean_up_spaces(text: str) -> str:
    """Removes the spaces that some tokenizers leave before punctuation."""
    for original, replacement in _CLEANED_UP.items():
        text = text.replace(original, replacement)
    return text


def read_vocabulary(path: Path) -> dict[str, int]:
    """vocab.json: the id of each piece."""
    vocabulary = read_json(path, MOST_TOKENIZER_BYTES)
    if not vocabulary or not all(type(id) is int and id >= 0 for id in vocabulary.values()):
        raise ModelError(f"{path}: not a vocabulary: every piece must have a number")
    if "" in vocabulary:
        raise ModelError(f"{path}: not a vocabulary: a piece is empty")
    return vocabulary


def must_have(folder: ModelFolder, name: str) -> Path:
    """The path of a required file."""
    path = folder.file(name)
    if path is None:
        raise ModelError(f"{folder.path / name}: the file is missing; the tokenizer needs it")
    return path


def _content(token: object) -> str:
    if isinstance(token, dict):
        token = token.get("content")
    return token if isinstance(token, str) else ""


def _added(folder: ModelFolder, explicit: Any) -> dict[int, AddedToken]:
    if explicit is None:
        file = folder.file("added_tokens.json")
        vocabulary = read_vocabulary(file) if file is not None else {}
        return {id: AddedToken(content) for content, id in vocabulary.items()}
    try:
        return {_id(id): _added_token(token) for id, token in explicit.items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        path = folder.path / TOKENIZER_CONFIG
        raise ModelError(f'{path}: "added_tokens_decoder" does not map ids to tokens') from None


def _id(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        raise ValueError(text)
    return int(text)


def _added_token(token: Any) -> AddedToken:
    content = token["content"]
    if not isinstance(content, str) or not content:
        raise TypeError(content)
    return AddedToken(content, bool(token.get("lstrip")), bool(token.get("rstrip")))
