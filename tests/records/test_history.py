"""A folder of records"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mtprobe.records import RecordError, RunFacts, read_run, write_run
from mtprobe.records.history import by_date, is_record, keep_in_history, labels, records_in
from tests.report.factory import a_run


def dated(created):
    return replace(a_run(), facts=RunFacts("0.1.0", created))


def test_a_kept_record_reads_back_as_the_same_run(tmp_path):
    path = keep_in_history(tmp_path / "new" / "history", a_run())
    assert path.name.startswith("2026-03-01T090500Z-")
    assert read_run(path) == a_run()


def test_names_are_in_universal_time(tmp_path):
    assert keep_in_history(tmp_path, dated("2026-03-01T00:30:00+02:00")).name.startswith("2026-02-28T223000Z")


def test_a_date_that_cannot_be_read_is_no_obstacle(tmp_path):
    path = keep_in_history(tmp_path, dated("../../etc"))
    assert path.parent == tmp_path
    assert by_date([path]) == [path]


def test_records_are_ordered_by_their_runs_not_by_their_names(tmp_path):
    for name, created in (
        ("a", "2026-03-03"),
        ("b", "2026-03-01T23:00:00+00:00"),
        ("c", "2026-03-02T00:00:00+02:00"),
    ):
        write_run(tmp_path / f"{name}.jsonl", dated(created))
    assert [path.stem for path in by_date(records_in(tmp_path))] == ["c", "b", "a"]


def test_only_records_count(tmp_path):
    write_run(tmp_path / "run.jsonl", a_run())
    (tmp_path / "run.jsonl.unfinished").write_text("{}")
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "other.jsonl").write_text('{"a": 1}\n')
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "damaged.jsonl.gz").write_bytes(b"\x1f\x8bnonsense")
    assert [path.name for path in records_in(tmp_path) if is_record(path)] == ["run.jsonl"]
    with pytest.raises(RecordError, match=r"other\.jsonl:1: not the first line of a run record"):
        by_date([tmp_path / "other.jsonl"])


def test_releases_are_called_by_their_files_or_days_and_each_differently():
    history = [
        f"2026-03-0{day}T0905{second:02}Z-0123456{second}.jsonl.gz"
        for day, second in ((1, 0), (2, 0), (2, 1))
    ]
    paths = [
        Path("v1.2.jsonl"),
        *(Path("history") / name for name in history),
        Path("a/run.jsonl"),
        Path("b/run.jsonl"),
    ]
    assert labels(paths) == [
        "v1.2",
        "2026-03-01",
        "2026-03-02 09:05:00",
        "2026-03-02 09:05:01",
        "a/run.jsonl",
        "b/run.jsonl",
    ]
