"""A folder of run records: one file per run, named by its date."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from mtprobe.errors import MtprobeError
from mtprobe.records.read import RecordError, read_facts
from mtprobe.records.run import Run, RunFacts
from mtprobe.records.write import write_run

# The name of a kept record, without its endings.
_KEPT = re.compile(r"(?P<day>\d{4}-\d\d-\d\d)T(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)Z-[0-9a-f]{8}")
_ENDINGS = (".jsonl", ".jsonl.gz")


def keep_in_history(folder: Path, run: Run) -> Path:
    """Writes the whole record into the folder, packed with gzip, under a name that no other run has."""
    moment = _moment(run.facts) or datetime.now(UTC)
    path = folder / f"{moment:%Y-%m-%dT%H%M%SZ}-{secrets.token_hex(4)}.jsonl.gz"
    write_run(path, run)
    return path


def records_in(folder: Path) -> list[Path]:
    """The files that may be records, by name."""
    try:
        return sorted(path for path in folder.iterdir() if path.name.endswith(_ENDINGS) and path.is_file())
    except OSError as error:
        raise MtprobeError(f"{folder}: cannot be read: {error.strerror}") from None


def by_date(paths: Iterable[Path]) -> list[Path]:
    """The records in the order of their runs."""
    dated = [(_moment(read_facts(path)) or datetime.min.replace(tzinfo=UTC), path) for path in paths]
    return [path for _, path in sorted(dated, key=lambda pair: pair[0])]


def is_record(path: Path) -> bool:
    """Whether its first line is that of a record that can be read."""
    try:
        read_facts(path)
    except RecordError:
        return False
    return True


def labels(paths: Sequence[Path]) -> list[str]:
    """The names of releases: by file, or by date for files of a history; all different."""
    forms = [list(map(form, paths)) for form in (_day, _second, _name, str)]
    return [
        next((names[at] for names in forms if names.count(names[at]) == 1), str(paths[at]))
        for at in range(len(paths))
    ]


def _day(path: Path) -> str:
    kept = _KEPT.fullmatch(_name(path))
    return kept["day"] if kept else _name(path)


def _second(path: Path) -> str:
    kept = _KEPT.fullmatch(_name(path))
    return "{day} {hour}:{minute}:{second}".format(**kept.groupdict()) if kept else _name(path)


def _name(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".jsonl") or path.name


def _moment(facts: RunFacts) -> datetime | None:
    """None if the record has no date that can be read."""
    try:
        moment = datetime.fromisoformat(facts.created)
    except ValueError:
        return None
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
