"""What mkdocs calls while it builds the site: reference tables from mtprobe's own objects, and links out of docs/."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from mtprobe_docs.links import outside_pictures, to_repository
from mtprobe_docs.tables import TABLES

ROOT = Path(__file__).parents[2]
GENERATED = re.compile(r"^<!-- generated: ([\w-]+) -->$", re.MULTILINE)


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """The pictures of other folders that pages show."""
    for page in files.documentation_pages():
        for source, path in outside_pictures(page.content_string, page.src_uri, ROOT):
            if files.get_file_from_path(path) is None:
                files.append(File.generated(config, path, abs_src_path=str(source)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """A line `<!-- generated: NAME -->` becomes the table of that name. The home page needs no index beside it."""
    if page.is_homepage:
        page.meta["hide"] = ["navigation", "toc"]
    written = re.sub(r"^\|.*$", _bars_in_code, markdown, flags=re.MULTILINE)
    return to_repository(GENERATED.sub(_table, written), page.file.src_uri, ROOT)


def _bars_in_code(row: re.Match[str]) -> str:
    """GitHub needs a backslash before a bar in code in a table; the site would show it."""
    return re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), row[0])


def _table(mark: re.Match[str]) -> str:
    if mark[1] not in TABLES:
        raise ValueError(f'no table "{mark[1]}"; available: {", ".join(TABLES)}')
    return TABLES[mark[1]]()
