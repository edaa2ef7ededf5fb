"""Where the tokens of a target are, whatever a server shows of them"""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mtprobe_openai.located import Unlocated, locate

END = "<|im_end|>"
WORDS = st.sampled_from(["L", "'", " the", " a", "a", "é", "你", "🙂", " 🙂", "\n", ".", " ", "ß", "ов", "…"])
TEXTS = st.lists(WORDS, max_size=8).map("".join)


@st.composite
def divided(draw: st.DrawFn, text: str) -> list[bytes]:
    """The text in tokens, which may be parts of characters."""
    raw = text.encode()
    cuts = sorted(draw(st.sets(st.integers(1, max(1, len(raw) - 1)), max_size=len(raw))))
    return [
        raw[start:end] for start, end in pairwise([0, *(cut for cut in cuts if cut < len(raw)), len(raw)])
    ]


def vllm(tokens: list[bytes]) -> list[str]:
    """Each decoded by itself."""
    return [token.decode(errors="replace") for token in tokens]


def llama(tokens: list[bytes]) -> list[str]:
    return [token.decode(errors="ignore") for token in tokens]


@given(data=st.data(), target=TEXTS, tail=st.sampled_from(["\n", "assistant\n", " =>\n"]))
def test_no_token_of_the_prompt_is_ever_taken_for_one_of_the_target(data, target, tail):
    """And no token of the target is lost, as long as characters are whole or shown as U+FFFD."""
    prompt = f"The nurse\n{tail}"
    tokens = data.draw(divided(target)) if target else []
    shown = ["The", " nurse", "\n", tail, *vllm(tokens), END]
    try:
        first = locate(shown, prompt, target, END)
    except Unlocated:
        assert any("\ufffd" in token for token in shown)
    else:
        assert first == 4


@given(data=st.data(), target=TEXTS.filter(bool))
def test_tokens_of_whole_characters_are_found_although_special_ones_are_not_shown(data, target):
    letters = [letter.encode() for letter in target]
    tokens = data.draw(
        st.permutations(range(1, len(letters))).map(lambda cuts: sorted(cuts[: len(cuts) // 2]))
    )
    joined = [b"".join(letters[start:end]) for start, end in pairwise([0, *tokens, len(letters)])]
    shown = ["user", "\n", "", "\n", "ass", "istant", "\n", *llama(joined), ""]
    assert locate(shown, "<|im_start|>assistant\n", target, END) == 7


@pytest.mark.parametrize("show", [vllm, llama])
@given(data=st.data(), target=TEXTS.filter(lambda text: len(text.encode()) > 1))
def test_a_token_that_began_in_the_prompt_is_never_accepted(show, data, target):
    tokens = data.draw(divided(target))
    shown = show([b"nurse", b"\nx" + tokens[0], *tokens[1:]])
    with pytest.raises(Unlocated):
        locate([*shown, END], "nurse\nx", target, END)


def test_spaces_that_a_server_does_not_show():
    """As of tokens of SentencePiece that are decoded one by one."""
    shown = ["[/INST]", "L", "'", "inf", "irm", "ière", "est", "là", ".", "</s>"]
    assert locate(shown, "[/INST]", "L'infirmière est là.", "</s>") == 1


def test_a_space_between_prompt_and_target_belongs_to_neither():
    with pytest.raises(Unlocated, match="no token starts where the target starts"):
        locate(["=>", "L", "'", "eau"], "=> ", " L'eau", "")


def test_characters_in_parts_of_which_nothing_is_shown():
    shown = ["ass", "istant", "\n", "", "", "", "", "", " ok", ""]
    assert locate(shown, "assistant\n", "你🙂 ok", END) == 3


def test_a_special_token_before_such_a_character_cannot_be_told_from_it():
    with pytest.raises(Unlocated, match="it cannot be told"):
        locate(["ok", "", "", "", "", ""], "ok<|assistant|>", "🙂", END)


def test_an_end_of_the_turn_that_is_no_token_of_the_model_is_read_as_text():
    shown = ["\n", "Oui", "<", "|im", "_end", "|>"]
    assert locate(shown, "\n", "Oui", END) == 1


def test_an_end_of_the_turn_that_merges_with_the_target_is_an_error():
    with pytest.raises(Unlocated, match="ends with"):
        locate(["\n", "Oui", ".\n\n"], "\n", "Oui.", "\n")


def test_offsets_are_not_needed():
    tokens = ["a", " b", " c"]
    assert list(accumulate(map(len, tokens))) == [1, 3, 5]
    assert locate(tokens, "a", " b c", "") == 1
