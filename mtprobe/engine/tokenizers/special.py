"""The special and added tokens of a tokenizer, as its configuration files tell them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.checkpoints.huggingface.reading import read_json, read_json_if_there
from mtprobe.errors import ModelError

TOKENIZER_CONFIG = "tokenizer_config.json"

# What transformers' `clean_up_tokenization_spaces` does.
_TIDIED = {
    **{f" {sign}": sign for sign in ".?!,"},
    " ' ": "'",
    **{f" {ending}": ending for ending in ("n't", "'m", "'s", "'ve", "'re")},
}


@dataclass(frozen=True, slots=True)
class AddedToken:
    """A token that is found in a text before the text is cut into pieces."""

    content: str
    eats_left: bool = False
    """Whether it takes the spaces on its left side with it."""
    eats_right: bool = False


@dataclass(frozen=True, slots=True)
class SpecialTokens:
    """Which tokens stand outside of the pieces of a vocabulary."""

    named: Mapping[str, str]
    """By their role: `eos_token` and so on."""
    ids: Mapping[str, int]
    """Of all added tokens, special or not."""
    skipped: frozenset[int]
    """Those that are no text."""
    special: frozenset[str]
    tidy: bool
    _added: Mapping[str, AddedToken]
    _pattern: re.Pattern[str]

    def split(self, text: str) -> list[str]:
        """The text cut at its added tokens; those are parts of their own."""
        parts = self._pattern.split(text)
        for at in range(1, len(parts), 2):
            token = self._added[parts[at]]
            if token.eats_left:
                parts[at - 1] = parts[at - 1].rstrip()
            if token.eats_right:
                parts[at + 1] = parts[at + 1].lstrip()
        return [part for part in parts if part]


def read_special_tokens(
    folder: ModelFolder, defaults: Mapping[str, str], vocabulary: Mapping[str, int]
) -> SpecialTokens:
    """As transformers puts them together. Special tokens that the vocabulary lacks get ids behind it."""
    config = read_json_if_there(folder.file(TOKENIZER_CONFIG))
    explicit = config.get("added_tokens_decoder")
    old = {} if explicit is not None else read_json_if_there(folder.file("special_tokens_map.json"))
    says = {**config, **old}
    named = {**defaults, **{name: _content(value) for name, value in says.items() if _is_role(name, value)}}
    extra = says.get("extra_special_tokens") or says.get("additional_special_tokens") or []
    more = extra.values() if isinstance(extra, dict) else extra if isinstance(extra, list) else ()
    special = [content for content in (*named.values(), *map(_content, more)) if content]
    added = _added(folder, explicit)
    ids = {token.content: id for id, token in added.items()}
    tokens = {token.content: token for token in added.values()}
    following = len({**vocabulary, **ids})
    for content in dict.fromkeys(special):
        if content in ids:
            continue
        tokens[content] = AddedToken(content)
        ids[content] = vocabulary.get(content, following)
        following += content not in vocabulary
    return SpecialTokens(
        named=named,
        ids=ids,
        skipped=frozenset(ids[content] for content in special),
        special=frozenset(special),
        tidy=config.get("clean_up_tokenization_spaces") is True,
        _added=tokens,
        _pattern=re.compile(f"({'|'.join(map(re.escape, sorted(tokens, key=len, reverse=True)))})"),
    )


def tidied(text: str) -> str:
    """Takes the spaces away that some tokenizers leave before punctuation."""
    for untidy, tidy in _TIDIED.items():
        text = text.replace(untidy, tidy)
    return text


def read_vocabulary(path: Path) -> dict[str, int]:
    """vocab.json: the id of each piece."""
    found = read_json(path)
    if not found or not all(type(id) is int and id >= 0 for id in found.values()):
        raise ModelError(f"{path}: not a vocabulary: every piece must have a number")
    return found


def must_have(folder: ModelFolder, name: str) -> Path:
    """The path of a file that the tokenizer cannot do without."""
    path = folder.file(name)
    if path is None:
        raise ModelError(f"{folder.path / name}: the file is missing; the tokenizer needs it")
    return path


def _is_role(name: str, value: object) -> bool:
    return name.endswith("_token") and bool(_content(value))


def _content(token: object) -> str:
    if isinstance(token, dict):
        token = token.get("content")
    return token if isinstance(token, str) else ""


def _added(folder: ModelFolder, explicit: Any) -> dict[int, AddedToken]:
    if explicit is None:
        file = folder.file("added_tokens.json")
        found = read_vocabulary(file) if file is not None else {}
        return {id: AddedToken(content) for content, id in found.items()}
    try:
        return {
            int(id): AddedToken(token["content"], bool(token.get("lstrip")), bool(token.get("rstrip")))
            for id, token in explicit.items()
        }
    except (AttributeError, KeyError, TypeError, ValueError):
        path = folder.path / TOKENIZER_CONFIG
        raise ModelError(f'{path}: "added_tokens_decoder" does not give tokens by their ids') from None
