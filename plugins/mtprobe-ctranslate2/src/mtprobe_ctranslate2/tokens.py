"""Text to the tokens of a CTranslate2 model, which are pieces of text, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from mtprobe.engine.checkpoints.huggingface.reading import what_it_is_instead
from mtprobe.engine.tokenizers.huggingface import Tokenizer
from mtprobe.engine.tokenizers.languages import choose, codes_of, not_a_language_of
from mtprobe.engine.tokenizers.sentencepieces import SentencePieces
from mtprobe.errors import ModelError

END = "</s>"


class Tokens(Protocol):
    """For one direction. A text with half a surrogate pair is no text, but a `UnicodeError`."""

    @property
    def prefix(self) -> Sequence[str]:
        """What the decoder is given before the first token, but for its start."""

    def source(self, text: str) -> list[str]:
        """What the encoder is given."""

    def target(self, text: str) -> list[str]:
        """What is scored, without the end of the sentence, which CTranslate2 adds."""

    def text(self, tokens: Sequence[str]) -> str:
        """The text of a translation."""


class HubTokens:
    """The tokens of the Hugging Face model that was converted: its ids are places in the vocabularies."""

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
    """Pieces as SentencePiece cuts them; the model makes unknown what its vocabulary does not have."""

    source_pieces: SentencePieces
    target_pieces: SentencePieces
    before: Sequence[str] = ()  # as `>>de<<`
    behind: Sequence[str] = ()
    prefix: Sequence[str] = ()

    def source(self, text: str) -> list[str]:
        text.encode()  # SentencePiece would say something unintelligible
        return [*self.before, *self.source_pieces.cut(text), *self.behind]

    def target(self, text: str) -> list[str]:
        text.encode()
        return self.target_pieces.cut(text)

    def text(self, tokens: Sequence[str]) -> str:
        return self.target_pieces.join(tokens).replace("▁", " ").strip()


def tokenizer_files(folder: Path) -> tuple[Path, Path]:
    """The SentencePiece models of a folder, for source and target; the same where there is but one."""
    pair = folder / "source.spm", folder / "target.spm"
    if all(path.is_file() for path in pair):
        return pair
    found = sorted(path for pattern in ("*.spm", "*.model") for path in folder.glob(pattern))
    if len(found) == 1:
        return found[0], found[0]
    names = ", ".join(path.name for path in found)
    raise ModelError(
        f"{folder}: {f'which of {names} is for what?' if found else 'there is no SentencePiece model'} Convert it with "
        "--copy_files source.spm target.spm, or name the model that was converted: tokenizer=NAME_OR_PATH"
    )


def piece_tokens(folder: Path, config: dict[str, Any], target: str) -> PieceTokens:
    """Tokens by the files in the folder; see the README for what stands around them."""
    source_path, target_path = tokenizer_files(folder)
    pieces = SentencePieces(source_path)
    if source_path == target_path:
        return PieceTokens(pieces, pieces)
    before = _language_token(folder, target)
    behind = () if config.get("add_source_eos") else (str(config.get("eos_token") or END),)
    return PieceTokens(pieces, SentencePieces(target_path), before, behind)


def vocabularies(folder: Path) -> tuple[list[str], list[str]]:
    """The tokens of source and target, in the order of their ids."""
    shared = _vocabulary(folder, "shared_vocabulary")
    if shared is not None:
        return shared, shared
    sides = [_vocabulary(folder, name) for name in ("source_vocabulary", "target_vocabulary")]
    if sides[0] is None or sides[1] is None:
        raise ModelError(f"{folder}: neither a shared vocabulary nor one of the source and one of the target")
    return sides[0], sides[1]


def _vocabulary(folder: Path, name: str) -> list[str] | None:
    """JSON; a token a line in models that were converted before 2023."""
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
        instead = what_it_is_instead(path.read_bytes()[:64]) if path.is_file() else ""
        raise ModelError(f"{path}: not a usable vocabulary{instead or f': {error}'}") from None


def _language_token(folder: Path, target: str) -> tuple[str, ...]:
    """`>>de<<` for a model into several languages."""
    words, _ = vocabularies(folder)
    codes = codes_of(word[2:-2] for word in words if word.startswith(">>") and word.endswith("<<"))
    if not codes:
        return ()
    code = choose(target, codes)
    if code is None:
        raise not_a_language_of(str(folder), target, codes)
    return (f">>{code}<<",)
