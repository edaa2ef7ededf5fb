"""Beam search with the results of transformers' `generate`, in batches that are refilled as sentences finish.

At each step the likeliest 2 × `beams` continuations of a sentence are considered (more with several EOS tokens).
Those among the first `beams` that end are finished translations; the best `beams` that do not end continue.
A sentence is done once no running hypothesis can become better than its worst finished translation;
`early_stopping` selects how that is estimated. At the maximum length, every hypothesis counts as finished.

Ties, whose order in torch is arbitrary: the better parent first, then the network's order; a translation found
earlier stays before one found later.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from threading import Lock
from typing import Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from mtprobe.engine.runtime.interface import State, StepNetwork
from mtprobe.engine.runtime.lanes import SINGLE_LANE, KeepGoing, Lanes, Share
from mtprobe.engine.search.bans import Bans
from mtprobe.engine.search.decoding import Decoding, Hypothesis
from mtprobe.engine.search.hypotheses import Flags, Floats, Integers, Running
from mtprobe.errors import ModelError

Scalar = TypeVar("Scalar", bound=np.generic)
Sentence: TypeAlias = tuple[int, tuple[Sequence[int], Sequence[int]]]  # place in the input, source and prefix

REFILL_WHEN_FREE = (
    0.25  # of the places; encoding one sentence at a time and joining at each step is expensive
)
LANE_ROWS = 32  # hypotheses that another lane is worth: each lane reads all weights in each step


def search(
    network: StepNetwork[State],
    sources: Iterable[Sequence[int]],
    prefixes: Iterable[Sequence[int]],
    settings: Decoding,
    lanes: Lanes = SINGLE_LANE,
) -> list[list[Hypothesis]]:
    """The `n_best` translations of each source, best first.

    Every lane has a batch of its own, which it refills from the sentences that are left. A list may have fewer than
    `n_best` translations, but at least one.
    """
    sentences = list(enumerate(zip(sources, prefixes, strict=True)))
    waiting = _Waiting(iter(sentences))
    count = min(lanes.count, len(sentences) * settings.beams // LANE_ROWS + 1)
    places = min(_places(settings), math.ceil(len(sentences) / count))

    def run(_: Share, keep_going: KeepGoing) -> dict[int, list[Hypothesis]]:
        results: dict[int, list[Hypothesis]] = {}
        for found in _finished(network, waiting, places, settings):
            results.update(found)
            if not keep_going():
                break
        return results

    results: dict[int, list[Hypothesis]] = {}
    for found in lanes.map(run, [[lane] for lane in range(count)]):
        results.update(found)
    return [results[place] for place, _ in sentences]


def stream(
    network: StepNetwork[State],
    sources: Iterable[Sequence[int]],
    prefixes: Iterable[Sequence[int]],
    settings: Decoding,
) -> Iterator[list[Hypothesis]]:
    """Like `search`, source by source. Sources are read as slots become free, so they may be infinite."""
    waiting = _Waiting(enumerate(zip(sources, prefixes, strict=True)))
    results: dict[int, list[Hypothesis]] = {}
    due = 0
    for found in _finished(network, waiting, _places(settings), settings):
        results.update(found)
        while due in results:
            yield results.pop(due)
            due += 1


def _places(settings: Decoding) -> int:
    return max(1, settings.batch_rows // settings.beams)


def _finished(
    network: StepNetwork[State], waiting: _Waiting, places: int, settings: Decoding
) -> Iterator[dict[int, list[Hypothesis]]]:
    """The sentences finished in each step, by position in the input."""
    enough = math.ceil(places * REFILL_WHEN_FREE)
    batch = _Batch(network, settings)
    while True:
        free = places - len(batch.running)
        if free >= enough:
            batch.enter(waiting.take(free))
        if not len(batch.running):
            return
        yield batch.step()


class _Waiting:
    """The sentences that no lane has taken yet: place in the input, source and prefix."""

    def __init__(self, sentences: Iterator[Sentence]) -> None:
        self._sentences, self._lock = sentences, Lock()

    def take(self, count: int) -> list[Sentence]:
        with self._lock:
            return list(islice(self._sentences, count))


class _Batch(Generic[State]):
    """The sentences that are being translated."""

    def __init__(self, network: StepNetwork[State], settings: Decoding) -> None:
        self.network = network
        self.settings = settings
        self.running = Running.entering([], [], settings, first_row=0)
        self.states: list[State] = []  # to be joined before the next step
        self.rows = 0  # of all states together

    def enter(self, sentences: Sequence[Sentence]) -> None:
        """Adds sentences to the batch."""
        if not sentences:
            return
        if not len(self.running):
            self.states, self.rows = [], 0
        places = [place for place, _ in sentences]
        sources = [source for _, (source, _) in sentences]
        prefixes = [prefix for _, (_, prefix) in sentences]
        self.running = self.running.join(Running.entering(places, prefixes, self.settings, self.rows))
        self.states.append(self.network.start(sources, prefixes))
        self.rows += len(sentences)

    def step(self) -> dict[int, list[Hypothesis]]:
        """Continues all sentences by a token; returns the translations of finished sentences by place."""
        done = self._leave(self._force_ends())
        return done | self._leave(self._continue()) if len(self.running) else done

    def _leave(self, done: Flags) -> dict[int, list[Hypothesis]]:
        if not done.any():
            return {}
        results = {
            int(self.running.places[sentence]): list(self.running.finished[sentence][: self.settings.n_best])
            for sentence in np.flatnonzero(done)
        }
        for place, hypotheses in results.items():
            if not hypotheses:
                raise ModelError(
                    f"sentence {place + 1} of the input has no translation: the network gives no finite "
                    "log-probability to any token that the settings allow"
                )
        self.running = self.running.keep(~done)
        return results

    def _force_ends(self) -> Flags:
        """Ends the sentences that have room for one more token, if that must be `forced_end`.

        Its log-probability counts as 0, so the network is not run.
        """
        running, forced = self.running, self.settings.forced_end
        if forced is None:
            return np.zeros(len(running), bool)
        last: Flags = running.lengths + 1 == running.limits
        scores = self._normalised(running.scores)
        better = last[:, None] & (scores > running.worst[:, None])
        rest = () if forced in self.settings.ends else (forced,)
        for sentence, beam in np.argwhere(better):
            tokens = running.generated(sentence, beam) + rest
            running.finish(sentence, Hypothesis(tokens, float(scores[sentence, beam]), finished=False))
        return last

    def _continue(self) -> Flags:
        """Runs one step of the network; returns which sentences are done."""
        running, settings = self.running, self.settings
        scores, parents, tokens, rows = self._candidates()
        ended = np.isin(tokens, settings.ends)
        stopped = ended | (running.lengths + 1 >= running.limits)[:, None]
        self._finish(scores, parents, tokens, ended, stopped)

        open_scores = np.where(stopped, np.float32(-np.inf), scores)
        best = np.argsort(-open_scores, axis=1, kind="stable")[:, : settings.beams]
        parents = _take(parents, best)
        running.extend(parents, _take(tokens, best), _take(open_scores, best), _take(rows, parents))
        return self._done()

    def _candidates(self) -> tuple[Floats, Integers, Integers, Integers]:
        """The likeliest continuations of each sentence, best first, after a step of the network.

        The network returns as many tokens per hypothesis as are considered per sentence, because all may continue
        the same hypothesis, and as many more as may be banned. Returns scores, parent hypotheses and tokens, each
        [sentence, candidate], and the rows [sentence, beam] of the new state.
        """
        running, alive = self.running, self.running.alive
        sentences, _ = np.nonzero(alive)
        history = running.tokens[alive]
        bans = Bans.on(history, running.lengths[sentences], self.settings)
        state = self.states[0] if len(self.states) == 1 else self.network.join(self.states)
        state, logprobs, following = self.network.step(
            state, running.rows[alive], history[:, -1], self.settings.candidates + bans.most
        )
        self.states, self.rows = [state], len(history)

        # The first step of a sentence has one row, later ones `beams`: expanded to the same shape.
        scores = np.full((*alive.shape, following.shape[1]), -np.inf, np.float32)
        scores[alive] = np.where(bans.among(following), -np.inf, logprobs)
        scores = (scores + running.scores[:, :, None]).reshape(len(running), -1)
        tokens = np.zeros((*alive.shape, following.shape[1]), np.intp)
        tokens[alive] = following
        best = np.argsort(-scores, axis=1, kind="stable")[:, : self.settings.candidates]
        rows = np.cumsum(alive).reshape(alive.shape) - 1
        return (
            _take(scores, best),
            best // following.shape[1],
            _take(tokens.reshape(len(running), -1), best),
            rows,
        )

    def _finish(
        self, scores: Floats, parents: Integers, tokens: Integers, ended: Flags, stopped: Flags
    ) -> None:
        """Keeps the candidates that stop here, if they are among the likeliest and better than earlier ones."""
        running, beams = self.running, self.settings.beams
        normalised = self._normalised(scores[:, :beams])
        better = stopped[:, :beams] & (normalised > running.worst[:, None])
        for sentence, candidate in np.argwhere(better):
            reached_end = bool(ended[sentence, candidate])
            rest = () if reached_end else (int(tokens[sentence, candidate]),)
            hypothesis = Hypothesis(
                tokens=running.generated(sentence, parents[sentence, candidate]) + rest,
                score=float(normalised[sentence, candidate]),
                finished=reached_end,
            )
            running.finish(sentence, hypothesis)

    def _normalised(self, scores: Floats) -> Floats:
        """The scores after one more token."""
        return self._per_length(scores, self.running.lengths + 1)

    def _per_length(self, scores: Floats, lengths: Integers) -> Floats:
        counted = (lengths - self.running.prompts).astype(np.float64)
        return scores / (counted**self.settings.length_penalty).astype(np.float32)[:, None]

    def _done(self) -> Flags:
        """Which sentences cannot get better translations, as estimated by `early_stopping`."""
        running, settings = self.running, self.settings
        optimistic = settings.early_stopping == "never" and settings.length_penalty > 0
        lengths = running.limits if optimistic else running.lengths
        attainable = self._per_length(running.scores[:, :1], lengths)[:, 0]
        done: Flags = ~(attainable > running.worst)
        if settings.stops_when_full:
            done |= np.isfinite(running.worst)
        return done


def _take(values: NDArray[Scalar], indices: Integers) -> NDArray[Scalar]:
    return np.take_along_axis(values, indices, axis=1)
