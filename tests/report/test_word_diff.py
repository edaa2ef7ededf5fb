"""Words that differ between translations"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.report.runs.word_diff import in_brackets, word_diff


def shown(before, after):
    old, new = word_diff(before, after)
    return in_brackets(old, "[", "]"), in_brackets(new, "[", "]")


@pytest.mark.parametrize(
    ("before", "after", "marked"),
    [
        ("O médico saiu.", "A médica saiu.", ("[O médico] saiu.", "[A médica] saiu.")),
        ("Ela não veio", "Ela veio", ("Ela [não] veio", "Ela veio")),
        ("o juiz saiu", "o juiz saiu, cansado", ("o juiz saiu", "o juiz saiu[, cansado]")),
        ("她是医生。", "他是医生。", ("[她]是医生。", "[他]是医生。")),
        ("वह डॉक्टर है", "वह नर्स है", ("वह [डॉक्टर] है", "वह [नर्स] है")),
        ("eins zwei", "drei vier", ("eins zwei", "drei vier")),
        ("gleich", "gleich", ("gleich", "gleich")),
        ("", "neu", ("", "neu")),
    ],
)
def test_what_the_other_text_lacks_is_marked(before, after, marked):
    assert shown(before, after) == marked


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_character_gets_lost(before, after):
    old, new = word_diff(before, after)
    assert "".join(part.text for part in old) == before
    assert "".join(part.text for part in new) == after


def test_endless_texts_are_not_compared():
    assert len(word_diff("a " * 10_000, "b " * 10_000)[0]) == 1
