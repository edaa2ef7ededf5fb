"""The decoder state of a batch of hypotheses, and merging of states that started at different times.

The tokens of a sentence's hypotheses are a tree: hypotheses share their beginnings. Each token has a slot in the cache of
its sentence, where it stays; a hypothesis is the set of slots that it has seen. Slots that no hypothesis has seen are
free for new tokens. Which slots a sentence uses depends on its own hypotheses only, not on its batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mtprobe.engine.runtime.packing import Integers, group
from mtprobe.engine.runtime.session import Value, on_host

FIRST_SLOTS, MORE_SLOTS = 32, 16  # of a cache: at first, and that it grows by
KEEP_WHILE_USED = 0.75  # of the sentences; compacting the rest costs about as much as a step

Flags: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Attended:
    """The keys and values that the decoder attends to: one row per sentence, shared by its hypotheses."""

    mask: npt.NDArray[np.int32]  # [sentences, longest]
    keys_and_values: list[Value]  # of each decoder layer in turn, [sentences, heads, longest, head width]

    def keep(self, sentences: Integers) -> Attended:
        """Only the given sentences, without positions that are padding in all of them."""
        mask = self.mask[sentences]
        longest = int(mask.sum(axis=1).max())
        return Attended(
            np.ascontiguousarray(mask[:, :longest]),
            [
                np.ascontiguousarray(on_host(values)[sentences, :, :longest])
                for values in self.keys_and_values
            ],
        )


@dataclass(frozen=True, slots=True)
class TransformerState:
    """One row per hypothesis; the cache and what is attended to have one row per sentence."""

    attended: Attended
    cache: list[Value]  # keys and values of each decoder layer in turn, [sentences, heads, slots, head width]
    sentences: Integers  # [rows] the sentence that each hypothesis belongs to
    places: Integers  # [rows] the position of the next token
    seen: Flags  # [rows, slots] the tokens of each hypothesis
    joined: tuple[TransformerState, ...] = ()  # their rows follow; merged when it is known which rows go on

    def continued(self, rows: Integers) -> TransformerState:
        """Only the given hypotheses. Drops the sentences without any, once they are many."""
        if self.joined:
            return _merged((replace(self, joined=()), *self.joined), rows)
        sentences, places, seen = self.sentences[rows], self.places[rows], self.seen[rows]
        used, renumbered = np.unique(sentences, return_inverse=True)
        if len(used) > KEEP_WHILE_USED * len(self.attended.mask):
            return TransformerState(self.attended, self.cache, sentences, places, seen)
        cache: list[Value] = [np.ascontiguousarray(on_host(values)[used]) for values in self.cache]
        return TransformerState(self.attended.keep(used), cache, renumbered, places, seen)

    def with_slots(self, count: int) -> TransformerState:
        """With more slots in the cache."""
        cache: list[Value] = [pad_end(on_host(values), count, axis=2) for values in self.cache]
        return replace(self, cache=cache, seen=pad_end(self.seen, count, axis=1))


@dataclass(frozen=True, slots=True)
class NewTokens:
    """The positions for the next token of each hypothesis, and how the hypotheses of a sentence attend together."""

    slots: Integers  # [rows]
    places: Integers  # [rows] the place of each row among the rows of its sentence
    unpack: Integers  # [sentences, most] the row at each place; row 0 at padding
    inside: Flags  # [sentences, most] False at padding

    @classmethod
    def of(cls, state: TransformerState, fewest: int) -> tuple[TransformerState, NewTokens]:
        """Free slots for one more token per row, in a state that has enough of them."""
        count = len(state.attended.mask)
        grouped = group(state.sentences, count, fewest)
        sizes = np.bincount(state.sentences, minlength=count)
        inside = np.arange(grouped.unpack.shape[1]) < sizes[:, None]
        used: Flags = np.any(state.seen[grouped.unpack] & inside[:, :, None], axis=1)
        most = int((used.sum(axis=1) + sizes).max())
        if most > used.shape[1]:
            state = state.with_slots(max(FIRST_SLOTS, -(-most // MORE_SLOTS) * MORE_SLOTS))
            used = pad_end(used, state.seen.shape[1], axis=1)
        free_first = np.argsort(used, axis=1, kind="stable")
        slots = free_first[state.sentences, grouped.places]
        return state, cls(slots, grouped.places, grouped.unpack, inside)

    def indices(self, sentences: Integers, heads: int) -> Integers:
        """[rows, heads, 3] sentence, head and slot."""
        indices = np.empty((len(sentences), heads, 3), np.int64)
        indices[:, :, 0] = sentences[:, None]
        indices[:, :, 1] = np.arange(heads)
        indices[:, :, 2] = self.slots[:, None]
        return indices

    def seen_by_sentence(self, seen: Flags) -> npt.NDArray[np.int32]:
        """[sentences, most, slots]"""
        return (seen[self.unpack] & self.inside[:, :, None]).astype(np.int32)


def join_states(states: Sequence[TransformerState]) -> TransformerState:
    """The rows of all states in order, whatever the lengths of their sources and hypotheses."""
    first, *others = (part for state in states for part in (replace(state, joined=()), *state.joined))
    return replace(first, joined=tuple(others))


def _merged(states: Sequence[TransformerState], rows: Integers) -> TransformerState:
    """The given rows. Sentences of later states take the places of those of the first one that have no row left."""
    first, *others = states
    starts = np.cumsum([0, *(len(state.sentences) for state in states)])
    size = len(first.attended.mask)
    unused = np.setdiff1d(np.arange(size), first.sentences[rows[rows < starts[1]]])
    more = sum(len(state.attended.mask) for state in others)
    places = np.concatenate([unused, np.arange(size, size + more)])[:more]
    ends = np.cumsum([len(state.attended.mask) for state in others])
    taken = [part for part in np.split(places, ends) if len(part)]
    longest = max(state.attended.mask.shape[1] for state in states)
    slots = max(state.seen.shape[1] for state in states)
    masks = [pad_end(state.attended.mask, longest, axis=1) for state in states]
    sentences = [
        first.sentences,
        *(place[state.sentences] for place, state in zip(taken, others, strict=True)),
    ]
    return TransformerState(
        Attended(
            _placed(masks, taken), _each_placed([state.attended.keys_and_values for state in states], taken)
        ),
        _each_placed([state.cache for state in states], taken),
        np.concatenate(sentences)[rows],
        np.concatenate([state.places for state in states])[rows],
        np.concatenate([pad_end(state.seen, slots, axis=1) for state in states])[rows],
    )


def _each_placed(states: Sequence[Sequence[Value]], taken: Sequence[Integers]) -> list[Value]:
    return [_placed([on_host(values) for values in layer], taken) for layer in zip(*states, strict=True)]


def _placed(arrays: Sequence[npt.NDArray[Any]], taken: Sequence[Integers]) -> npt.NDArray[Any]:
    """The first array, with the rows of the others in the places that they take; larger if it has to be.

    What a shorter row leaves of another one is never attended to.
    """
    first, *others = arrays
    axis = min(2, first.ndim - 1)
    rows = max(len(first), *(int(places.max()) + 1 for places in taken))
    width = max(array.shape[axis] for array in arrays)
    if (rows, width) != (len(first), first.shape[axis]):
        larger = np.zeros((rows, *first.shape[1:axis], width, *first.shape[axis + 1 :]), first.dtype)
        _columns(larger, first.shape[axis], axis)[: len(first)] = first
        first = larger
    for array, places in zip(others, taken, strict=True):
        _columns(first, array.shape[axis], axis)[places] = array
    return first


def _columns(array: npt.NDArray[Any], width: int, axis: int) -> npt.NDArray[Any]:
    return array[(*[slice(None)] * axis, slice(width))]


def pad_end(values: npt.NDArray[Any], width: int, axis: int) -> npt.NDArray[Any]:
    """The values with zeros after them along an axis, up to a width; the same array if there is nothing to add."""
    return _pad(values, (0, width - values.shape[axis]), axis)


def pad_start(values: npt.NDArray[Any], width: int, axis: int) -> npt.NDArray[Any]:
    return _pad(values, (width - values.shape[axis], 0), axis)


def _pad(values: npt.NDArray[Any], before_and_after: tuple[int, int], axis: int) -> npt.NDArray[Any]:
    if not any(before_and_after):
        return values
    widths = [(0, 0)] * values.ndim
    widths[axis] = before_and_after
    return np.pad(values, widths)
