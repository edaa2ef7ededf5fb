"""Detects suites on the command line that are not collected because of their names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mtprobe.printable import printable

_EXAMINED = 65536  # bytes
_VERSION = re.compile(rb"^mtprobe: *\d", re.MULTILINE)


def check_name(path: Path, config: pytest.Config) -> None:
    """A usage error if the file begins like a suite; other YAML, and what does not exist, is left to pytest."""
    try:
        with path.open("rb") as stream:
            is_suite = _VERSION.search(stream.read(_EXAMINED)) is not None
    except OSError:
        return
    if is_suite:
        inside = path.is_relative_to(config.rootpath)
        pattern = path.relative_to(config.rootpath).as_posix() if inside else path.name
        right = path.name.removesuffix(".txt").removesuffix(".yml").removesuffix(".yaml").removesuffix(".mt")
        message = (
            f"{path.name} is a suite, but it is not collected, since its name does not end in .mt.yaml; "
            f"rename it to {right}.mt.yaml, or add it to the ini file: mt_suites = {pattern}"
        )
        raise pytest.UsageError(printable(message))
