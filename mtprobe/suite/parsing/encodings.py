"""Guesses the encoding of a file that is not UTF-8, for the error message."""

from __future__ import annotations

import codecs

_MARKS = (  # UTF-32's begins with UTF-16's
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_DOCUMENTS = (
    (b"PK\x03\x04", "a document of a word processor or a spreadsheet, or an archive"),
    (b"\xd0\xcf\x11\xe0", "a document of a word processor or a spreadsheet"),
    (b"{\\rtf", "a document of a word processor (RTF)"),
    (b"%PDF", "a PDF document"),
    (b"\x1f\x8b", "compressed"),
)
_EXAMINED = 4096  # bytes
_SAVE = "save it as UTF-8 (in an editor: Save as … with the encoding UTF-8)"


def not_plain_text(raw: bytes) -> str | None:
    """The message about a file that only looks like text in the program that wrote it; None if it is none of these."""
    kind = next((kind for mark, kind in _DOCUMENTS if raw.startswith(mark)), None)
    return f"the file is {kind}, not plain text; save it as plain text in UTF-8" if kind else None


def wide_encoding(raw: bytes) -> str | None:
    """`UTF-16` or `UTF-32` if the bytes begin with its mark, or have zeros as its ASCII letters do."""
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return name
    start = raw[:_EXAMINED]
    for width, name in ((4, "UTF-32"), (2, "UTF-16")):
        units = [start[at : at + width] for at in range(0, len(start) - width + 1, width)]
        zeros = b"\0" * (width - 1)
        if (
            len(units) > 1
            and sum(unit.endswith(zeros) or unit.startswith(zeros) for unit in units) > len(units) / 2
        ):
            return name
    return None


def wide_message(name: str) -> str:
    return f"the file is in {name}, not in UTF-8; {_SAVE}"


def byte_message(raw: bytes, at: int) -> str:
    """The message about a byte that UTF-8 does not have there."""
    character = raw[at : at + 1].decode("cp1252", "replace")
    looks = f', which in Windows-1252 and Latin-1 is "{character}"' if character.isprintable() else ""
    return f"not UTF-8 text: the byte 0x{raw[at]:02X}{looks}; {_SAVE}"


def decoding_message(raw: bytes, at: int) -> str:
    """The message about bytes that cannot be decoded at this place: the beginning of a file, or of a line."""
    wide = wide_encoding(raw)
    return not_plain_text(raw) or (wide_message(wide) if wide else byte_message(raw, at))
