"""The blocks of code in README and docs, with what the HTML comment before each says about it.

| comment | meaning |
|---|---|
| `<!-- run -->`, `<!-- run: exit 1 -->` | the test runs it and expects this exit code (0, if there is none) |
| `<!-- not run: REASON -->` | the test does not run it |
| `<!-- file: NAME -->`, `<!-- append: NAME -->` | its content is written, or added, to a file that later blocks use |
| `<!-- continues: PAGE -->` | at the top of a page: it starts with the files that the other page leaves |
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "suites" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHELL = ("sh", "bash", "console", "shell")
_BLOCK = re.compile(
    r"(?:^[ ]*<!-- (?P<kind>run|not run|file|append)(?:: (?P<detail>.+?))? -->\n)?"
    r"^(?P<indent>[ ]*)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
_INDENTED = re.compile(r"^ {4,}(?:\$ )?(?:pytest|mtprobe|pip|make|echo|printf|export) .*$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    page: Path
    line: int
    language: str
    text: str
    kind: str  # of the comment: run, not run, file or append; empty without one
    detail: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def is_shell(self) -> bool:
        return self.language in SHELL

    @property
    def exit_codes(self) -> set[int]:
        return {int(code) for code in re.findall(r"\d+", self.detail)} or {0}


def blocks_of(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        indent = found["indent"]
        content = "".join(line.removeprefix(indent) for line in found["text"].splitlines(keepends=True))
        line = text[: found.start()].count("\n") + 1
        yield Block(page, line, found["language"], content, found["kind"] or "", found["detail"] or "")


def continued(page: Path) -> Path | None:
    """The page whose files this one needs."""
    found = re.search(r"^<!-- continues: (.+) -->$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return page.parent / found[1] if found else None


def indented_commands(page: Path) -> list[str]:
    """Commands in blocks that are not fenced, which no comment could mark."""
    text = _BLOCK.sub(lambda found: "\n" * found[0].count("\n"), page.read_text(encoding="utf-8"))
    return [
        f"{page.relative_to(ROOT)}:{text[: found.start()].count(chr(10)) + 1}: {found[0].strip()}"
        for found in _INDENTED.finditer(text)
    ]
