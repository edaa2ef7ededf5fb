"""Links between tokens, and which tokens a focus touches"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.language.alignment import (
    Link,
    SentencePair,
    aligned_to,
    check_alignment,
    read_alignment,
    tokens_in,
)
from mtprobe.suite.samples.focus import read_marks

links = st.lists(st.builds(Link, st.integers(0, 99), st.integers(0, 99)), max_size=20)


@given(links)
def test_what_is_written_in_pharaohs_format_is_read_again(written):
    assert read_alignment(" ".join(f"{link.source}-{link.target}" for link in written)) == tuple(written)


@given(links, st.sets(st.integers(0, 99)))
def test_target_tokens_come_in_order_and_once(written, sources):
    found = aligned_to(written, sources)
    assert found == sorted(set(found))
    assert all(any(link == (source, target) for link in written for source in sources) for target in found)


@pytest.mark.parametrize(
    ("written", "tokens"),
    [
        ("The <nurse> left.", [1]),
        ("The <truck driver>, who left.", [1, 2]),
        ("<Nurses> leave.", [0]),
        ("They (the <nurse>) left.", [2]),
        ("They (<nurses> all) left.", [1]),
        ("Call the <nurse>.", [2]),
    ],
)
def test_the_tokens_of_a_focus(written, tokens):
    marked = read_marks(written)
    assert list(tokens_in(marked.text, marked.focus)) == tokens


def test_a_link_to_a_word_that_is_not_there_is_told():
    pair = SentencePair("The nurse", "A enfermeira")
    check_alignment(read_alignment("0-0 1-1"), pair)
    with pytest.raises(ValueError, match="names word 2; the translation has 2 words"):
        check_alignment(read_alignment("1-2"), pair)
    with pytest.raises(ValueError, match="names word 5; the source has 2 words"):
        check_alignment(read_alignment("5-0"), pair)
