"""`mtprobe store stats|gc|export|import`"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mtprobe.cli import main
from mtprobe.store import Store
from mtprobe.store.aside import set_aside_beside
from mtprobe.store.database import Database

TRANSLATED = {f"source {number}": f"translation {number}" for number in range(30)}


@pytest.fixture
def store(folder):
    assert list(folder.iterdir()) == []
    path = Path(".mtprobe/store.sqlite")
    with Store(path) as opened:
        opened.add_translations("demo:fp32", TRANSLATED)
        opened.add_scores("judge", {("one", "um"): [-0.5]})
    return path


def age(path, model, days):
    database = Database(path)
    database.connection.execute(
        "UPDATE kept SET used = used - ? WHERE model = ?", (days, database.model(model))
    )
    database.close()


def contents(path):
    with Store(path) as opened:
        return opened.translations("demo:fp32", list(TRANSLATED)), opened.scores("judge", [("one", "um")])


@pytest.mark.usefixtures("store")
def test_stats_show_each_model(capsys):
    assert main(["store", "stats"]) == 0
    head, first, second, total = capsys.readouterr().out.splitlines()
    assert head.split() == ["translations", "scores", "size", "since", "used", "from", "to", "model"]
    today = datetime.now(UTC).date().isoformat()
    assert first.split() == ["30", "0", "1.4", "kB", today, today, today, "demo:fp32"]
    assert second.split()[:3] == ["0", "1", "40"]
    assert total.startswith("31 rows of 2 models, 1.4 kB; .mtprobe/store.sqlite takes ")


def test_stats_for_machines(store, capsys):
    assert main(["store", "stats", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert [(one["fingerprint"], one["translations"], one["scores"]) for one in value["models"]] == [
        ("demo:fp32", 30, 0),
        ("judge", 0, 1),
    ]
    assert value["file_bytes"] == store.stat().st_size


def test_stats_name_what_was_set_aside(store, capsys):
    os.truncate(store, 5000)
    Store(store).close()
    assert main(["store", "stats"]) == 0
    out = capsys.readouterr().out
    assert "0 rows of 0 models" in out
    assert "set aside earlier: .mtprobe/store.sqlite.damaged-" in out


def test_without_a_store_nothing_is_made(folder, capsys):
    for action in (["stats"], ["gc", "--size", "1GB"], ["export", "out.jsonl"]):
        assert main(["store", *action]) == 2
        assert "there is no store at .mtprobe/store.sqlite" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_gc_takes_what_is_old_after_a_dry_run_that_takes_nothing(store, capsys):
    age(store, "demo:fp32", 100)
    assert main(["store", "gc", "--older-than", "90d", "--dry-run"]) == 0
    assert "30 rows, 1.4 kB would be removed" in capsys.readouterr().out
    assert main(["store", "stats", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["models"]) == 2
    assert main(["store", "gc", "--older-than", "90d"]) == 0
    out = capsys.readouterr().out
    assert "demo:fp32" in out
    assert "30 rows, 1.4 kB removed" in out
    assert contents(store) == ({}, {("one", "um"): (-0.5,)})


def test_gc_by_model_and_by_size(store, capsys):
    assert main(["store", "gc", "--model", "demo:*", "--size", "700"]) == 0
    assert "rows" in capsys.readouterr().out
    translations, scores = contents(store)
    assert 0 < len(translations) < 30
    assert scores
    assert main(["store", "gc", "--model", "judge"]) == 0
    assert contents(store) == (translations, {})


@pytest.mark.parametrize(
    "arguments, says",
    [
        ([], "say what to remove"),
        (["--model", "demo:fp23"], 'has no model "demo:fp23"; did you mean "demo:fp32"?'),
    ],
)
def test_gc_never_guesses(store, capsys, arguments, says):
    assert main(["store", "gc", *arguments]) == 2
    assert says in capsys.readouterr().err
    assert contents(store)[0] == TRANSLATED


@pytest.mark.parametrize("arguments", [["--older-than", "soon"], ["--size", "-1GB"], ["--older-than", "90"]])
def test_ages_and_sizes_are_checked(store, capsys, arguments):
    with pytest.raises(SystemExit):
        main(["store", "gc", *arguments])
    assert "write it like" in capsys.readouterr().err or arguments[1].startswith("-")
    assert contents(store)[0] == TRANSLATED


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_a_store_moves_to_another_machine(store, capsys, name):
    before = contents(store)
    assert main(["store", "export", name]) == 0
    assert f"31 rows written to {name}" in capsys.readouterr().out
    assert Path(name).read_bytes().startswith(b"\x1f\x8b" if name.endswith(".gz") else b'{"mtprobe":"store"')
    assert main(["store", "import", name, "--store", "elsewhere/store.sqlite"]) == 0
    assert "31 new rows, 0 already stored" in capsys.readouterr().out
    assert contents(Path("elsewhere/store.sqlite")) == before
    assert main(["store", "import", name, "--store", "elsewhere/store.sqlite"]) == 0
    assert "0 new rows, 31 already stored" in capsys.readouterr().out
    assert contents(Path("elsewhere/store.sqlite")) == before


@pytest.mark.usefixtures("store")
def test_an_export_replaces_no_file_unless_it_is_told_to(capsys):
    Path("out.jsonl").write_text("mine")
    assert main(["store", "export", "out.jsonl"]) == 2
    assert "exists; --force" in capsys.readouterr().err
    assert Path("out.jsonl").read_text() == "mine"
    assert main(["store", "export", "out.jsonl", "--force", "--model", "judge"]) == 0
    assert "1 rows written" in capsys.readouterr().out


@pytest.mark.usefixtures("store")
def test_an_export_that_cannot_be_written_is_an_error(capsys):
    assert main(["store", "export", "nowhere/out.jsonl"]) == 2
    assert "nowhere/out.jsonl could not be written" in capsys.readouterr().err


@pytest.mark.usefixtures("store")
def test_a_bad_export_changes_nothing_unless_it_may(capsys):
    main(["store", "export", "out.jsonl"])
    lines = Path("out.jsonl").read_text().splitlines(keepends=True)
    Path("cut.jsonl").write_text("".join(lines[:10]) + lines[10][:30])
    other = ["--store", "other.sqlite"]
    assert main(["store", "import", "cut.jsonl", *other]) == 2
    assert (
        "cut.jsonl:11: not valid JSON; the line was truncated or changed; nothing was imported"
        in capsys.readouterr().err
    )
    assert contents(Path("other.sqlite")) == ({}, {})
    assert main(["store", "import", "cut.jsonl", "--keep-going", *other]) == 0
    out = capsys.readouterr().out
    assert "9 new rows" in out
    assert "skipped 2 lines, the first: cut.jsonl:11:" in out
    assert len(contents(Path("other.sqlite"))[0]) == 9


def test_two_stores_become_one(store, capsys):
    with Store(Path("other.sqlite")) as other:
        other.add_translations("demo:fp32", {"source 1": "another translation", "new": "novo"})
    assert main(["store", "import", "other.sqlite"]) == 0
    assert (
        "1 new rows, 1 already stored (1 of them with another value; the stored one stays)"
        in capsys.readouterr().out
    )
    assert contents(store)[0] == TRANSLATED
    with Store(store) as opened:
        assert opened.translations("demo:fp32", ["new"]) == {"new": "novo"}


def test_a_damaged_store_gives_back_the_rows_that_sqlite_can_read(store, capsys, caplog):
    more = {f"more {number}": "x" * 200 for number in range(1000)}
    with Store(store) as opened:
        opened.add_translations("demo:fp32", more)
    with store.open("r+b") as stream:
        stream.seek(store.stat().st_size - 4096)
        stream.write(b"noise" * 819)
    with Store(store) as opened:
        assert opened.translations("demo:fp32", list(more)) == {}  # it was set aside
    (aside,) = set_aside_beside(store)
    assert f"mtprobe store import {aside}" in caplog.text
    assert main(["store", "import", str(aside)]) == 0
    assert " new rows, 0 already stored" in capsys.readouterr().out
    with Store(store) as opened:
        assert 970 < len(opened.translations("demo:fp32", list(more))) < 1000
        assert opened.scores("judge", [("one", "um")]) == {("one", "um"): (-0.5,)}


@pytest.mark.parametrize(
    "file, says",
    [
        ("nothing.jsonl", "nothing.jsonl: cannot be read: No such file"),
        ("nothing.sqlite", "nothing.sqlite does not exist"),
        (".mtprobe/store.sqlite", "is the store itself"),
        ("notes.txt", "notes.txt:1: not an export of a store"),
        ("noise.sqlite", "SQLite can read nothing from noise.sqlite; `sqlite3 noise.sqlite .recover` may"),
        (".mtprobe", ".mtprobe: cannot be read: Is a directory"),
    ],
)
def test_what_cannot_be_imported_is_told(store, capsys, file, says):
    Path("notes.txt").write_text("Dear diary\n")
    Path("noise.sqlite").write_bytes(b"noise" * 5000)
    assert main(["store", "import", file]) == 2
    assert says in capsys.readouterr().err
    assert contents(store)[0] == TRANSLATED


def test_a_date_of_use_moves_along(store, capsys):
    age(store, "judge", 10)
    main(["store", "export", "out.jsonl"])
    main(["store", "import", "out.jsonl", "--store", "other.sqlite"])
    capsys.readouterr()
    main(["store", "stats", "--json", "--store", "other.sqlite"])
    models = json.loads(capsys.readouterr().out)["models"]
    (judge,) = (one for one in models if one["fingerprint"] == "judge")
    assert judge["newest"] == (datetime.now(UTC) - timedelta(days=10)).date().isoformat()
