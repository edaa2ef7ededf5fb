"""Number formats of saved networks: each has its own entry, and none is mistaken for another."""

from __future__ import annotations

import numpy as np
import pytest

from mtprobe.backends.device import Device
from mtprobe.backends.protocols import OpenRequest
from mtprobe.engine.build import ssru_definition
from mtprobe.engine.converted.manifest import describe
from mtprobe.engine.converted.read import open_saved
from mtprobe.engine.converted.write import write_manifest, write_network
from mtprobe.engine.firefox import open_firefox
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.engine.runtime.ssru_steps import SsruSteps
from mtprobe.errors import ModelError
from tests.engine.converted.models import PAIRS, put_firefox
from tests.engine.random_models import CPU, POSITIONS, random_ssru_model

SOURCES, TARGETS = [(5, 9, 7, 0), (3, 0)], [(8, 4, 0), (0,)]


def test_each_format_has_an_entry_of_its_own(tmp_path, monkeypatch):
    folder, kept = put_firefox(tmp_path / "xxyy"), tmp_path / "cache" / "graphs"
    monkeypatch.setenv("MTPROBE_CACHE", str(tmp_path / "cache"))
    scored = {}
    for dtype, entries in (("fp32", 1), ("int8", 2), ("fp32", 2), ("int8", 2)):
        scores = open_firefox(str(folder), OpenRequest(threads=1, dtype=dtype)).score(PAIRS)
        assert scored.setdefault(dtype, scores) == scores
        assert len(list(kept.iterdir())) == entries
    assert scored["fp32"] != scored["int8"]


@pytest.mark.parametrize("dtype", ["fp32", "fp16", "int8"])
def test_what_is_saved_gives_the_same_numbers_and_knows_its_format(tmp_path, dtype):
    parts = ssru_definition(random_ssru_model(), POSITIONS, dtype)
    write_manifest(describe(parts.dimensions, write_network(parts, tmp_path), "random"), tmp_path)
    read = open_saved(tmp_path).network(dtype)
    assert read.dimensions == parts.dimensions
    built, saved = (SsruNetwork(each.dimensions, each.graphs, CPU, 1) for each in (parts, read))
    for expected, actual in zip(built.score(SOURCES, TARGETS), saved.score(SOURCES, TARGETS), strict=True):
        np.testing.assert_array_equal(expected, actual)
    bound = SsruSteps(SsruNetwork(read.dimensions, read.graphs, Device("cpu", bind=True), 1))
    for steps in (SsruSteps(built), bound):
        state = steps.start(SOURCES, [(0,), (0,)])
        _, logprobs, _ = steps.step(state, np.array([1, 0]), np.zeros(2, np.int64), top=3)
        assert logprobs.dtype == np.float32
    other_format = "int8" if dtype != "int8" else "fp32"
    with pytest.raises(ModelError, match=f"exported in {dtype}, but {other_format} was requested"):
        open_saved(tmp_path).network(other_format)
