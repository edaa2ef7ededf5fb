"""Tests that hold for every transformer; the test files of the architectures inherit them."""

from __future__ import annotations

from collections import Counter

import numpy as np

from mtprobe.engine.graphs.attention_graphs import aligning_layers
from tests.engine.torch_models import Pair, Tokens

LIMIT, TOP = 12, 7  # maximum tokens of a translation, and next tokens


class NetworkLaws:
    """Subclasses have a fixture `pair`: our network and torch's, with the same weights."""

    def test_scores_are_those_of_torch(self, pair: Pair) -> None:
        sources, targets = pair.sources(12, seed=1), pair.targets(12, seed=2)
        scored = pair.ours.score(sources, targets, [pair.prefix] * len(sources))
        for source, target, scores in zip(sources, targets, scored, strict=True):
            np.testing.assert_allclose(scores, pair.score(source, target), rtol=0, atol=1e-4)

    def test_scores_do_not_depend_on_the_batch(self, pair: Pair) -> None:
        sources, targets = pair.sources(10, seed=3, longest=40), pair.targets(10, seed=4, longest=40)
        sources = [*sources, *sources[:4]]
        targets = [*targets, *reversed(targets[:4])]
        together = pair.ours.score(sources, targets, [pair.prefix] * len(sources))
        for source, target, scores in zip(sources, targets, together, strict=True):
            (alone,) = pair.ours.score([source], [target], [pair.prefix])
            np.testing.assert_allclose(scores, alone, rtol=0, atol=1e-5)

    def test_targets_that_begin_alike_are_scored_as_if_alone(self, pair: Pair) -> None:
        sources, targets = pair.sources(3, seed=9), pair.targets(3, seed=10, longest=30)
        pairs = [
            (source, (*target[:cut], 7, *target[cut:]))
            for source in sources
            for target in targets
            for cut in {len(target) - 1, len(target) // 2, len(target) // 3, 0}
        ]
        pairs = [*pairs, *pairs[:3]]
        scored = pair.ours.score(*map(list, zip(*pairs, strict=True)), [pair.prefix] * len(pairs))
        for (source, target), scores in zip(pairs, scored, strict=True):
            np.testing.assert_allclose(scores, pair.score(source, target), rtol=0, atol=1e-4)
            (alone,) = pair.ours.score([source], [target], [pair.prefix])
            np.testing.assert_allclose(scores, alone, rtol=0, atol=1e-5)

    def test_attention_is_that_of_torch(self, pair: Pair) -> None:
        sources, targets = pair.sources(8, seed=31), pair.targets(8, seed=32)
        attended = pair.ours.attention(sources, targets, [pair.prefix] * len(sources))
        layers = aligning_layers(pair.ours.dimensions.decoder_layers)
        for source, target, weights in zip(sources, targets, attended, strict=True):
            assert weights.shape == (len(target), len(source))
            np.testing.assert_allclose(weights, pair.attention(source, target, layers), rtol=0, atol=1e-4)
        assert max(np.ptp(weights) for weights in attended) > 0.1  # otherwise the test would show nothing

    def test_attention_does_not_depend_on_the_batch(self, pair: Pair) -> None:
        sources, targets = pair.sources(6, seed=33, longest=40), pair.targets(6, seed=34, longest=40)
        together = pair.ours.attention(sources, targets, [pair.prefix] * len(sources))
        for source, target, weights in zip(sources, targets, together, strict=True):
            (alone,) = pair.ours.attention([source], [target], [pair.prefix])
            np.testing.assert_allclose(weights, alone, rtol=0, atol=1e-5)

    def test_sources_without_a_token_are_scored_as_by_torch(self, pair: Pair) -> None:
        source, target = pair.sources(1, seed=21, longest=14)[0], pair.targets(1, seed=22, longest=9)[0]
        source = (5, 6, *source)
        places = [None, *range(len(source))]
        count = len(places)
        scores = pair.ours.score_without([source] * count, [target] * count, [pair.prefix] * count, places)
        expected = [pair.score_without(source, target, place) for place in places]
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-4)
        assert np.ptp(np.exp(expected), axis=0).max() > 1e-3  # otherwise the test would show nothing

    def test_greedy_translations_are_those_of_torch(self, pair: Pair) -> None:
        sources = pair.sources(32, seed=5)
        endless = pair.generate(sources, LIMIT, end=None)
        assert len(set(endless)) > 8  # the source matters
        # A random network hardly ever ends a sentence: EOS is a token that about half of them contain.
        counts = Counter(token for output in endless for token in set(output))
        end = min(counts, key=lambda token: abs(counts[token] - len(sources) / 2))
        expected = pair.generate(sources, LIMIT, end)
        assert len({len(output) for output in expected}) > 1
        assert greedy(pair, sources, LIMIT, end) == expected

    def test_steps_follow_any_rows(self, pair: Pair) -> None:
        """What beam search relies on: rows repeated, moved and dropped, with unlikely tokens."""
        random = np.random.default_rng(6)
        sources = pair.sources(6, seed=7)
        prefixes = [(*pair.prefix, *extra[:-1]) for extra in pair.targets(6, seed=8, longest=4)]
        state = pair.ours.start(sources, prefixes)
        rows, histories, origins = np.arange(6), [list(prefix[:-1]) for prefix in prefixes], list(range(6))
        tokens = np.array([prefix[-1] for prefix in prefixes])
        for _ in range(6):
            state, logprobs, words = pair.ours.step(state, rows, tokens, TOP)
            histories = [[*histories[row], int(token)] for row, token in zip(rows, tokens, strict=True)]
            origins = [origins[row] for row in rows]
            for row, (history, origin) in enumerate(zip(histories, origins, strict=True)):
                expected = pair.next_logprobs(sources[origin], history)[-1]
                best = np.argsort(-expected, kind="stable")[:TOP]
                np.testing.assert_allclose(logprobs[row], expected[best], rtol=0, atol=1e-4)
                np.testing.assert_allclose(expected[words[row]], expected[best], rtol=0, atol=1e-4)
                assert len(set(words[row].tolist())) == TOP
            rows = random.integers(0, len(rows), random.integers(2, 12))
            tokens = random.integers(4, pair.ours.dimensions.target_vocabulary, len(rows))


def greedy(pair: Pair, sources: list[Tokens], limit: int, end: int) -> list[Tokens]:
    """With EOS, if it was reached."""
    outputs: list[Tokens] = [()] * len(sources)
    state = pair.ours.start(sources, [pair.prefix] * len(sources))
    rows = alive = np.arange(len(sources))
    tokens = np.full(len(sources), pair.prefix[-1])
    while len(rows) and len(outputs[alive[0]]) < limit:
        state, _, words = pair.ours.step(state, rows, tokens, top=1)
        for row, word in zip(alive, words[:, 0].tolist(), strict=True):
            outputs[row] = (*outputs[row], word)
        rows = np.flatnonzero(words[:, 0] != end)
        tokens, alive = words[rows, 0], alive[rows]
    return outputs
