"""Converts text to the tokens of a CTranslate2 model, which are strings, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from mtprobe.backends import ModelError, SentencePieces, Tokenizer, language_code, sentence_pieces

END = "</s>"


class Tokens(Protocol):
    """For one direction. A text that contains a lone surrogate raises a `UnicodeError`."""

    @property
    def prefix(self) -> Sequence[str]:
        """The first tokens of the decoder, without its start token."""

    def source(self, text: str) -> list[str]:
        """The input of the encoder."""

    def target(self, text: str) -> list[str]:
        """The scored tokens, without the end of the sentence, which CTranslate2 adds."""

    def text(self, tokens: Sequence[str]) -> str:
        """The text of a translation."""


class HubTokens:
    """The tokens of the Hugging Face model that was converted: its ids are indices into the vocabularies."""

    def __init__(self, tokenizer: Tokenizer, sources: Sequence[str], targets: Sequence[str]) -> None:
        self._tokenizer, self._sources, self._targets = tokenizer, sources, targets
        self._ids = {token: id for id, token in enumerate(targets)}
        self.prefix = [targets[id] for id in tokenizer.prefix[1:]]

    def source(self, text: str) -> list[str]:
        return [self._sources[id] for id in self._tokenizer.source_ids(text)]

    def target(self, text: str) -> list[str]:
        return [self._targets[id] for id in self._tokenizer.target_ids(text)[:-1]]

    def text(self, tokens: Sequence[str]) -> str:
        return self._tokenizer.text([self._ids[token] for token in tokens])


@dataclass(frozen=True, slots=True)
class PieceTokens:
    """SentencePiece's own pieces; the model maps those that are not in its vocabulary to the unknown token."""

    source_pieces: SentencePieces
    target_pieces: SentencePieces
    before: Sequence[str] = ()  # such as `>>de<<`
    after: Sequence[str] = ()
    prefix: Sequence[str] = ()

    def source(self, text: str) -> list[str]:
        text.encode()  # SentencePiece's own error would be unintelligible
        return [*self.before, *self.source_pieces.cut(text), *self.after]

    def target(self, text: str) -> list[str]:
        text.encode()
        return self.target_pieces.cut(text)

    def text(self, tokens: Sequence[str]) -> str:
        return self.target_pieces.join(tokens).replace("▁", " ").strip()


def tokenizer_files(folder: Path) -> tuple[Path, Path]:
    """The SentencePiece models for source and target; twice the same if there is only one."""
    pair = folder / "source.spm", folder / "target.spm"
    if all(path.is_file() for path in pair):
        return pair
    files = sorted(path for pattern in ("*.spm", "*.model") for path in folder.glob(pattern))
    if len(files) == 1:
        return files[0], files[0]
    names = ", ".join(path.name for path in files)
    problem = f"{names} could each be the tokenizer." if files else "there is no SentencePiece model."
    raise ModelError(
        f"{folder}: {problem} Convert the model with --copy_files source.spm target.spm, "
        "or name the model that was converted: tokenizer=NAME_OR_PATH"
    )


def piece_tokens(folder: Path, config: dict[str, Any], target: str) -> PieceTokens:
    """Tokens by the files in the folder; the README describes the special tokens around them."""
    source_path, target_path = tokenizer_files(folder)
    pieces = sentence_pieces(source_path)
    if source_path == target_path:
        return PieceTokens(pieces, pieces)
    before = _language_token(folder, target)
    after = () if config.get("add_source_eos") else (str(config.get("eos_token") or END),)
    return PieceTokens(pieces, sentence_pieces(target_path), before, after)


def vocabularies(folder: Path) -> tuple[list[str], list[str]]:
    """The source and target tokens, in the order of their ids."""
    shared = _vocabulary(folder, "shared_vocabulary")
    if shared is not None:
        return shared, shared
    source, target = (_vocabulary(folder, name) for name in ("source_vocabulary", "target_vocabulary"))
    if source is None or target is None:
        raise ModelError(f"{folder}: neither a shared vocabulary nor separate source and target vocabularies")
    return source, target


def _vocabulary(folder: Path, name: str) -> list[str] | None:
    """JSON; one token per line in models that were converted before 2023."""
    path = folder / f"{name}.json"
    try:
        if path.is_file():
            words = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
                raise ModelError(f"{path}: not a list of tokens")
            return words
        old = folder / f"{name}.txt"
        return old.read_text(encoding="utf-8").removesuffix("\n").split("\n") if old.is_file() else None
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: not a usable vocabulary: {error}") from None


def _language_token(folder: Path, target: str) -> tuple[str, ...]:
    """`>>de<<` for a model with several target languages."""
    words, _ = vocabularies(folder)
    codes = [word[2:-2] for word in words if word.startswith(">>") and word.endswith("<<")]
    return (f">>{language_code(str(folder), target, codes)}<<",) if codes else ()
