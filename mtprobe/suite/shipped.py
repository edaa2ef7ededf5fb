"""The shipped suites: a folder in the installed package, or `suites/` in a source tree.

Their names are those of the folders and files: `gender`, `gender/occupations`, and `all`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from mtprobe import SHIPPED, SUITE_SUFFIXES
from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.suite.find import suite_files

ALL = "all"
_PACKAGED = "/mtprobe/shipped/"
_PACKAGE = Path(__file__).parents[1]


def shipped_folder() -> Path:
    """The folder of all shipped suites."""
    packaged = _PACKAGE / "shipped"  # setup.py puts it into the wheel
    return packaged if packaged.is_dir() else _PACKAGE.parent / "suites"


def shipped_names() -> dict[str, Path]:
    """The names of folders and suites, with their paths, and `all`."""
    root = shipped_folder()
    names = {ALL: root}
    for path in suite_files([root]):
        for folder in reversed(path.relative_to(root).parents[:-1]):
            names.setdefault(folder.as_posix(), root / folder)
        names[shipped_name(path)] = path
    return names


def shipped_name(path: Path) -> str:
    """The name of a shipped suite, as in `gender/occupations`."""
    return _without_suffix(path.relative_to(shipped_folder()).as_posix())


@lru_cache(maxsize=1_000)
def shown_path(path: str) -> str:
    """A suite's path for people: `mtprobe:gender/neutral.mt.yaml` if it is shipped, wherever mtprobe is installed."""
    _, packaged, name = path.replace("\\", "/").rpartition(_PACKAGED)
    if packaged:
        return f"{SHIPPED}{name}"
    root = shipped_folder()
    return f"{SHIPPED}{Path(path).relative_to(root).as_posix()}" if Path(path).is_relative_to(root) else path


def shipped_suite(name: str) -> Path:
    """The path of a shipped suite (`gender/occupations`), of a folder of suites (`gender`) or of all shipped suites (`all`)."""
    names = shipped_names()
    key = _without_suffix(name.strip().strip("/"))
    if key not in names:
        folders = [name for name, path in names.items() if path.is_dir() and "/" not in name]
        raise MtprobeError(
            f'there is no shipped suite "{name}"{did_you_mean(key, names)} '
            f"(`mtprobe suites` lists them: {', '.join(folders)})"
        )
    return names[key]


def copy_shipped(name: str, into: Path, *, force: bool = False) -> list[Path]:
    """Copies a shipped suite, or a folder of them, with all files that a suite there names; gives the new files.

    Folders are kept: `gender` becomes `INTO/gender`. Nothing is copied if a file exists, unless `force` is set.
    """
    root, source = shipped_folder(), shipped_suite(name)
    if source.is_dir():
        files = sorted(path for path in source.rglob("*") if path.is_file())
    else:
        files = [source, *sorted(set(_named_files(source)))]
    copies = {path: into / path.relative_to(root) for path in files}
    taken = [copy for copy in copies.values() if copy.exists()]
    if taken and not force:
        more = f" (and {len(taken) - 1} more)" if len(taken) > 1 else ""
        raise MtprobeError(f"{taken[0]} exists already{more}; nothing was copied: --force replaces it")
    for path, copy in copies.items():
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return list(copies.values())


def _named_files(suite: Path) -> Iterator[Path]:
    """Data files, labels and audit sentences: files of its folder that the suite names anywhere."""
    from mtprobe.suite.parsing.tree import read_tree

    for text in _texts(read_tree(suite).value):
        if text.strip() and "\n" not in text and len(text) < 200 and (suite.parent / text).is_file():
            yield suite.parent / text


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _without_suffix(name: str) -> str:
    return next((name.removesuffix(suffix) for suffix in SUITE_SUFFIXES if name.endswith(suffix)), name)
