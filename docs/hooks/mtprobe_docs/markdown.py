"""Tables and anchors in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells may contain Markdown; a vertical bar in one, outside code, is escaped."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def sentence(text: str) -> str:
    """With a capital and a full stop; a name such as `group_error` at its beginning is code, and keeps its letters."""
    text = text.strip()
    name = text.partition(" ")[0]
    text = (
        f"`{name}`{text[len(name) :]}" if "_" in name and name.isidentifier() else text[:1].upper() + text[1:]
    )
    return text if not text or text.endswith((".", "?", "!", ":")) else f"{text}."


def escaped(text: str) -> str:
    """Signs of HTML outside code are text."""
    parts = text.split("`")
    return "`".join(part if index % 2 else part.replace("<", "&lt;") for index, part in enumerate(parts))


def _cell(text: str) -> str:
    """A bar in code is not escaped: the site would show the backslash."""
    parts = escaped(text).replace("\\|", "|").split("`")
    cell = "`".join(part if index % 2 else part.replace("|", "\\|") for index, part in enumerate(parts))
    return " ".join(cell.split())
