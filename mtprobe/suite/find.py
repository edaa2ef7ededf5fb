"""Finds suites among files and folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from mtprobe import SUITE_SUFFIXES
from mtprobe.errors import MtprobeError
from mtprobe.system.named import is_folder, is_there


def is_suite(path: Path) -> bool:
    """Whether its name is that of a suite."""
    return path.name.endswith(SUITE_SUFFIXES)


def split_suffix(path: Path) -> tuple[str, str]:
    """`gender` and `.mt.yaml`; of a file that is no suite by its name, the last suffix."""
    suffix = next((suffix for suffix in SUITE_SUFFIXES if path.name.endswith(suffix)), path.suffix)
    return path.name.removesuffix(suffix), suffix


def suite_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Suite files: given files regardless of their names, and all suites below given folders, sorted."""
    for path in paths:
        if is_folder(path):
            suites = sorted(file for file in path.rglob("*.mt.y*ml") if is_suite(file))
            if not suites:
                raise MtprobeError(f"{path}: there is no suite (*.mt.yaml) in this folder")
            yield from suites
        elif is_there(path):
            yield path
        else:
            raise MtprobeError(f"{path}: there is no such file or folder{suite_meant(path)}")


def suite_meant(path: Path) -> str:
    """A hint at the suite that a path without its ending means; empty if there is none."""
    named = path.with_name(path.name + SUITE_SUFFIXES[0]) if path.name else path
    return f'; did you mean "{named}"?' if is_there(named) else ""
