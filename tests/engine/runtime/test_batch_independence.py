"""Scores and translations do not depend on the batch."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mtprobe.engine.engines import FirefoxEngine
from mtprobe.engine.search.greedy import translate_batch

PAIRS = 200
batches = st.lists(st.integers(0, PAIRS - 1), min_size=1, max_size=64)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batch=batches)
def test_a_score_does_not_depend_on_its_batch(engine: FirefoxEngine, sources, translations, alone, batch):
    together = engine.network.score([sources[i] for i in batch], [translations[i] for i in batch])
    for index, scores in zip(batch, together, strict=True):
        np.testing.assert_allclose(scores, alone[index], rtol=0, atol=1e-5)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batch=batches, rows=st.integers(1, 64))
def test_a_translation_does_not_depend_on_its_batch(
    engine: FirefoxEngine, sources, translations, batch, rows
):
    chosen = [sources[i] for i in batch[:rows]]
    outputs = translate_batch(engine.network, chosen, engine.target.end, limit=256)
    assert [(*output, engine.target.end) for output in outputs] == [translations[i] for i in batch[:rows]]


def test_very_different_lengths_in_one_batch_do_not_matter(
    engine: FirefoxEngine, sources, translations, alone
):
    together = engine.network.score(sources[-64:], translations[-64:])
    for scores, expected in zip(together, alone[-64:], strict=True):
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-5)
