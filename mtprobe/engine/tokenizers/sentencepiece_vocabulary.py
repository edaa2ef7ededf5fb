"""The SentencePiece vocabularies of a Bergamot model: text to token ids and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mtprobe.engine.tokenizers.spans import Span, spans_of
from mtprobe.errors import ModelError


class SentencePieceVocabulary:
    """A vocabulary. `end` is the EOS token."""

    def __init__(self, path: Path) -> None:
        import sentencepiece

        try:
            self._processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
        except (RuntimeError, OSError) as error:
            raise ModelError(f"{path}: not a usable SentencePiece vocabulary: {error}") from None
        self.size: int = self._processor.get_piece_size()
        self.end: int = self._processor.eos_id()
        if self.end < 0:
            raise ModelError(f"{path}: the vocabulary has no EOS token")

    def encode(self, text: str) -> tuple[int, ...]:
        """The tokens of a text, without EOS; raises `UnicodeError` for lone surrogates."""
        text.encode()  # SentencePiece's own error for lone surrogates is unintelligible
        return tuple(self._processor.encode(text))

    def spans(self, text: str) -> list[Span]:
        """The span of each of these tokens in the text."""
        return spans_of(self._processor.encode(text, out_type=str), text)

    def decode(self, tokens: Sequence[int]) -> str:
        text: str = self._processor.decode(list(tokens))
        return text


@dataclass(frozen=True, slots=True)
class BergamotTokenizer:
    """A `Tokenizer`."""

    source: SentencePieceVocabulary
    target: SentencePieceVocabulary
    prefix: tuple[int, ...]

    def source_ids(self, text: str) -> list[int]:
        return [*self.source.encode(text), self.source.end]

    def target_ids(self, text: str) -> list[int]:
        return [*self.target.encode(text), self.target.end]

    def source_spans(self, text: str) -> list[Span | None]:
        return [*self.source.spans(text), None]

    def target_spans(self, text: str) -> list[Span | None]:
        return [*self.target.spans(text), None]

    def text(self, ids: Sequence[int]) -> str:
        return self.target.decode(ids)
