"""`mtprobe cache`"""

from __future__ import annotations

import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.cli import main
from mtprobe.engine.firefox import open_firefox
from tests.engine.converted.models import SOURCES, put_firefox


@pytest.fixture
def cached(tmp_path, monkeypatch):
    monkeypatch.setenv("MTPROBE_CACHE", str(tmp_path / "cache"))
    for seed, name in enumerate(("one", "two")):
        model = put_firefox(tmp_path / name, seed)
        open_firefox(str(model), OpenRequest(threads=1)).translate(SOURCES)
    return tmp_path / "cache" / "graphs"


def test_it_shows_the_models_and_the_folder(cached, capsys):
    assert main(["cache"]) == 0
    *rows, total = capsys.readouterr().out.splitlines()
    assert {row.split()[-1] for row in rows} == {"firefox:one", "firefox:two"}
    assert f"2 converted models in {cached}" in total
    sizes = [float(row.split()[0]) for row in (*rows, total)]
    assert sum(sizes[:2]) == pytest.approx(sizes[2], abs=0.11)
    assert sizes[2] > 0


def test_clear_deletes_them(cached, capsys):
    assert main(["cache", "clear"]) == 0
    assert "2 converted models removed from" in capsys.readouterr().out
    assert list(cached.iterdir()) == []
    assert main(["cache"]) == 0
    assert "0 converted models in" in capsys.readouterr().out


def test_other_files_in_the_folder_are_left_alone(cached, capsys):
    (cached / "mine").mkdir()
    (cached / "mine" / "thesis.txt").write_text("years of work")
    assert main(["cache", "clear"]) == 0
    assert "2 converted models" in capsys.readouterr().out
    assert (cached / "mine" / "thesis.txt").exists()


def test_a_cache_that_is_off_is_reported(monkeypatch, capsys):
    monkeypatch.setenv("MTPROBE_CACHE", "off")
    assert main(["cache"]) == 0
    assert "is off (MTPROBE_CACHE=off)" in capsys.readouterr().out
