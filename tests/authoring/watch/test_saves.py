"""Waiting for a save"""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from mtprobe.authoring.watch.saves import Saves


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "mine.mt.yaml"
    path.write_text("one")
    return path


def waited(saves: Saves, paths: list[Path], change) -> float:
    """Seconds until the wait for a change, which is made meanwhile, ends."""
    timer = threading.Timer(0.2, change)
    timer.start()
    started = time.monotonic()
    saves.wait(paths, 0.02)
    timer.join()
    return time.monotonic() - started


def replace_atomically(path: Path, text: str) -> None:
    """As many editors save: the old file is gone for a moment."""
    backup = path.with_name("backup")
    path.rename(backup)
    time.sleep(0.3)
    path.with_name("new").write_text(text)
    path.with_name("new").replace(path)


def test_the_first_look_is_new_and_the_second_is_not(suite):
    saves = Saves()
    assert saves.are_new([suite])
    assert not saves.are_new([suite])


def test_a_save_ends_the_wait(suite):
    saves = Saves()
    saves.are_new([suite])
    assert waited(saves, [suite], lambda: suite.write_text("two")) >= 0.2
    assert saves.are_new([suite])


def test_a_file_that_is_replaced_is_read_when_it_is_back(suite):
    saves = Saves()
    saves.are_new([suite])
    waited(saves, [suite], lambda: replace_atomically(suite, "two"))
    assert suite.read_text() == "two"
    assert saves.are_new([suite])


def test_a_file_that_is_written_in_steps_is_read_when_it_has_settled(suite):
    def write() -> None:
        with suite.open("w") as stream:
            for number in range(5):
                stream.write(f"{number} ")
                stream.flush()
                time.sleep(0.06)

    saves = Saves()
    saves.are_new([suite])
    waited(saves, [suite], write)
    assert suite.read_text() == "0 1 2 3 4 "


def test_a_save_without_a_change_is_not_new(suite):
    saves = Saves()
    saves.are_new([suite])
    waited(saves, [suite], lambda: os.utime(suite, (1, 1)))
    assert not saves.are_new([suite])


def test_a_save_while_the_last_one_was_looked_at_is_not_missed(suite):
    saves = Saves()
    saves.are_new([suite])
    suite.write_text("two")  # while the suite was judged
    saves.wait([suite], 0.02)
    assert saves.are_new([suite])


def test_a_file_that_the_last_look_brought_up_is_watched_too(suite):
    words = suite.with_name("words.txt")
    words.write_text("a")
    saves = Saves()
    saves.are_new([suite])
    waited(saves, [suite, words], lambda: words.write_text("b"))
    assert saves.are_new([suite, words])


def test_a_new_file_in_a_folder_is_new_and_an_editors_own_file_is_not(suite):
    saves = Saves()
    saves.are_new([suite, suite.parent])
    suite.with_name(".mine.swp").write_text("")
    suite.with_name("mine.mt.yaml~").write_text("")
    assert not saves.are_new([suite, suite.parent])
    suite.with_name("words.txt").write_text("")
    assert saves.are_new([suite, suite.parent])
