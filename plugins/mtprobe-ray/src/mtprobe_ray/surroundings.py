"""Environment variables that Ray reads when it is loaded and when it starts nodes; nobody else shall see them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # else it warns of how it will be some day
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",  # what nodes have to say of lost workers; we say it ourselves
}


@contextmanager
def quiet_nodes() -> Iterator[None]:
    """Ray tells nobody of its use and writes nothing; nodes that are started find the modules that we find."""
    wanted = {**_QUIET, "PYTHONPATH": os.pathsep.join(_folders())}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _folders() -> list[str]:
    """Where modules are looked for beyond what is installed."""
    installed = {Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix)}
    folders = [Path(entry or ".").resolve() for entry in sys.path if Path(entry or ".").is_dir()]
    ours = [folder for folder in folders if not installed & {folder, *folder.parents}]
    return list(dict.fromkeys(map(str, ours)))
