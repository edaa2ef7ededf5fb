"""The cache of converted models: the same numbers, without a second conversion."""

from __future__ import annotations

import ast
import logging
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.engine.build import bergamot_definition
from mtprobe.engine.checkpoints.bergamot.folder import find_model
from mtprobe.engine.converted import cache
from mtprobe.engine.firefox import open_firefox
from mtprobe.engine.graphs.definition import BuiltGraphs, NetworkDefinition, SavedGraph
from tests.engine.converted.models import PAIRS, SOURCES, put_firefox


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    return put_firefox(tmp_path_factory.mktemp("models") / "xxyy")


@pytest.fixture
def kept(tmp_path, monkeypatch) -> Path:
    """The folder of the cache."""
    monkeypatch.setenv("MTPROBE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "graphs"


class Build:
    """Converts a model and counts the conversions."""

    def __init__(self, model: Path) -> None:
        self.files, self.count = find_model(model), 0

    def __call__(self) -> NetworkDefinition:
        self.count += 1
        return bergamot_definition(self.files, longest=40)


@pytest.fixture
def build(model) -> Build:
    return Build(model)


def results(model: Path) -> object:
    opened = open_firefox(str(model), OpenRequest(threads=1))
    return opened.translate(SOURCES), opened.score(PAIRS)


def entry_of(kept: Path) -> Path:
    (entry,) = kept.iterdir()
    return entry


@pytest.mark.usefixtures("kept")
def test_what_was_converted_once_is_not_converted_again(build):
    first, second = cache.cached("key", "x", build), cache.cached("key", "x", build)
    assert build.count == 1
    assert first.dimensions == second.dimensions
    assert list(first.graphs) == list(second.graphs) == list(build().graphs)
    assert all(isinstance(graph, SavedGraph) for graph in second.graphs.values())


def test_numbers_are_the_same_bit_for_bit_with_and_without_it(kept, model, monkeypatch):
    first, second = results(model), results(model)
    entry_of(kept)
    monkeypatch.setenv("MTPROBE_CACHE", "off")
    assert results(model) == first == second


def test_off_keeps_nothing(tmp_path, build, monkeypatch):
    monkeypatch.setenv("MTPROBE_CACHE", "off")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert isinstance(cache.cached("key", "x", build).graphs, BuiltGraphs)
    assert list(tmp_path.iterdir()) == []


def test_other_weights_are_another_entry(kept, model, tmp_path):
    other = put_firefox(tmp_path / "other", seed=1)
    assert results(model) != results(other)
    assert len(list(kept.iterdir())) == 2


@pytest.mark.usefixtures("kept")
def test_entries_of_other_code_are_not_looked_at(build, monkeypatch):
    cache.cached("key", "x", build)
    monkeypatch.setattr(cache, "code_digest", lambda: "another")
    cache.cached("key", "x", build)
    assert build.count == 2


def imported_by(path: Path, package: Path, seen: set[Path]) -> set[Path]:
    """The module and all modules of the engine that it imports, directly or not."""
    seen.add(path)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mtprobe.engine."):
            module = package.joinpath(*node.module.split(".")[2:])
            for imported in (module.with_suffix(".py"), *(module / f"{name.name}.py" for name in node.names)):
                if imported.is_file() and imported not in seen:
                    imported_by(imported, package, seen)
    return seen


def test_all_code_that_builds_graphs_is_part_of_the_digest():
    package = Path(cache.__file__).parent.parent
    covered = {path for pattern in cache._CODE for path in package.glob(pattern)}
    for module in ("build.py", "checkpoints/huggingface/families.py", "checkpoints/bergamot/architecture.py"):
        assert imported_by(package / module, package, set()) <= covered
    assert package / "converted/write.py" in covered


def test_every_pattern_of_the_digest_matches_code():
    package = Path(cache.__file__).parent.parent
    assert all(any(package.glob(pattern)) for pattern in cache._CODE)


def truncate(entry: Path) -> None:
    path = entry / "weights.bin"
    os.truncate(path, path.stat().st_size - 1)


def flip_a_bit(entry: Path) -> None:
    content = bytearray((entry / "weights.bin").read_bytes())
    content[len(content) // 2] ^= 1
    (entry / "weights.bin").write_bytes(content)


@pytest.mark.parametrize(
    "damage",
    [
        truncate,
        flip_a_bit,
        lambda entry: (entry / "encode.onnx").unlink(),
        lambda entry: (entry / "score.onnx").write_bytes(b"x" * (entry / "score.onnx").stat().st_size),
        lambda entry: (entry / "mtprobe.json").write_text('{"mtprobe": 1, '),
        lambda entry: (entry / "mtprobe.json").write_text('{"mtprobe": 99}'),
        lambda entry: [path.unlink() for path in entry.iterdir()],
    ],
    ids=["truncated", "bit", "graph missing", "graph changed", "no JSON", "version", "empty"],
)
def test_a_damaged_entry_is_reported_and_converted_again(kept, model, damage, caplog):
    expected = results(model)
    damage(entry_of(kept))
    with caplog.at_level(logging.WARNING, "mtprobe"):
        assert results(model) == expected
        assert "is damaged and will be converted again" in caplog.text
        caplog.clear()
        assert results(model) == expected
    assert caplog.text == ""


def test_a_place_that_cannot_be_written_costs_nothing_but_the_cache(tmp_path, model, monkeypatch):
    monkeypatch.setenv("MTPROBE_CACHE", "off")
    expected = results(model)
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("MTPROBE_CACHE", str(tmp_path / "file"))
    assert results(model) == expected
    assert (tmp_path / "file").read_text() == "no folder"


def test_a_disk_that_is_nearly_full_is_left_alone(kept, build, monkeypatch):
    usage = shutil.disk_usage(kept.parent.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=4000))
    assert isinstance(cache.cached("key", "x", build).graphs, BuiltGraphs)
    assert list(kept.iterdir()) == []


def test_an_interruption_leaves_nothing_behind(kept, build):
    def interrupted() -> NetworkDefinition:
        def stop() -> None:
            raise KeyboardInterrupt

        parts = build()
        return NetworkDefinition(
            parts.dimensions, BuiltGraphs({"encode": lambda: parts.graphs["encode"], "score": stop})
        )

    with pytest.raises(KeyboardInterrupt):
        cache.cached("key", "x", interrupted)
    assert list(kept.iterdir()) == []
    assert cache.cached("key", "x", build).graphs


@pytest.mark.slow
def test_processes_that_convert_at_once_leave_one_entry(kept, model):
    code = (
        "import sys\n"
        "from mtprobe.backends.protocols import OpenRequest\n"
        "from mtprobe.engine.firefox import open_firefox\n"
        "from tests.engine.converted.models import SOURCES\n"
        "print(open_firefox(sys.argv[1], OpenRequest(threads=1)).translate(SOURCES))\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(model)], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    outputs = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert outputs[0] == outputs[1] == outputs[2] != ""
    assert [path for path in kept.iterdir() if path.name.startswith(".")] == []
    entry_of(kept)


def unused_for(entry: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(entry / "mtprobe.json", (then, then))


def test_what_was_not_used_for_longest_makes_room(kept, build, monkeypatch):
    for number, hours in enumerate([5, 3, 4]):
        cache.cached(f"key {number}", f"model {number}", build)
        (new,) = (entry.path for entry in cache.entries(kept) if entry.made_from == f"model {number}")
        unused_for(new, 3600 * hours)
    size = cache.entries(kept)[0].size
    monkeypatch.setattr(cache, "MOST_BYTES", int(2.5 * size))
    cache.make_room(kept)
    assert [entry.made_from for entry in cache.entries(kept)] == ["model 1", "model 2"]


def test_being_used_is_remembered(kept, build):
    for number in range(2):
        cache.cached(f"key {number}", f"model {number}", build)
    for entry in cache.entries(kept):
        unused_for(entry.path, 9999)
    cache.cached("key 0", "model 0", build)
    assert cache.entries(kept)[0].made_from == "model 0"


def test_what_may_be_in_use_stays_however_much_it_is(kept, build, monkeypatch):
    cache.cached("key", "x", build)
    monkeypatch.setattr(cache, "MOST_BYTES", 1)
    cache.make_room(kept)
    assert len(cache.entries(kept)) == 1


def test_what_nobody_wanted_for_a_month_goes(kept, build):
    for number, days in enumerate([29, 31]):
        cache.cached(f"key {number}", f"model {number}", build)
        (new,) = (entry.path for entry in cache.entries(kept) if entry.made_from == f"model {number}")
        unused_for(new, 86400 * days)
    cache.make_room(kept)
    assert [entry.made_from for entry in cache.entries(kept)] == ["model 0"]


def test_what_was_never_finished_goes_after_a_day(kept, build):
    cache.cached("key", "x", build)
    for name, hours in (("old", 25), ("new", 1)):
        path = kept / f".{name}.part"
        path.mkdir()
        then = time.time() - 3600 * hours
        os.utime(path, (then, then))
    cache.make_room(kept)
    assert [path.name for path in kept.glob(".*")] == [".new.part"]


def test_the_place_follows_the_users_settings(tmp_path, monkeypatch):
    for variable in ("MTPROBE_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    if os.name != "nt":
        assert cache.cache_folder() == tmp_path / "home/.cache/mtprobe/graphs"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.cache_folder() == tmp_path / "xdg/mtprobe/graphs"
    monkeypatch.setenv("MTPROBE_CACHE", "~/mine")
    assert cache.cache_folder() == Path("~/mine/graphs").expanduser()
    monkeypatch.setenv("MTPROBE_CACHE", "OFF")
    assert cache.cache_folder() is None
