"""Slots: reading a target in blocks gives what reading it at once gives, whatever was read and dropped in between."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.engine.build import ssru_definition, transformer_definition
from mtprobe.engine.runtime.blocks.reader import can_read_blocks, open_blocks
from mtprobe.engine.runtime.blocks.slots import COLUMNS, Slots
from tests.engine.random_models import (
    END,
    VOCABULARY,
    random_ssru_model,
    sentences,
    ssru,
    transformer,
    transformer_model,
)

PREFIX = (END,)
KINDS = {
    "ssru": ssru,
    "post-norm": transformer,
    "pre-norm": lambda: transformer(norm_first=True),
}


@pytest.fixture(scope="module", params=list(KINDS))
def network(request):
    return KINDS[request.param]()


@pytest.fixture(scope="module")
def reader(network):
    return open_blocks(network)


def expected(network, source, tokens) -> list[float]:
    """The log-probability of each token after the prefix."""
    return network.score([source], [tokens], [PREFIX])[0].tolist()


def logprobs(slots: Slots, hidden: np.ndarray) -> np.ndarray:
    """[tokens, vocabulary]"""
    best, words = slots.sessions.network.likeliest(hidden, VOCABULARY)
    return np.take_along_axis(best, np.argsort(words, axis=1), axis=1)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**31), longest=st.integers(1, 2 * COLUMNS))
def test_blocks_of_any_length_read_what_scoring_reads(network, reader, seed, longest):
    random = np.random.default_rng(seed)
    sources = sentences(4, seed=seed, longest=longest)
    targets = [
        (*random.integers(1, VOCABULARY, random.integers(1, longest + 1)).tolist(), END) for _ in sources
    ]
    slots = reader.slots(4)
    slots.enter(np.arange(4), sources)
    got: list[list[float]] = [[] for _ in targets]
    unread = [(*PREFIX, *target[:-1]) for target in targets]
    while any(len(got[slot]) < len(targets[slot]) for slot in range(4)):
        blocks, counts = [], []
        for rest in unread:
            good = rest[: random.integers(1, 6)] if rest else (3,)
            junk = random.integers(1, VOCABULARY, random.integers(0, 4)).tolist()
            blocks.append((*good, *junk))
            counts.append(len(good) if rest else 0)
        hidden, lengths = slots.hidden(blocks)
        slots.keep(np.array(counts))
        by_slot = np.split(logprobs(slots, hidden), np.cumsum(lengths)[:-1])
        for slot, count in enumerate(counts):
            for row in by_slot[slot][:count]:
                got[slot].append(float(row[targets[slot][len(got[slot])]]))
            unread[slot] = unread[slot][count:]
    for source, target, values in zip(sources, targets, got, strict=True):
        np.testing.assert_allclose(values, expected(network, source, target), rtol=0, atol=2e-5)


def test_a_sentence_can_move_and_its_slot_be_taken(network, reader):
    short, long, other = (5, 6, END), tuple(range(3, 40)), (9, 8, 7, END)
    slots = reader.slots(3)
    slots.enter(np.array([0, 1, 2]), [long, short, long])
    slots.hidden([(*PREFIX, 4), PREFIX, PREFIX])
    slots.keep(np.array([2, 1, 1]))
    slots.enter(np.array([0]), [other])  # shorter than what was there
    slots.move(2, 1)
    hidden, _ = slots.hidden([(*PREFIX, 11, 12), (13, 14)])
    rows = logprobs(slots, hidden)
    taken = [rows[place, token] for place, token in enumerate((11, 12, 13))]
    np.testing.assert_allclose(taken, expected(network, other, (11, 12, 13)), rtol=0, atol=2e-5)
    moved = [rows[3, 14], rows[4, 15]]
    np.testing.assert_allclose(moved, expected(network, long, (13, 14, 15))[1:], rtol=0, atol=2e-5)


def test_the_likeliest_word_and_its_lead_are_those_of_the_projection(reader):
    sources = sentences(6, seed=4)
    slots = reader.slots(6)
    slots.enter(np.arange(6), sources)
    words, leads = slots.read([PREFIX] * 6)
    rows = logprobs(slots, slots.hidden([PREFIX] * 6)[0])
    best = np.sort(rows, axis=1)
    assert words.tolist() == rows.argmax(axis=1).tolist()
    assert (leads <= best[:, -1] - best[:, -2] + 1e-5).all()
    assert (leads > 0).any()


@pytest.mark.parametrize("dtype", ["int8"])
def test_only_single_precision_reads_blocks(dtype):
    assert not can_read_blocks(transformer(dtype))
    assert "block" not in transformer_definition(transformer_model(), dtype).graphs
    assert "block" not in ssru_definition(random_ssru_model(), 20, dtype).graphs


def test_states_on_a_device_are_not_read_in_blocks():
    from mtprobe.backends.device import Device

    assert can_read_blocks(transformer())
    assert not can_read_blocks(transformer(device=Device("cpu", bind=True)))


def test_a_network_without_the_graph_reads_no_blocks(network):
    """As models that were exported by an earlier version."""
    graphs = {name: network.graphs[name] for name in network.graphs if name not in ("block", "screen")}
    assert not can_read_blocks(replace(network, graphs=graphs))


def test_words_are_the_same_without_screening(network, reader):
    """As on processors on which int8 is slow."""
    graphs = {name: network.graphs[name] for name in network.graphs if name != "screen"}
    projecting = open_blocks(replace(network, graphs=graphs))
    assert projecting.slots(1).sessions.screen is None
    assert reader.slots(1).sessions.screen is not None
    sources, found = sentences(8, seed=6), []
    for opened in (reader, projecting):
        slots = opened.slots(8)
        slots.enter(np.arange(8), sources)
        found.append(slots.read([PREFIX] * 8))
    (words, leads), (exact_words, exact_leads) = found
    assert words.tolist() == exact_words.tolist()
    assert (leads <= exact_leads + 1e-5).all()
