"""The words of a translation, as groups of a scorer's tokens"""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from mtprobe.methods.conditioning.target_words import token_groups


def spans_of(text: str, *tokens: str):
    spans, at = [], 0
    for token in tokens:
        start = text.index(token, at)
        at = start + len(token)
        spans.append((start, at))
    return spans


def test_a_word_has_all_its_subwords_and_an_apostrophe_separates_words():
    text = "L'infirmière est là."
    spans = [*spans_of(text, "L", "'", "infirm", "ière", "est", "là", "."), None]
    assert token_groups(text, spans) == [(0,), (2, 3), (4,), (5,)]


def test_parts_joined_by_a_hyphen_are_one_word():
    text = "Sa grand-mère dort."
    spans = [*spans_of(text, "Sa", "grand", "-", "mère", "dort", "."), None]
    assert token_groups(text, spans) == [(0,), (1, 2, 3), (4,)]


def test_a_token_without_text_belongs_to_the_word_that_follows():
    text = "un œil."
    assert token_groups(text, [(0, 2), (2, 2), (3, 6), (6, 7), None]) == [(0,), (1, 2)]


def test_where_words_have_no_spaces_a_token_is_a_word():
    text = "护士完成了工作。"
    assert token_groups(text, [*spans_of(text, "护士", "完成", "了", "工作", "。"), None]) == [
        (0,),
        (1,),
        (2,),
        (3,),
    ]


def test_a_token_over_two_words_belongs_to_both():
    text = "qu'il dort"
    assert token_groups(text, [(0, 5), (6, 10), None]) == [(0,), (0,), (1,)]


@given(st.text(max_size=40), st.lists(st.integers(0, 40), max_size=20))
def test_every_group_has_tokens_in_order_that_exist(text, cuts):
    places = sorted({min(cut, len(text)) for cut in cuts})
    spans = [*pairwise(places), None]
    for group in token_groups(text, spans):
        assert group
        assert list(group) == sorted(set(group))
        assert group[-1] < len(spans) - 1  # never the end of the sentence
