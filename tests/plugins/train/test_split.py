"""Splits keep clusters apart, and adding samples moves none."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from mtprobe_train.material.split import Shares, split, take

from mtprobe.errors import Place
from mtprobe.suite.sample import Sample

clusters = st.lists(st.text("abcdeé ", min_size=1, max_size=3), min_size=1, max_size=40)
shares = st.builds(Shares, st.floats(0, 0.9), st.floats(0, 0.9), st.integers(0, 5))


def samples_of(names: list[str]) -> list[Sample]:
    return [
        Sample(f"{place}", "A sentence.", None, None, {}, name, Place(Path("x")))
        for place, name in enumerate(names)
    ]


@given(clusters, shares)
def test_every_sample_is_in_one_part_and_every_cluster_too(names, shares):
    parts = split(samples_of(names), shares)
    listed = [*parts.train, *parts.dev, *parts.held_out]
    assert sorted(sample.id for sample in listed) == sorted(str(place) for place in range(len(names)))
    found = [
        {sample.cluster.casefold() for sample in part} for part in (parts.train, parts.dev, parts.held_out)
    ]
    assert sum(map(len, found)) == len(set().union(*found))


@given(clusters, clusters, shares)
def test_adding_samples_moves_none(names, more, shares):
    before, after = split(samples_of(names), shares), split(samples_of([*names, *more]), shares)
    for part in ("train", "dev", "held_out"):
        assert {sample.id for sample in getattr(before, part)} <= {
            sample.id for sample in getattr(after, part)
        }


@given(clusters, st.integers(1, 40), st.integers(1, 40))
def test_a_larger_take_includes_a_smaller_one_in_whole_clusters(names, first, second):
    samples = samples_of(names)
    smaller, larger = (take(samples, count, seed=1) for count in sorted((first, second)))
    assert {sample.id for sample in smaller} <= {sample.id for sample in larger}
    kept = {sample.cluster for sample in smaller}
    assert [sample for sample in samples if sample.cluster in kept] == list(smaller)


def test_about_the_share_that_was_asked_for_is_held_out():
    parts = split(samples_of([f"word {number}" for number in range(2000)]), Shares(0.5, 0.1, 0))
    assert 0.45 < len(parts.held_out) / 2000 < 0.55
    assert 0.07 < len(parts.dev) / (2000 - len(parts.held_out)) < 0.13
