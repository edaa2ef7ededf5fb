"""What must hold of every transformer, whatever its architecture; each test file asks it of its own."""

from __future__ import annotations

import numpy as np

from .torch_models import Pair, torch


def scores_are_those_of_torch(pair: Pair) -> None:
    sources, targets = pair.sources(12, seed=1), pair.targets(12, seed=2)
    scored = pair.ours.score(sources, targets, [pair.prefix] * len(sources))
    for source, target, scores in zip(sources, targets, scored, strict=True):
        np.testing.assert_allclose(scores, pair.score(source, target), rtol=0, atol=1e-4)


def scores_do_not_depend_on_the_batch(pair: Pair) -> None:
    sources, targets = pair.sources(10, seed=3, longest=40), pair.targets(10, seed=4, longest=40)
    sources = [*sources, *sources[:4]]
    targets = [*targets, *reversed(targets[:4])]
    together = pair.ours.score(sources, targets, [pair.prefix] * len(sources))
    for source, target, scores in zip(sources, targets, together, strict=True):
        (alone,) = pair.ours.score([source], [target], [pair.prefix])
        np.testing.assert_allclose(scores, alone, rtol=0, atol=1e-5)


def greedy_translations_are_those_of_torch(pair: Pair, limit: int = 12) -> None:
    sources, end = pair.sources(32, seed=5), pair.theirs.config.eos_token_id
    outputs: list[list[int]] = [[] for _ in sources]
    state = pair.ours.start(sources, [pair.prefix] * len(sources))
    rows, tokens = np.arange(len(sources)), np.full(len(sources), pair.prefix[-1])
    alive = rows
    for _ in range(limit):
        state, _, words = pair.ours.step(state, rows, tokens, top=1)
        for row, word in zip(alive, words[:, 0], strict=True):
            outputs[row].append(int(word))
        rows = np.flatnonzero(words[:, 0] != end)
        tokens, alive = words[rows, 0], alive[rows]
        if not len(rows):
            break
    for source, output in zip(sources, outputs, strict=True):
        with torch.no_grad():
            generated = pair.theirs.generate(
                torch.tensor([source]),
                decoder_input_ids=torch.tensor([pair.prefix]),
                num_beams=1,
                do_sample=False,
                max_new_tokens=limit,
                forced_eos_token_id=None,
                forced_bos_token_id=None,
                use_cache=False,
            )
        assert output == generated[0, len(pair.prefix) :].tolist()


def steps_follow_any_rows(pair: Pair, top: int = 7) -> None:
    """What beam search relies on: rows repeated, moved and dropped, with tokens that nobody expected."""
    random = np.random.default_rng(6)
    sources = pair.sources(6, seed=7)
    prefixes = [(*pair.prefix, *extra[:-1]) for extra in pair.targets(6, seed=8, longest=4)]
    state = pair.ours.start(sources, prefixes)
    rows, histories, origins = np.arange(6), [list(prefix[:-1]) for prefix in prefixes], list(range(6))
    tokens = np.array([prefix[-1] for prefix in prefixes])
    for _ in range(6):
        state, logprobs, words = pair.ours.step(state, rows, tokens, top)
        histories = [[*histories[row], int(token)] for row, token in zip(rows, tokens, strict=True)]
        origins = [origins[row] for row in rows]
        for row, (history, origin) in enumerate(zip(histories, origins, strict=True)):
            expected = pair.next_logprobs(sources[origin], history)[-1]
            best = np.argsort(-expected, kind="stable")[:top]
            np.testing.assert_allclose(logprobs[row], expected[best], rtol=0, atol=1e-4)
            np.testing.assert_allclose(expected[words[row]], expected[best], rtol=0, atol=1e-4)
            assert len(set(words[row].tolist())) == top
        rows = random.integers(0, len(rows), random.integers(2, 12))
        tokens = random.integers(4, pair.ours.model.target_vocabulary, len(rows))
