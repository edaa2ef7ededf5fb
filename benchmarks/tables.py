"""Tables in Markdown, and the pages that they are written into."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = False) -> str:
    """With `numbers`, all columns but the first are aligned to the right."""
    rule = ["---", *["--:" if numbers else "---"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *rows))


def write(page: Path, name: str, text: str) -> None:
    """Replaces what the page has between `<!-- NAME -->` and `<!-- end of NAME -->`."""
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, has_start, rest = page.read_text(encoding="utf-8").partition(start)
    _, has_end, after = rest.partition(end)
    if not has_start or not has_end:
        raise SystemExit(f"{page} has no place for the table: {start} … {end}")
    page.write_text(f"{before}{start}\n\n{text}\n\n{end}{after}", encoding="utf-8")
