"""The output folder of a training: new, or that of the same training after an interruption."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mtprobe.backends import MtprobeError
from mtprobe.verbs import write_text

from ..material.files import EXAMPLES

SETTINGS = "training.json"
_COMPLETE = ("config.json", "onnx")  # what a base writes last


def begin(folder: Path, settings: Mapping[str, Any]) -> None:
    """Makes the folder, or checks that the same training was interrupted in it."""
    path = folder / SETTINGS
    unfinished = folder.is_dir() and path.exists() and not any((folder / name).exists() for name in _COMPLETE)
    if unfinished and (folder / EXAMPLES).exists():
        _check_same(path, settings)
        return
    if not unfinished and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        what = "a finished training" if path.exists() else "not an interrupted training"
        raise MtprobeError(f"{folder}: already exists and is {what}; name a new folder")
    try:
        write_text(path, _text(settings))
    except OSError as error:
        raise MtprobeError(f"{folder}: cannot be written: {error.strerror}") from None


def abandon(folder: Path) -> None:
    """Removes a folder in which no training has begun yet."""
    if not (folder / EXAMPLES).exists():
        shutil.rmtree(folder, ignore_errors=True)


def finish(folder: Path, settings: Mapping[str, Any], results: Mapping[str, Any]) -> None:
    """Adds what came out to what was asked for."""
    write_text(folder / SETTINGS, _text({**settings, "results": results}))


def _check_same(path: Path, settings: Mapping[str, Any]) -> None:
    try:
        before = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise MtprobeError(f"{path}: is damaged; delete {path.parent} and start again") from None
    before.pop("results", None)
    now = json.loads(_text(settings))
    different = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    if different:
        changes = ", ".join(f"{name} was {before.get(name)}, now {now.get(name)}" for name in different)
        raise MtprobeError(
            f"{path.parent}: a training was interrupted here that had other settings ({changes}); "
            "repeat its command, or name a new folder"
        )


def _text(settings: Mapping[str, Any]) -> str:
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"
