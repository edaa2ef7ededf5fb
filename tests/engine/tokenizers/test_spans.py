from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.engine.tokenizers.spans import spans_among_special, spans_of

WORDS = st.lists(st.text("abcäß,.'-字", min_size=1, max_size=6), min_size=1, max_size=6)


def cut(text: str, spans) -> list[str]:
    return [text[start:end] for start, end in spans]


@given(WORDS, st.data())
def test_pieces_are_found_where_they_stand(words, data):
    text = " ".join(words)
    letters = "▁" + text.replace(" ", "▁")
    cuts = (
        sorted(data.draw(st.sets(st.integers(1, len(letters) - 1), max_size=8))) if len(letters) > 1 else []
    )
    pieces = [letters[start:end] for start, end in zip([0, *cuts], [*cuts, len(letters)], strict=True)]
    spans = cut(text, spans_of(pieces, text))
    assert [span.replace(" ", "") for span in spans] == [piece.replace("▁", "") for piece in pieces]


@pytest.mark.parametrize(
    ("text", "pieces", "expected"),
    [
        ("The  trophy", ["▁The", "▁tro", "phy"], ["The", "tro", "phy"]),
        ("ﬁne, too…", ["▁fi", "ne", ",", "▁too", "..."], ["ﬁ", "ne", ",", "too", "…"]),
        (" it’s", ["▁it", "'", "s"], ["it", "’", "s"]),
        ("a b", ["▁a", "▁", "b"], ["a", "", "b"]),
    ],
)
def test_what_was_normalised_is_found_all_the_same(text, pieces, expected):
    assert cut(text, spans_of(pieces, text)) == expected


def test_special_pieces_stand_nowhere():
    spans = spans_among_special([">>pt<<", "▁it", "</s>"], "it", lambda piece: piece in (">>pt<<", "</s>"))
    assert spans == [None, (0, 2), None]
