"""SentencePiece models: segmentation of text, and the information in their files about pieces and normalisation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mtprobe.engine.checkpoints.reading import (
    MOST_TOKENIZER_BYTES,
    library_errors,
    read_bytes,
    what_it_is_instead,
)
from mtprobe.engine.tokenizers.spans import Span, spans_of
from mtprobe.errors import ModelError

if TYPE_CHECKING:
    import sentencepiece


def _processor(path: Path, content: bytes) -> sentencepiece.SentencePieceProcessor:
    try:
        import sentencepiece
    except ImportError:
        raise ModelError(f"{path}: this file needs: pip install sentencepiece") from None
    what = f"{path}: not a usable SentencePiece model"
    if instead := what_it_is_instead(content):
        raise ModelError(what + instead)
    with library_errors(what):
        processor = sentencepiece.SentencePieceProcessor()
        processor.load_from_serialized_proto(content)
    return processor


class SentencePieces:
    """One SentencePiece model."""

    def __init__(self, path: Path) -> None:
        self._path, self._content = path, read_bytes(path, MOST_TOKENIZER_BYTES)
        self._processor = _processor(path, self._content)

    def cut(self, text: str) -> list[str]:
        """Segments a text into pieces."""
        pieces: list[str] = self._processor.encode(text, out_type=str)
        return pieces

    def join(self, pieces: Sequence[str]) -> str:
        """Joins pieces into a text."""
        text: str = self._processor.decode_pieces(list(pieces))
        return text

    def pieces(self) -> list[tuple[str, float]]:
        """Every piece with its score, in the order of their ids."""
        processor = self._processor
        return [
            (processor.id_to_piece(id), processor.get_score(id)) for id in range(processor.get_piece_size())
        ]

    def character_map(self) -> bytes | None:
        """The model's compiled map for normalising characters."""
        for field, spec in _fields(self._content):
            if field == _NORMALIZER_SPEC:
                return next(
                    (value for name, value in _fields(spec) if name == _CHARACTER_MAP and value), None
                )
        return None


class SentencePieceVocabulary:
    """A vocabulary of a Bergamot model. `end` is the EOS token."""

    def __init__(self, path: Path) -> None:
        self._processor = _processor(path, read_bytes(path, MOST_TOKENIZER_BYTES))
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
    """The `Tokenizer` of a Bergamot model."""

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


# The file is a protocol buffer. Only this part of its schema, sentencepiece_model.proto, is needed; reading it here
# avoids loading the schema, which must not be registered twice in a process.
_NORMALIZER_SPEC = 3
_CHARACTER_MAP = 2
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """The number and content of each length-delimited field."""
    position = 0
    while position < len(message):
        key, position = _varint(message, position)
        field, kind = key >> 3, key & 7
        if kind == _VARINT:
            _, position = _varint(message, position)
        elif kind == _BYTES:
            size, position = _varint(message, position)
            yield field, message[position : position + size]
            position += size
        elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
            position += 8 if kind == _EIGHT_BYTES else 4
        else:
            return  # a deprecated group; nothing that we need follows one


def _varint(message: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while position < len(message) and shift < 64:
        byte = message[position]
        value |= (byte & 0x7F) << shift
        position, shift = position + 1, shift + 7
        if byte < 0x80:
            break
    return value, position
