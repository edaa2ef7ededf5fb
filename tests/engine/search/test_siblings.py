"""Families of similar sources, and drafts that are taken up again after a difference."""

from __future__ import annotations

import time

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.engine.search import siblings as module
from mtprobe.engine.search.siblings import Draft, Siblings

SOURCE = (11, 12, 13, 14, 15, 16, 17, 0)
TOKENS = st.lists(st.integers(0, 9), max_size=12)


def entered(*sources) -> Siblings:
    siblings = Siblings()
    siblings.enter(sources)
    return siblings


def families(sources) -> list[int]:
    return entered(*sources).family


def test_sentences_of_a_template_are_a_family():
    second = (11, 12, 99, 14, 15, 16, 17, 0)
    other = (21, 22, 23, 24, 25, 26, 0)
    assert families([SOURCE, other, second, (21, 22, 23, 24, 88, 89, 26, 0)]) == [0, 1, 0, 1]


def test_a_few_words_in_common_do_not_make_a_family():
    assert families([SOURCE, (11, 12, 33, 34, 35, 36, 17, 0)]) == [0, 1]


def test_short_sources_have_no_relatives():
    assert families([(0,), (0,), ()]) == [0, 1, 2]


def test_families_take_linear_time():
    random = np.random.default_rng(0)
    templates = random.integers(0, 30_000, (400, 14))
    sources = [tuple(templates[number % 400].tolist()) for number in range(40_000)]
    sources = [(*source[:5], number % 97, *source[6:]) for number, source in enumerate(sources)]
    started = time.process_time()
    assert len(set(families(sources))) == 400
    assert time.process_time() - started < 10  # it takes about 1


def test_the_first_of_each_family_is_translated_first():
    other, alone = (21, 22, 23, 24, 25, 0), (31, 32, 33, 0)
    siblings = Siblings()
    assert siblings.enter([SOURCE, SOURCE, other, SOURCE, other, alone]) == [0, 2, 5, 1, 3, 4]
    assert siblings.enter([other, (41, 42, 43)]) == [7, 6]  # the first is a relative of earlier ones
    assert siblings.family[6] == 2


def test_after_very_many_sentences_all_are_forgotten(monkeypatch):
    monkeypatch.setattr(module, "MOST_SOURCES", 3)
    siblings = entered(SOURCE, SOURCE, SOURCE, SOURCE)
    siblings.translated(0, (1, 2, 0))
    assert siblings.enter([SOURCE]) == [0]
    assert siblings.draft(0, ()) is None


def test_the_draft_is_from_the_relative_that_differs_least():
    near = (11, 12, 13, 14, 15, 16, 99, 0)
    far = (11, 12, 13, 14, 98, 97, 96, 0)
    siblings = entered(SOURCE, far, near)
    assert siblings.draft(0, ()) is None
    siblings.translated(1, (1, 2, 0))
    siblings.translated(2, (3, 4, 0))
    draft = siblings.draft(0, ())
    assert draft is not None
    assert draft.after(9) == (3, 4, 0)


def test_a_draft_found_late_continues_the_output():
    siblings = entered(SOURCE, SOURCE)
    siblings.translated(0, (1, 2, 3, 4, 0))
    draft = siblings.draft(1, (1, 9, 3))
    assert draft is not None
    assert draft.after(5) == (4, 0)


def test_a_draft_goes_on_after_another_word():
    draft = Draft((1, 2, 3, 4, 5, 0))
    for token in (1, 9):
        draft.advance(token)
    assert draft.after(3) == ()  # nothing is known about what follows the new word
    draft.advance(3)
    assert draft.after(3) == (4, 5, 0)


def test_a_draft_goes_on_after_words_that_are_missing():
    draft = Draft((1, 2, 3, 4, 5, 0))
    for token in (1, 4):
        draft.advance(token)
    assert draft.after(9) == (5, 0)


@given(TOKENS, TOKENS)
def test_a_draft_is_always_a_part_of_the_translation(translation, output):
    draft = Draft(tuple(translation))
    for token in output:
        draft.advance(token)
        rest = tuple(draft.after(99))
        assert rest == () or tuple(translation[-len(rest) :]) == rest


@given(TOKENS)
def test_the_same_translation_is_drafted_to_its_end(translation):
    draft = Draft(tuple(translation))
    for place, token in enumerate(translation):
        assert tuple(draft.after(99)) == tuple(translation[place:])
        draft.advance(token)
    assert tuple(draft.after(1)) == ()
