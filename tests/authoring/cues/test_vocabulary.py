"""Which tokens are words: in every kind of vocabulary, only complete words in the language's script."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.authoring.cues.vocabulary import is_word, read_vocabulary
from tests.authoring.cues.tiny_mlm import make_tokenizer

TEXT = [
    "The muddy river bank.",
    "River banks are muddy, muddy!",
    "A café by the river.",
    "We saw NASA and Paris.",
] * 20


def byte_level():
    from tokenizers import ByteLevelBPETokenizer
    from transformers import PreTrainedTokenizerFast

    made = ByteLevelBPETokenizer()
    made.train_from_iterator(TEXT, vocab_size=600, min_frequency=1, special_tokens=["<pad>", "<mask>"])
    return PreTrainedTokenizerFast(tokenizer_object=made._tokenizer, mask_token="<mask>", pad_token="<pad>")


def sentence_pieces():
    from tokenizers import SentencePieceUnigramTokenizer
    from transformers import PreTrainedTokenizerFast

    made = SentencePieceUnigramTokenizer()
    made.train_from_iterator(
        TEXT, vocab_size=120, special_tokens=["<pad>", "<mask>", "<unk>"], unk_token="<unk>"
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=made._tokenizer, mask_token="<mask>", pad_token="<pad>", unk_token="<unk>"
    )


@pytest.mark.parametrize("make", [make_tokenizer, byte_level, sentence_pieces])
def test_words_begin_where_words_begin(make):
    tokenizer = make()
    vocabulary = read_vocabulary(tokenizer, "en")
    assert "muddy" in vocabulary.words
    tokens = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    for token, number in zip(tokens, vocabulary.inside, strict=True):
        if number >= 0:
            assert not token.startswith("##")
            if token.isascii():
                assert token.lower() == vocabulary.words[number].lower()
            if make is not make_tokenizer:
                assert token[0] in "Ġ▁"
    assert all(is_word(word, "en") for word in vocabulary.words)


def test_bytes_become_letters():
    vocabulary = read_vocabulary(byte_level(), "en")
    assert "café" in vocabulary.words


def test_a_capital_that_only_a_sentence_gave_is_dropped_and_a_name_keeps_its_own():
    vocabulary = read_vocabulary(byte_level(), "en")
    assert {"Paris", "NASA"} <= {*vocabulary.words}
    assert "River" not in vocabulary.words
    assert "river" in vocabulary.words


def test_the_first_word_of_a_text_has_no_space_before_it():
    tokenizer = byte_level()
    vocabulary = read_vocabulary(tokenizer, "en")
    river = vocabulary.words.index("river")
    opening = tokenizer.convert_tokens_to_ids("River")
    assert vocabulary.inside[opening] == -1
    assert vocabulary.at_start[opening] == river
    of_tokens = np.zeros(len(tokenizer) + 8)  # models pad their vocabulary
    of_tokens[opening], of_tokens[tokenizer.convert_tokens_to_ids("Ġriver")] = 0.5, 0.25
    assert vocabulary.probabilities(of_tokens, at_start=True)[river] == 0.75
    assert vocabulary.probabilities(of_tokens, at_start=False)[river] == 0.25


def test_german_nouns_keep_their_capital():
    vocabulary = read_vocabulary(make_tokenizer(), "de")
    assert {"Muddy", "muddy"} <= {*vocabulary.words}


@pytest.mark.parametrize(
    "text", ["", "b", ",", "42", "B2", "дом", "river's", "the", "An", "�", " river", "a-b"]
)
def test_what_is_no_cue_in_english(text):
    assert not is_word(text, "en")


@pytest.mark.parametrize(("text", "language"), [("дом", "ru"), ("河", "zh"), ("café", "fr"), ("the", "de")])
def test_what_is_one_elsewhere(text, language):
    assert is_word(text, language)


@given(st.text(max_size=8))
def test_a_word_has_letters_only(text):
    if is_word(text, "en"):
        assert not any(sign.isspace() or sign.isdigit() or sign in ".,;:!?<>[]()'\"-" for sign in text)
