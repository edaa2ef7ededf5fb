"""Pages link to files outside docs/ by relative paths, which work in a checkout; the site needs other addresses for them."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

LINK = re.compile(
    r"(?P<picture>!?)(?P<text>\[[^]]*\]\()(?P<target>(?:\.\./)+[^)#\s]+)(?P<anchor>#[^)\s]*)?(?=\))"
)
PICTURES = "pictures"  # the site's folder for pictures of other folders


def outside_pictures(markdown: str, page: str, root: Path) -> Iterator[tuple[Path, str]]:
    """Pictures outside docs/ that the page shows: the file, and its path in the site."""
    for link in LINK.finditer(markdown):
        path = _outside(link["target"], page, root)
        if link["picture"] and path:
            yield root / path, f"{PICTURES}/{posixpath.basename(path)}"


def to_repository(markdown: str, page: str, root: Path) -> str:
    """Links that leave docs/ lead to the repository, and pictures to their copies.

    A link to a file that does not exist stays as it is, and mkdocs reports it.
    """
    url = _repository(root)

    def address(link: re.Match[str]) -> str:
        path = _outside(link["target"], page, root)
        if path is None:
            return link[0]
        if link["picture"]:
            copy = posixpath.relpath(f"{PICTURES}/{posixpath.basename(path)}", posixpath.dirname(page) or ".")
            return f"!{link['text']}{copy}"
        kind = "tree" if (root / path).is_dir() else "blob"
        return f"{link['text']}{url}/{kind}/main/{path}{link['anchor'] or ''}"

    return LINK.sub(address, markdown)


def _outside(target: str, page: str, root: Path) -> str | None:
    """The path from the repository's root, of an existing file or folder outside docs/."""
    path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))
    if path.startswith(("docs/", "..")) or not (root / path).exists():
        return None
    return path


def _repository(root: Path) -> str:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["urls"]["Repository"])
