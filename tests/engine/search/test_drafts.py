"""Greedy translation with drafts has the output of greedy translation without, whatever the drafts are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.engine.build import ssru_definition
from mtprobe.engine.engines import open_network
from mtprobe.engine.graphs.weights import Linear
from mtprobe.engine.runtime.blocks import slots
from mtprobe.engine.runtime.blocks.reader import BlockReader, open_blocks
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.engine.search import drafts
from mtprobe.engine.search.beam import search
from mtprobe.engine.search.decoding import Decoding
from mtprobe.engine.search.drafts import Greedy, drafts_fit, translate_with_drafts
from mtprobe.engine.search.greedy import translate_batch
from mtprobe.engine.search.siblings import Draft, Siblings
from tests.engine.random_models import CPU, POSITIONS, VOCABULARY, random_ssru_model, sentences, transformer

LIMIT = 20  # tokens of a translation


@dataclass
class Case:
    """A network, and a token that ends about half of its translations."""

    network: object
    reader: BlockReader
    end: int = -1

    def __post_init__(self) -> None:
        outputs = self.plain(self.sources(40))
        assert len(set(outputs)) > 20
        counts = Counter(token for output in outputs for token in set(output))
        self.end = min(counts, key=lambda token: abs(counts[token] - len(outputs) / 2))

    @property
    def decoding(self) -> Decoding:
        return Decoding(ends=(self.end,), max_new_tokens=LIMIT, suppressed=())

    @property
    def greedy(self) -> Greedy:
        return Greedy.of(self.decoding, (0,))

    def sources(self, count: int, seed: int = 1) -> list[tuple[int, ...]]:
        """Families of sources that differ in a token."""
        random, found = np.random.default_rng(seed), []
        for source in sentences(count, seed, longest=12):
            found.append(source)
            if len(source) > 3:
                place = int(random.integers(len(source) - 1))
                found.append((*source[:place], int(random.integers(1, VOCABULARY)), *source[place + 1 :]))
        return list(dict.fromkeys(found))[:count]

    def plain(self, sources: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        if isinstance(self.network, SsruNetwork):
            return translate_batch(self.network, sources, self.end, LIMIT)
        found = search(self.network, sources, [(0,)] * len(sources), self.decoding)
        return [hypotheses[0].tokens for hypotheses in found]


def varied_ssru() -> SsruNetwork:
    """With an output of its own: a random network that projects to its embeddings repeats its last word."""
    random, model = np.random.default_rng(5), random_ssru_model()
    matrix = random.standard_normal(model.output.matrix.shape).astype(np.float32)
    model = replace(model, output=Linear(matrix, None))
    return open_network(ssru_definition(model, POSITIONS), CPU, 1)


@pytest.fixture(scope="module", params=["ssru", "post-norm", "pre-norm"])
def case(request) -> Case:
    makers = {"ssru": varied_ssru, "post-norm": transformer, "pre-norm": lambda: transformer(norm_first=True)}
    network = makers[request.param]()
    return Case(network, open_blocks(network))


class Given(Siblings):
    """Siblings whose drafts are given, at once."""

    def __init__(self, given: dict[tuple[int, ...], Sequence[int]]) -> None:
        super().__init__()
        self.given = given

    def draft(self, place, output):
        draft = Draft(self.given[self.sources[place]])
        for token in output:
            draft.advance(token)
        return draft


def with_given(case: Case, sources, given: Sequence[Sequence[int]]) -> list[tuple[int, ...] | None]:
    siblings = Given(dict(zip(sources, given, strict=True)))
    return translate_with_drafts(case.reader, siblings, sources, case.greedy)


def check(case: Case, sources, found: Sequence[tuple[int, ...] | None], some: bool = True) -> None:
    """Every translation is that of the plain search, and only near ties and the limit are left to it."""
    expected = case.plain(sources)
    for source, translation, plain in zip(sources, found, expected, strict=True):
        if translation is None:
            assert len(plain) >= LIMIT - 1 or smallest_lead(case, source, plain) <= slots.CLEAR
        else:
            assert translation == plain
    assert not some or any(translation is not None for translation in found)


def smallest_lead(case: Case, source, target) -> float:
    """How far the words of a translation are ahead of all others, at least."""
    slot = case.reader.slots(1)
    slot.enter(np.array([0]), [source])
    _, leads = slot.read([(0, *target)])
    return float(leads.min())


def test_siblings_are_translated_as_before(case):
    sources = case.sources(60)
    check(case, sources, translate_with_drafts(case.reader, Siblings(), sources, case.greedy))


def test_the_order_and_the_others_do_not_matter(case):
    sources = case.sources(40, seed=2)
    expected = dict(
        zip(sources, translate_with_drafts(case.reader, Siblings(), sources, case.greedy), strict=True)
    )
    shuffled = [sources[place] for place in np.random.default_rng(3).permutation(len(sources))]
    for some in (shuffled, shuffled[:7], shuffled[:1]):
        found = translate_with_drafts(case.reader, Siblings(), some, case.greedy)
        assert dict(zip(some, found, strict=True)) == {source: expected[source] for source in some}


def test_what_was_translated_before_does_not_matter(case):
    sources, siblings = case.sources(24, seed=3), Siblings()
    for start in range(0, len(sources), 4):
        some = sources[start : start + 4]
        check(case, some, translate_with_drafts(case.reader, siblings, some, case.greedy), some=False)
    assert len(siblings.sources) == len(sources)


def test_no_sentences_are_no_translations(case):
    assert translate_with_drafts(case.reader, Siblings(), [], case.greedy) == []


def test_right_drafts_take_fewer_runs(case, monkeypatch):
    sources = case.sources(4, seed=4)  # few, so that there is room for drafts
    right = [(*tokens, case.end) for tokens in case.plain(sources)]
    runs = Counter()
    actual = slots.Slots.read

    def read(self, blocks):
        runs["read"] += 1
        return actual(self, blocks)

    monkeypatch.setattr(slots.Slots, "read", read)
    check(case, sources, with_given(case, sources, right), some=False)
    drafted = runs.pop("read")
    check(case, sources, with_given(case, sources, [()] * len(sources)), some=False)
    assert drafted < runs["read"] / 2


def test_drafts_that_are_wrong_from_the_first_token(case):
    sources = case.sources(24, seed=5)
    wrong = [[(token + 1) % VOCABULARY for token in tokens] for tokens in case.plain(sources)]
    check(case, sources, with_given(case, sources, wrong))


def test_drafts_that_end_early(case):
    sources = case.sources(24, seed=6)
    early = [(*tokens[: len(tokens) // 2], case.end) for tokens in case.plain(sources)]
    check(case, sources, with_given(case, sources, early))


def test_drafts_longer_than_the_limit(case):
    sources = case.sources(24, seed=7)
    long = [(*tokens, *tokens, *tokens, case.end) for tokens in case.plain(sources)]
    check(case, sources, with_given(case, sources, long))


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_any_drafts(case, data):
    sources = case.sources(8, seed=data.draw(st.integers(0, 1000)))
    given_drafts = []
    for tokens in case.plain(sources):
        words = st.lists(st.one_of(st.sampled_from([*tokens, case.end]), st.integers(1, VOCABULARY - 1)))
        start = data.draw(st.integers(0, len(tokens)))
        given_drafts.append([*tokens[:start], *data.draw(words)])
    check(case, sources, with_given(case, sources, given_drafts), some=False)


def test_near_ties_are_left_to_the_plain_search(case, monkeypatch):
    """With a wider margin, there are near ties; nothing that passes one is decided here."""
    sources = case.sources(60, seed=8)
    margin = 0.3
    monkeypatch.setattr(drafts, "CLEAR", margin)
    monkeypatch.setattr(slots, "CLEAR", margin)
    found = translate_with_drafts(case.reader, Siblings(), sources, case.greedy)
    plain = case.plain(sources)
    for source, translation, expected in zip(sources, found, plain, strict=True):
        if len(expected) >= LIMIT - 1:
            assert translation is None
        else:
            near = smallest_lead(case, source, expected) <= margin
            assert translation == (None if near else expected)
    assert {translation is None for translation in found} == {True, False}


def test_suppressed_words_are_left_to_the_plain_search(case):
    sources = case.sources(40, seed=9)
    before = translate_with_drafts(case.reader, Siblings(), sources, case.greedy)
    counts = Counter(token for tokens in before if tokens for token in set(tokens))
    word, _ = counts.most_common(1)[0]
    found = translate_with_drafts(
        case.reader, Siblings(), sources, replace(case.greedy, suppressed=(word, case.end))
    )
    assert found == [None if tokens is None or word in tokens else tokens for tokens in before]
    assert found != before


def test_long_translations_are_left_to_the_plain_search(case, monkeypatch):
    sources = case.sources(30, seed=10)
    monkeypatch.setattr(drafts, "LONG", (0, 6))
    found = translate_with_drafts(case.reader, Siblings(), sources, case.greedy)
    assert found == [tokens if len(tokens) + 1 < 6 else None for tokens in case.plain(sources)]
    assert {tokens is None for tokens in found} == {True, False}


def test_few_slots_are_refilled(case, monkeypatch):
    monkeypatch.setattr(drafts, "MOST_SLOTS", 3)
    sources = [*case.sources(30, seed=11), *sentences(5, seed=12, longest=50)]
    sources = list(dict.fromkeys(sources))
    check(case, sources, translate_with_drafts(case.reader, Siblings(), sources, case.greedy))


def test_drafts_are_read_where_there_is_room(case, monkeypatch):
    """The other tests have few sentences, so this also makes sure that their drafts are read at all."""
    tokens_read = Counter()
    actual = slots.Slots.hidden

    def hidden(self, blocks):
        tokens_read[len(blocks)] = max(tokens_read[len(blocks)], sum(map(len, blocks)))
        return actual(self, blocks)

    monkeypatch.setattr(slots.Slots, "hidden", hidden)
    sources = case.sources(24, seed=5)
    with_given(case, sources, [(*tokens, case.end) for tokens in case.plain(sources)])
    room = case.reader.slots(1).room
    assert any(count > rows for rows, count in tokens_read.items())
    assert all(count <= max(rows, room) for rows, count in tokens_read.items())


@pytest.mark.parametrize(
    ("changed", "fits"),
    [({}, True), ({"beams": 2}, False), ({"min_length": 3}, False), ({"no_repeat_ngram_size": 2}, False)],
)
def test_settings_that_look_at_more_than_the_likeliest_word_turn_drafts_off(changed, fits):
    assert drafts_fit(Decoding(ends=(0,), max_length=9, **changed)) is fits
