"""`--mt-suite=NAME`: shipped suites, in addition to paths or instead of them.

Their ids are `mtprobe:gender/occupations.mt.yaml::GATE` wherever mtprobe is installed, and such an id may be given as a path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from mtprobe import SHIPPED
from mtprobe.errors import MtprobeError
from mtprobe.pytest_plugin.options import option
from mtprobe.suite.find import suite_files
from mtprobe.suite.shipped import shipped_folder, shipped_suite

_FILES = pytest.StashKey[frozenset[str]]()


def add_suites(config: pytest.Config) -> None:
    """Puts the files of shipped suites among the paths that pytest collects.

    Without a path, `--mt-suite` runs these suites only. `mt_suite` in the ini file adds suites to what pytest
    collects when no path is given.
    """
    by_path = config.args_source is pytest.Config.ArgsSource.ARGS
    by_flag = config.getoption("mt_suite") is not None
    own = [argument for argument in config.args if not argument.startswith(SHIPPED)]
    try:
        added = [path for argument in config.args for path in _expanded(argument)]
        if by_flag or not by_path:
            added += _files(option(config, "suite"))
    except MtprobeError as error:
        raise pytest.UsageError(f"--mt-suite: {error}") from None
    config.stash[_FILES] = frozenset(path.partition("::")[0] for path in added)
    config.args[:] = dict.fromkeys(added if by_flag and not by_path else [*own, *added])
    if by_flag:
        config.args_source = pytest.Config.ArgsSource.ARGS


def shipped_id(path: Path, config: pytest.Config) -> str | None:
    """The id of a suite that was named as a shipped one; None for any other."""
    if str(path) not in config.stash.get(_FILES, ()):
        return None
    return f"{SHIPPED}{path.relative_to(shipped_folder()).as_posix()}"


def _expanded(argument: str) -> Iterator[str]:
    """The paths of an argument in the form of our ids; none of any other argument."""
    if argument.startswith(SHIPPED):
        name, separator, item = argument.removeprefix(SHIPPED).partition("::")
        for file in _files([name]):
            yield f"{file}{separator}{item}"


def _files(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield from map(str, suite_files([shipped_suite(name)]))
