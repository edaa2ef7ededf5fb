"""One file for the weights of all graphs, complete and without duplicates."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.engine.converted.write import PAGE, lay_out

KINDS = ["float32", "float16", "int8", "int64"]


@st.composite
def arrays(draw):
    """Arrays of any type, some of them views or copies of others."""
    weights = []
    for seed in range(draw(st.integers(1, 6))):
        kind, rows, width = draw(st.sampled_from(KINDS)), draw(st.integers(1, 300)), draw(st.integers(1, 40))
        array = np.random.default_rng(seed).integers(0, 3, (rows, width)).astype(kind)
        weights.append(array)
        for _ in range(draw(st.integers(0, 3))):
            start = draw(st.integers(0, rows - 1))
            weights.append(array[start : draw(st.integers(start + 1, rows))])
        if draw(st.booleans()):
            weights.append(array.copy())
    return draw(st.permutations(weights))


@given(weights=arrays())
def test_every_array_is_found_where_the_layout_says(weights, tmp_path_factory):
    path = tmp_path_factory.mktemp("weights") / "weights.bin"
    layout = lay_out(weights)
    written = layout.write(path)
    content = path.read_bytes()
    assert written.size == layout.size == len(content)
    for array in weights:
        start = layout.offset(array)
        assert content[start : start + array.nbytes] == array.tobytes()


def test_a_view_is_found_within_its_array_and_a_copy_where_the_first_is(tmp_path):
    table = np.arange(3000, dtype=np.float32).reshape(100, 30)
    layout = lay_out([table[40:60], table.copy(), table, table[:10]])
    assert layout.write(tmp_path / "w").size == table.nbytes
    assert layout.offset(table) == layout.offset(table[:10]) == 0
    assert layout.offset(table[40:60]) == 40 * 30 * 4


def test_arrays_of_other_content_start_at_pages():
    weights = [np.full(1000, number, np.float32) for number in range(5)]
    offsets = [lay_out(weights).offset(array) for array in weights]
    assert len(set(offsets)) == 5
    assert all(offset % PAGE == 0 for offset in offsets)


def test_the_file_does_not_depend_on_where_arrays_are_in_memory(tmp_path):
    memory = np.empty((2, 2000), np.float32)
    for name, places in (("one", (0, 1)), ("other", (1, 0))):
        first, second = (memory[place] for place in places)
        first[:], second[:] = 1, 2
        lay_out([first, second]).write(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
