"""What computed a row is recorded with it. Rows of a runtime that computes wrongly are ignored, all others stay"""

from __future__ import annotations

import json
import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from mtprobe.cli import main
from mtprobe.store import Store
from mtprobe.store.database import Database
from mtprobe.store.exchange import read_rows, write_rows
from mtprobe.store.runtimes import computes_wrongly
from mtprobe.store.salvage import rows_of_file
from mtprobe.store.upkeep import all_rows, holdings, merge
from tests.store.rights import as_nobody, own_folder  # noqa: F401 - a fixture

GOLDEN = Path(__file__).parent.parent / "golden" / "store.sqlite"
WRONG = "onnxruntime-gpu 1.20.1 CUDAExecutionProvider"
RIGHT = "onnxruntime 1.21.0 CPUExecutionProvider"
PAIR = ("one", "um")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.sqlite"


@pytest.mark.parametrize("version", ["1.20.0", "1.20.1", "1.20.2", "1.20"])
@pytest.mark.parametrize("package", ["onnxruntime", "onnxruntime-gpu"])
def test_rows_of_a_runtime_that_computes_wrongly_are_ignored(path, package, version):
    runtime = f"{package} {version} CPUExecutionProvider"
    with Store(path) as store:
        store.add_translations("m", {"one": "três"}, runtime)
        store.add_scores("m", {PAIR: [-34.9]}, runtime)
    with Store(path) as store:
        assert store.translations("m", ["one"]) == {}
        assert store.scores("m", [PAIR]) == {}
        store.add_translations("m", {"one": "um"}, RIGHT)
        store.add_scores("m", {PAIR: [-0.788]}, RIGHT)
    with Store(path) as store:
        assert store.translations("m", ["one"]) == {"one": "um"}
        assert store.scores("m", [PAIR]) == {PAIR: (-0.788,)}
        assert store.runtimes("m") == {RIGHT}


@pytest.mark.parametrize(
    "runtime",
    [
        "",
        RIGHT,
        "onnxruntime 1.19.2 CPU",
        "onnxruntime-gpu 1.31.1 CPU",
        "onnxruntime 1.200.0",
        "torch 1.20.1",
    ],
)
def test_no_other_runtime_is_ignored(path, runtime):
    assert not computes_wrongly(runtime)
    with Store(path) as store:
        store.add_translations("m", {"one": "um"}, runtime)
    with Store(path) as store:
        assert store.translations("m", ["one"]) == {"one": "um"}
        assert store.runtimes("m") == {runtime}


def test_one_wrong_node_of_a_cluster_is_enough():
    assert computes_wrongly(f"{RIGHT}; {WRONG}")


def test_a_store_of_before_loses_nothing(path):
    shutil.copy(GOLDEN, path)
    database = Database(path)
    before = list(all_rows(database))
    assert len(before) > 50
    assert {row.runtime for row in before} == {""}
    for row in before:
        assert database.find(row.fingerprint, row.kind, [row.key]) == {row.key: (row.value, "")}
    database.close()
    with Store(path) as store:
        store.add_translations("m", {"one": "um"}, RIGHT)
    database = Database(path)
    after = [row for row in all_rows(database) if row.fingerprint != "m"]
    assert [replace(row, used=0) for row in after] == [replace(row, used=0) for row in before]
    assert [row.runtime for row in all_rows(database, ["m"])] == [RIGHT]
    database.close()


def test_an_older_mtprobe_reads_and_writes_it(path):
    """With the statements of versions that know no runtimes."""
    with Store(path) as store:
        store.add_translations("m", {"one": "um", "two": "dois"}, RIGHT)
    connection = sqlite3.connect(path, isolation_level=None)
    columns = "model, kind, key, value, used, checksum"
    rows = connection.execute(f"SELECT {columns} FROM kept").fetchall()
    connection.executemany(f"INSERT OR REPLACE INTO kept ({columns}) VALUES (?, ?, ?, ?, ?, ?)", rows[:1])
    connection.close()
    with Store(path) as store:
        assert store.translations("m", ["one", "two"]) == {"one": "um", "two": "dois"}
        assert store.runtimes("m") == {"", RIGHT}


def test_a_store_of_before_that_cannot_be_written_is_read(own_folder):  # noqa: F811
    path = own_folder / "store.sqlite"
    shutil.copy(GOLDEN, path)
    path.chmod(0o444)
    own_folder.chmod(0o555)
    with as_nobody():
        database = Database(path, immutable=True)
        row = next(all_rows(database))
        assert database.find(row.fingerprint, row.kind, [row.key]) == {row.key: (row.value, "")}
        database.close()


def test_two_processes_may_add_the_first_runtime_at_once(path):
    first, second = Database(path), Database(path)
    with Store(path) as store:
        store.add_translations("m", {"one": "um"}, RIGHT)
    (row,) = all_rows(first)
    second.add([row])
    assert first.find("m", row.kind, [row.key]) == {row.key: (row.value, RIGHT)}
    first.close()
    second.close()


def test_runtimes_are_exported_imported_and_salvaged(path, tmp_path):
    with Store(path) as store:
        store.add_translations("m", {"one": "um"}, RIGHT)
        store.add_translations("m", {"two": "dois"})
    database = Database(path)
    rows = list(all_rows(database))
    database.close()
    write_rows(tmp_path / "export.jsonl", rows)
    assert list(read_rows(tmp_path / "export.jsonl")) == rows
    assert sorted(row.runtime for row in rows) == ["", RIGHT]
    assert set(rows_of_file(path)) == set(rows)


def test_an_import_replaces_rows_of_a_runtime_that_computes_wrongly(path, tmp_path):
    with Store(path) as store:
        store.add_scores("m", {PAIR: [-34.9]}, WRONG)
    with Store(tmp_path / "other.sqlite") as store:
        store.add_scores("m", {PAIR: [-0.788]}, RIGHT)
    here, there = Database(path), Database(tmp_path / "other.sqlite")
    wrong, right = list(all_rows(here)), list(all_rows(there))
    assert merge(there, wrong).new == 0
    assert merge(here, wrong).new == 0
    assert merge(here, right).new == 1
    assert merge(here, right).new == 0
    assert list(all_rows(here)) == list(all_rows(there)) == right
    here.close()
    there.close()


def test_statistics_name_the_runtimes(path, capsys):
    with Store(path) as store:
        store.add_translations("m", {"one": "um"}, RIGHT)
        store.add_translations("m", {"two": "dois"}, WRONG)
        store.add_translations("n", {"two": "dois"})
    database = Database(path)
    runtimes = {model.fingerprint: model.runtimes for model in holdings(database)}
    assert runtimes == {"m": (RIGHT, WRONG), "n": ()}
    database.close()
    assert main(["store", "stats", f"--store={path}", "--json"]) == 0
    models = {model["fingerprint"]: model for model in json.loads(capsys.readouterr().out)["models"]}
    assert set(models["m"]["runtimes"]) == {WRONG, RIGHT}
