"""Finds the files named in a suite, in its own folder or under the user's data root."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from mtprobe.errors import MissingFile, Place, SuiteError


@dataclass(slots=True)
class SuiteFiles:
    """Finds a suite's files, and remembers them for the suite's digest."""

    suite: Path
    data_root: Path | None = None
    named: list[Path] = field(default_factory=list)  # those that are digested
    found: list[Path] = field(default_factory=list)  # all

    def find(self, name: str, place: Place, missing: str = "error", *, digested: bool = True) -> Path:
        """The file under this name, or with .gz; an error at `place` if it does not exist or is outside.

        With `missing="skip"`, a file that does not exist is a `MissingFile`. A file that changes no verdict is not
        `digested`.
        """
        roots = [self.suite.parent, *([self.data_root] if self.data_root else [])]
        inside = False
        for root in roots:
            path = root / name
            try:
                if not path.exists() and (root / f"{name}.gz").is_file():
                    path = root / f"{name}.gz"
                real, exists = path.resolve(), path.is_file()
            except (OSError, RuntimeError, ValueError):  # a name too long, a symlink to itself
                raise SuiteError.at(place, f'"{name}" is not the name of a file') from None
            if real.is_relative_to(root.resolve()):
                inside = True
                if exists:
                    self.found.append(path)
                    if digested:
                        self.named.append(path)
                    return path
        searched = " and ".join(["the suite's folder", *(str(root) for root in roots[1:])])
        if not inside:
            raise SuiteError.at(
                place, f'"{name}" is outside {searched}; `data-root` allows files from elsewhere'
            )
        message = f'there is no file "{name}" in {searched}'
        if missing == "skip":
            hint = "" if self.data_root else "; `data-root` names the folder that has it"
            raise MissingFile.at(place, message + hint)
        raise SuiteError.at(place, message)

    def digest(self) -> str:
        """A hash of the suite and of every file that it names, except those that change no verdict."""
        total = hashlib.sha256()
        digests: dict[Path, bytes] = {}  # many slots may name one file
        for path in (self.suite, *self.named):
            if path not in digests:
                with path.open("rb") as stream:
                    digests[path] = hashlib.file_digest(stream, "sha256").digest()
            total.update(digests[path])
        return total.hexdigest()[:12]
