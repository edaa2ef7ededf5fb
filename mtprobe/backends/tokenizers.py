"""Tokenizers of published models, for plugins that run such models with an engine of their own.

mtprobe's engine implements them; it is loaded when one is opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol


class Tokenizer(Protocol):
    """The tokenizer for one translation direction. Text with a lone surrogate raises a `UnicodeError`."""

    @property
    def prefix(self) -> Sequence[int]:
        """The first tokens of the decoder: its start token, and a language token if the model needs one."""

    def source_ids(self, text: str) -> list[int]:
        """The input of the encoder, including the language token and the end of the sentence."""

    def target_ids(self, text: str) -> list[int]:
        """The scored tokens: those of the text and the end of the sentence."""

    def text(self, ids: Sequence[int]) -> str:
        """The text of tokens; special ones are skipped."""


class HubTokenizer(Protocol):
    """The tokenizer of a Hugging Face model, before the direction is known."""

    @property
    def digest(self) -> str:
        """Changes whenever tokens may change; for fingerprints."""

    @property
    def languages(self) -> tuple[str | None, str | None]:
        """Source and target of a bilingual model, as far as its files or its name give them."""

    def open(self, source: str, target: str) -> Tokenizer:
        """For one direction, as BCP 47 tags. A language that the model does not have is a `ModelError`."""


class SentencePieces(Protocol):
    """A SentencePiece model."""

    def cut(self, text: str) -> list[str]:
        """The pieces of a text."""

    def join(self, pieces: Sequence[str]) -> str:
        """The text of pieces."""


def hub_tokenizer(name_or_path: str) -> HubTokenizer:
    """The tokenizer of a model in a folder, which needs no weights, or on the hub."""
    tokenizer: HubTokenizer = _implementation().hub_tokenizer(name_or_path)
    return tokenizer


def sentence_pieces(path: Path) -> SentencePieces:
    """The SentencePiece model in a file; a damaged one is a `ModelError`."""
    pieces: SentencePieces = _implementation().SentencePieces(path)
    return pieces


def language_code(model: str, language: str, codes: Iterable[str]) -> str:
    """The best match for a BCP 47 tag among a model's own language codes (`deu`, `pt_br`, `zho_Hans`).

    If none fits, the `ModelError` names the model and the codes that come close.
    """
    code: str = _implementation().language_code(model, language, codes)
    return code


def _implementation() -> Any:
    return import_module("mtprobe.engine.tokenizers.for_plugins")
