"""Environment variables for Ray, set only while it is imported and while it starts nodes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # avoids a deprecation warning
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",  # nodes' messages about lost workers; we report them ourselves
}


@contextmanager
def quiet_nodes() -> Iterator[None]:
    """Ray sends no usage statistics and prints nothing; nodes that it starts find the same modules as we do."""
    variables = {**_QUIET, "PYTHONPATH": os.pathsep.join(_folders())}
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _folders() -> list[str]:
    """The import path without what is installed."""
    installed = {Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix)}
    folders = [Path(entry or ".").resolve() for entry in sys.path if Path(entry or ".").is_dir()]
    ours = [folder for folder in folders if not installed & {folder, *folder.parents}]
    return list(dict.fromkeys(map(str, ours)))
