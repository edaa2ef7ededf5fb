"""SentencePiece models: what cuts text into pieces, and what can be read out of their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mtprobe.engine.checkpoints.huggingface.reading import what_it_is_instead
from mtprobe.errors import ModelError

if TYPE_CHECKING:
    import sentencepiece


class SentencePieces:
    """One SentencePiece model."""

    def __init__(self, path: Path) -> None:
        import sentencepiece

        self._path = path
        try:
            self._processor: sentencepiece.SentencePieceProcessor = sentencepiece.SentencePieceProcessor(
                model_file=str(path)
            )
        except (RuntimeError, OSError) as error:
            reason = what_it_is_instead(_start(path)) or f": {str(error).strip()}"
            raise ModelError(f"{path}: not a usable SentencePiece model{reason}") from None

    def cut(self, text: str) -> list[str]:
        """The pieces of a text."""
        pieces: list[str] = self._processor.encode(text, out_type=str)
        return pieces

    def join(self, pieces: Sequence[str]) -> str:
        """The text of pieces."""
        text: str = self._processor.decode_pieces(list(pieces))
        return text

    def pieces(self) -> list[tuple[str, float]]:
        """Every piece with its score, in the order of their ids."""
        processor = self._processor
        return [
            (processor.id_to_piece(id), processor.get_score(id)) for id in range(processor.get_piece_size())
        ]

    def character_map(self) -> bytes | None:
        """How the model normalises characters, in its own compiled form."""
        for field, spec in _fields(self._path.read_bytes()):
            if field == _NORMALIZER_SPEC:
                return next(
                    (value for name, value in _fields(spec) if name == _CHARACTER_MAP and value), None
                )
        return None


# The file is a protocol buffer. Of its schema, sentencepiece_model.proto, only this much is needed; reading
# it here spares the schema itself, which must not be registered twice in a process.
_NORMALIZER_SPEC = 3
_CHARACTER_MAP = 2
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """The number and the content of each field that holds bytes."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        field, kind = key >> 3, key & 7
        if kind == _VARINT:
            _, at = _varint(message, at)
        elif kind == _BYTES:
            size, at = _varint(message, at)
            yield field, message[at : at + size]
            at += size
        elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
            at += 8 if kind == _EIGHT_BYTES else 4
        else:
            return  # groups are of the past; nothing of ours stands behind one


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(message):
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            break
    return value, at


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(64)
    except OSError:
        return b""
