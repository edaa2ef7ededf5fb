"""Greedy translation with drafts, which are translations of similar sentences.

The network reads a draft at once and gives the likeliest word after each of its tokens. As long as that word is the
next token of the draft, it is accepted; the first other one continues the translation, and the draft is taken up again
where it fits.

The output is that of the plain search: a word counts only if it is ahead of all others by more than rounding can
change (`CLEAR`). A sentence in which one is not is left to the plain search, as are those that become very long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from mtprobe.engine.runtime.blocks.reader import BlockReader
from mtprobe.engine.runtime.blocks.slots import CLEAR, Slots
from mtprobe.engine.runtime.lanes import KeepGoing
from mtprobe.engine.search.decoding import Decoding
from mtprobe.engine.search.siblings import Draft, Siblings

Tokens: TypeAlias = tuple[int, ...]
_Result: TypeAlias = tuple[int, Tokens | None]  # the place of a sentence among siblings, and its translation

MOST_SLOTS = 128  # per lane; more make a token hardly cheaper
BYTES = 256 * 2**20  # per lane, for what the slots keep
REFILL_WHEN_FREE = 0.25  # of the slots; encoding one sentence at a time is expensive
LONG = (3, 32)  # times the source, and more tokens: such a translation is probably endless


@dataclass(frozen=True, slots=True)
class Greedy:
    """The interface that greedy search needs."""

    prefix: Tokens  # what the decoder starts from
    ends: tuple[int, ...]
    limit: int  # tokens, the prefix and the end included
    suppressed: tuple[int, ...] = ()

    @classmethod
    def of(cls, decoding: Decoding, prefix: Tokens) -> Greedy:
        return cls(prefix, decoding.ends, decoding.limit(len(prefix)), decoding.suppressed)


def drafts_fit(decoding: Decoding) -> bool:
    """Whether the search is greedy and takes the likeliest word whatever came before."""
    return decoding.beams == 1 and not decoding.min_length and not decoding.no_repeat_ngram_size


def translate_with_drafts(
    reader: BlockReader, siblings: Siblings, sources: Sequence[Tokens], settings: Greedy
) -> list[Tokens | None]:
    """The tokens of each translation, without the end; None where only the plain search can say.

    `siblings` are the sentences that were translated before, to which these are added.
    """
    results: list[Tokens | None] = [None] * len(sources)
    for group in _of_similar_length(sources):
        order = siblings.enter([sources[place] for place in group])
        start = min(order)

        def run(share: list[int], keep_going: KeepGoing, order: list[int] = order) -> list[_Result]:
            return list(_Lane(reader, siblings, settings, [order[place] for place in share]).run(keep_going))

        for of_lane in reader.lanes.map(run, reader.lanes.deal([1] * len(order))):
            for place, translation in of_lane:
                results[group[place - start]] = translation
    return results


def _of_similar_length(sources: Sequence[Tokens]) -> Iterator[list[int]]:
    """The places of the sources, longest first; what is padded is at most about half."""
    group: list[int] = []
    for place in sorted(range(len(sources)), key=lambda place: -len(sources[place])):
        if group and len(sources[place]) < len(sources[group[0]]) / 2 - 8:
            yield group
            group = []
        group.append(place)
    if group:
        yield group


@dataclass(slots=True)
class _Sentence:
    """A sentence that is being translated."""

    member: int
    unread: Tokens  # tokens that the network has not read yet: the prefix, or the latest token
    limit: int
    output: list[int] = field(default_factory=list)
    draft: Draft | None = None
    tried: Tokens = ()  # tokens of the draft that are being read


class _Lane:
    """Translates a share of the sentences."""

    def __init__(
        self, reader: BlockReader, siblings: Siblings, settings: Greedy, members: Sequence[int]
    ) -> None:
        self.siblings, self.settings = siblings, settings
        self.waiting = list(reversed(members))
        longest = max(len(siblings.sources[member]) for member in members)
        self.slots: Slots = reader.slots(min(len(members), reader.fitting(longest, BYTES, MOST_SLOTS)))
        self.running: list[_Sentence | None] = []
        self.banned = {*settings.suppressed} - {*settings.ends}

    def run(self, keep_going: KeepGoing) -> Iterator[_Result]:
        while keep_going():
            self._enter()
            self._close_gaps()
            if not self.running:
                return
            yield from self._step()

    def _enter(self) -> None:
        self.running += [None] * (self.slots.count - len(self.running))
        free = [slot for slot, sentence in enumerate(self.running) if sentence is None]
        if not self.waiting or len(free) < REFILL_WHEN_FREE * self.slots.count:
            return
        settings, entering = self.settings, []
        for slot in free[: len(self.waiting)]:
            member = self.waiting.pop()
            times, more = LONG
            long = times * len(self.siblings.sources[member]) + more
            sentence = _Sentence(member, settings.prefix, min(long, settings.limit - len(settings.prefix)))
            self.running[slot] = sentence
            entering.append((slot, member))
        slots, members = zip(*entering, strict=True)
        self.slots.enter(np.array(slots), [self.siblings.sources[member] for member in members])

    def _close_gaps(self) -> None:
        """Moves the last sentences into free slots, so that the first slots are the ones in use."""
        running = self.running
        free = [slot for slot, sentence in enumerate(running) if sentence is None]
        for slot in free:
            while running and running[-1] is None:
                running.pop()
            if slot >= len(running):
                break
            self.slots.move(len(running) - 1, slot)
            running[slot] = running.pop()

    def _step(self) -> Iterator[_Result]:
        sentences = [sentence for sentence in self.running if sentence is not None]
        # In a full batch a token of a draft costs as much as one of the output; in the room that others leave, little.
        room = self.slots.room // len(sentences) - 1
        for sentence in sentences:
            self._try(sentence, room)
        words, leads = self.slots.read([(*sentence.unread, *sentence.tried) for sentence in sentences])
        following = iter(zip(words.tolist(), (leads > CLEAR).tolist(), strict=True))
        stay = []
        for slot, sentence in enumerate(sentences):
            before = len(sentence.unread)
            predicted = [next(following) for _ in range(before + len(sentence.tried))][before - 1 :]
            done, accepted = self._continue(sentence, predicted)
            stay.append(before + accepted)
            if done:
                translation = None if done == "plain" else tuple(sentence.output)
                if translation is not None:
                    self.siblings.translated(sentence.member, (*translation, self.settings.ends[0]))
                self.running[slot] = None
                yield sentence.member, translation
        self.slots.keep(np.array(stay))

    def _try(self, sentence: _Sentence, most: int) -> None:
        if sentence.draft is None:
            sentence.draft = self.siblings.draft(sentence.member, sentence.output)
        sentence.tried = ()
        if sentence.draft is not None:
            rest = sentence.limit - len(sentence.output) - 1
            sentence.tried = tuple(sentence.draft.after(min(most, rest)))

    def _continue(self, sentence: _Sentence, predicted: Sequence[tuple[int, bool]]) -> tuple[str, int]:
        """Accepts the words that are certain, up to the first that is not the draft's.

        Returns how the sentence is done, if it is, and how many tokens of the draft are accepted.
        """
        for accepted, (word, clear) in enumerate(predicted):
            last = len(sentence.output) + 1 >= sentence.limit
            if not clear or word in self.banned or last:
                return "plain", accepted
            if word in self.settings.ends:
                return "ended", accepted
            sentence.output.append(word)
            if sentence.draft is not None:
                sentence.draft.advance(word)
            sentence.unread = (word,)
            if accepted == len(sentence.tried) or sentence.tried[accepted] != word:
                return "", accepted
        raise AssertionError("one word more is predicted than the draft has tokens")
