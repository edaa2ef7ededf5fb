"""A file at the store's path that is not a store: set aside once, with a warning, never reused or deleted"""

from __future__ import annotations

import logging
import multiprocessing
import os
import random
import sqlite3
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from mtprobe.store import NewerStore, Store, StoreError
from mtprobe.store.schema import APPLICATION, VERSION
from tests.soak import times
from tests.store.rights import as_nobody, own_folder  # noqa: F401 - a fixture

MADE = {f"source {number}": f"translation {number} " + "x" * 200 for number in range(500)}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.sqlite"


def fill(path):
    with Store(path) as store:
        store.add_translations("model", MADE)
    assert not Path(f"{path}-wal").exists()


@contextmanager
def opened(path):
    connection = sqlite3.connect(path)
    try:
        with connection:
            yield connection
    finally:
        connection.close()


def asides(path, mark="damaged"):
    found = path.parent.glob(f"{path.name}.{mark}-*")
    return [each for each in found if not each.name.endswith(("-wal", "-shm"))]


def random_bytes(path):
    path.write_bytes(random.Random(1).randbytes(50_000))


def cut_in_half(path):
    fill(path)
    os.truncate(path, path.stat().st_size // 2)


def only_a_header(path):
    fill(path)
    os.truncate(path, 100)


def zeros_at_its_start(path):
    fill(path)
    with path.open("r+b") as stream:
        stream.write(bytes(4096))


def spoil_pages(path):
    """All but the first few, so that only reading rows shows it."""
    with path.open("r+b") as stream:
        for page in range(3, path.stat().st_size // 4096):
            stream.seek(page * 4096)
            stream.write(random.Random(page).randbytes(4096))


def without_its_table(path):
    fill(path)
    with opened(path) as connection:
        connection.execute("DROP TABLE kept")


DAMAGED = [cut_in_half, only_a_header, zeros_at_its_start, without_its_table, random_bytes]


@pytest.mark.parametrize("spoil", DAMAGED)
def test_a_damaged_file_is_set_aside_as_it_is_and_a_fresh_store_takes_its_place(path, spoil, caplog):
    spoil(path)
    before = path.read_bytes()
    with Store(path) as store:
        assert store.translations("model", list(MADE)) == {}
        store.add_translations("model", {"one": "um"})
    (aside,) = asides(path)
    assert aside.read_bytes() == before
    (told,) = caplog.messages
    assert str(path) in told
    assert aside.name in told
    assert f"mtprobe store import {aside}" in told
    with Store(path) as store:
        assert store.translations("model", ["one"]) == {"one": "um"}
    assert len(asides(path)) == 1


def test_damage_in_the_middle_is_noticed_when_it_is_met(path, caplog):
    fill(path)
    spoil_pages(path)
    with Store(path) as store:
        found = store.translations("model", list(MADE))
        assert found.items() <= MADE.items()
        store.add_translations("model", MADE)
        assert store.translations("model", list(MADE)) == MADE
    assert len(asides(path)) == 1
    assert len(caplog.messages) == 1


@pytest.mark.parametrize("seed", range(times(30, 1000)))
def test_whatever_byte_is_changed_no_translation_is(path, seed):
    fill(path)
    chance = random.Random(seed)
    with path.open("r+b") as stream:
        for number in range(20):
            stream.seek(chance.randrange(4096 if number % 2 else path.stat().st_size))
            stream.write(chance.randbytes(1))
    with Store(path) as store:
        found = store.translations("model", list(MADE))
        assert found.items() <= MADE.items()
        store.add_translations("model", MADE)
        # SQLite does not notice keys that are out of order: rows among them are computed again.
        found = store.translations("model", list(MADE))
        assert found.items() <= MADE.items()


def test_a_row_whose_text_was_changed_is_made_again_and_told_once(path, caplog):
    fill(path)
    raw = path.read_bytes()
    assert raw.count(b"translation 17 ") == 1
    path.write_bytes(raw.replace(b"translation 17 ", b"translation 71 "))
    with Store(path) as store:
        for _ in range(2):
            assert store.translations("model", list(MADE)).keys() == MADE.keys() - {"source 17"}
    assert ["wrong checksum" in message for message in caplog.messages] == [True]
    assert asides(path) == []


def test_a_model_that_takes_anothers_name_does_not_get_its_outputs(path):
    fill(path)
    with opened(path) as connection:
        connection.execute("UPDATE models SET fingerprint = CAST('other' AS BLOB)")
    with Store(path) as store:
        assert store.translations("other", list(MADE)) == {}


def test_the_log_goes_with_its_database(path):
    fill(path)
    held = Store(path)
    held.add_translations("model", {"two": "dois"})  # in the log only
    spoil_pages(path)
    with Store(path) as store:
        assert store.translations("model", list(MADE)) == {}
        store.add_translations("model", {"one": "um"})
        (aside,) = asides(path)
        assert Path(f"{aside}-wal").stat().st_size
        held.close()  # the last one to leave, and it takes no file of the fresh store with it
        assert store.translations("model", ["one"]) == {"one": "um"}
    with Store(path) as store:
        assert store.translations("model", ["one", "two"]) == {"one": "um"}


def test_who_still_has_the_old_file_open_goes_over_to_the_fresh_one(path):
    fill(path)
    with Store(path) as first, Store(path) as second:
        spoil_pages(path)
        first.translations("model", list(MADE))
        second.add_translations("model", {"one": "um"})
        assert first.translations("model", ["one"]) == {"one": "um"}
    assert len(asides(path)) == 1


@pytest.mark.parametrize("left", ["nothing", "an empty file"])
def test_a_log_that_has_lost_its_database_is_not_deleted(path, left):
    held = Store(path)
    held.add_translations("model", MADE)
    log = Path(f"{path}-wal").read_bytes()
    path.unlink()
    if left == "an empty file":
        path.touch()
    Store(path).close()
    (aside,) = path.parent.glob("store.sqlite.damaged-*-wal")
    assert aside.read_bytes() == log


def another_applications(path):
    with opened(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE bookmarks (url)")
        connection.execute("INSERT INTO bookmarks VALUES ('https://example.org')")


def with_another_applications_mark(path):
    with opened(path) as connection:
        connection.execute("PRAGMA application_id = 42")
        connection.execute("CREATE TABLE bookmarks (url)")
        connection.execute("INSERT INTO bookmarks VALUES ('https://example.org')")


@pytest.mark.parametrize("make", [another_applications, with_another_applications_mark])
def test_another_applications_database_is_set_aside_unharmed(path, make, caplog):
    make(path)
    with Store(path) as store:
        store.add_translations("model", {"one": "um"})
    (aside,) = asides(path, "foreign")
    with opened(aside) as connection:
        assert connection.execute("SELECT * FROM bookmarks").fetchall() == [("https://example.org",)]
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (1,)
    assert "is the database of another application" in caplog.text


def test_a_folder_is_set_aside(path, caplog):
    path.mkdir()
    (path / "thesis.txt").write_text("years of work")
    Store(path).close()
    (aside,) = asides(path, "foreign")
    assert (aside / "thesis.txt").read_text() == "years of work"
    assert "is a folder" in caplog.text
    assert path.is_file()


def test_a_file_that_may_not_be_read_is_set_aside(own_folder, caplog):  # noqa: F811
    path = own_folder / "store.sqlite"
    with as_nobody():
        fill(path)
        path.chmod(0)
        with Store(path) as store:
            store.add_translations("model", {"one": "um"})
            assert store.translations("model", ["one", "source 1"]) == {"one": "um"}
    assert "cannot be read" in caplog.text
    assert len(asides(path, "foreign")) == 1


@pytest.mark.parametrize("name", ["notes.txt", "mine.mt.yaml", "kept"])
def test_what_is_not_named_like_a_store_is_the_users_own_and_stays(tmp_path, name):
    path = tmp_path / name
    path.write_text("not a database\n" * 100)
    with pytest.raises(StoreError, match=r"cannot be used as a store: it is damaged .*set `store`"):
        Store(path)
    assert path.read_text() == "not a database\n" * 100
    folder = tmp_path / "suites"
    folder.mkdir()
    with pytest.raises(StoreError, match="it is a folder"):
        Store(folder)
    assert {found.name for found in tmp_path.iterdir()} == {name, "suites"}


def test_what_was_a_store_is_set_aside_whatever_it_is_called(tmp_path):
    path = tmp_path / "kept"
    cut_in_half(path)
    with Store(path) as store:
        store.add_translations("model", {"one": "um"})
    assert len(asides(path)) == 1


def test_a_link_to_itself_costs_the_store_only(path, caplog):
    path.symlink_to(path)
    with Store(path) as store:
        store.add_translations("model", {"one": "um"})
        assert store.translations("model", ["one"]) == {"one": "um"}
    assert "cannot be stored" in caplog.messages[0]
    assert path.is_symlink()


def test_a_device_is_no_store():
    with pytest.raises(StoreError, match="/dev/null cannot be used as a store: it is not a regular file"):
        Store(Path("/dev/null"))


def test_a_newer_store_is_an_error_and_left_alone(path):
    fill(path)
    with opened(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = path.read_bytes()
    with pytest.raises(NewerStore, match=rf"newer mtprobe \(store version {VERSION + 1}\) and is left alone"):
        Store(path)
    assert path.read_bytes() == before
    assert [found.name for found in path.parent.iterdir()] == ["store.sqlite"]


def test_a_store_says_whose_it_is(path):
    fill(path)
    with opened(path) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,)


def test_a_link_is_followed(path, tmp_path):
    real = tmp_path / "elsewhere" / "store.sqlite"
    real.parent.mkdir()
    cut_in_half(real)
    path.symlink_to(real)
    with Store(path) as store:
        store.add_translations("model", {"one": "um"})
    assert path.is_symlink()
    assert len(asides(real)) == 1
    with Store(real) as store:
        assert store.translations("model", ["one"]) == {"one": "um"}


def test_a_store_that_is_deleted_under_a_run_is_begun_anew(path):
    with Store(path) as store:
        store.add_translations("model", {"one": "um"})
        for each in path.parent.iterdir():
            each.unlink()
        store.add_translations("model", {"two": "dois"})
    with Store(path) as store:
        assert store.translations("model", ["one", "two"]) == {"two": "dois"}


SPOILT = (random_bytes, cut_in_half, another_applications, zeros_at_its_start)
ATTEMPTS = times(16, 400)


def _use(folder: Path, moment: float, worker: int) -> None:
    """All workers come to each store at the same moment."""
    logging.basicConfig(filename=folder / f"{worker}.log", format="%(message)s")
    for attempt in range(ATTEMPTS):
        while time.time() < moment + attempt * 0.1:
            pass
        with Store(folder / f"{attempt}.sqlite") as store:
            store.translations("model", list(MADE))
            for number in range(3):
                store.add_translations("model", {f"{worker}-{number}": "x"})


@pytest.mark.slow
def test_workers_who_find_it_at_the_same_time_set_it_aside_once(tmp_path):
    for attempt in range(ATTEMPTS):
        SPOILT[attempt % len(SPOILT)](tmp_path / f"{attempt}.sqlite")
    context = multiprocessing.get_context("spawn")
    moment = time.time() + 3
    workers = [context.Process(target=_use, args=(tmp_path, moment, number)) for number in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 6
    wanted = [f"{worker}-{number}" for worker in range(6) for number in range(3)]
    for attempt in range(ATTEMPTS):
        path = tmp_path / f"{attempt}.sqlite"
        assert len([*asides(path), *asides(path, "foreign")]) == 1
        with Store(path) as store:
            assert len(store.translations("model", wanted)) == len(wanted)
    told = [line for log in tmp_path.glob("*.log") for line in log.read_text().splitlines()]
    assert len(told) == ATTEMPTS
    assert all("was moved to" in line for line in told)
