"""Secrets are found in every encoding, and ordinary text stays as it is"""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.system.secrets import HIDDEN, Scrubber, without_secrets
from tests.plugins.encodings import ENCODINGS, traces

KEYS = ("s3cr3t-0f-the-h0use-4711", 'pr/oj+ab=47&<1>"~\\z%2D9')
PRINTABLE = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=16, max_size=60)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_secret_is_found_in_each_encoding(key, encoding):
    encoded = ENCODINGS[encoding](key)
    clean = Scrubber([key]).scrub(f"the key {encoded} is no good")
    assert clean.startswith("the key ")
    assert clean.endswith(" is no good")
    assert HIDDEN in clean
    assert not [trace for trace in traces(key) if trace in clean]


@given(PRINTABLE, st.sampled_from(sorted(ENCODINGS)), st.text(max_size=20), st.text(max_size=20))
def test_whatever_surrounds_it(key, encoding, before, after):
    encoded = ENCODINGS[encoding](key)
    assert encoded not in Scrubber([key]).scrub(f"{before} {encoded} {after}").replace(HIDDEN, "")


@given(st.text(max_size=200))
def test_other_text_stays_as_it_is(text):
    assert Scrubber([KEYS[0]]).scrub(text) == text


@pytest.mark.parametrize("word", ["a", "none", "ollama", "translation"])
def test_a_secret_that_is_a_word_is_taken_out_of_messages_only(word):
    scrubber = Scrubber([word])
    assert scrubber.scrub(f"{word}s and {word}") == f"{word}s and {word}"
    assert scrubber.scrub_message(f"{word}s: bad key {word}") == f"{word}s: bad key {HIDDEN}"


def test_a_long_answer_takes_no_long():
    key = KEYS[0]
    began = time.process_time()
    for body in (key[:14] * 50_000, key * 50_000, "\\u4e2d" * 100_000, "%" * 1_000_000, "a" * 5_000_000):
        Scrubber([key]).scrub(body)
    assert time.process_time() - began < 10


def test_neither_shows_what_it_looks_for():
    scrubber = Scrubber(KEYS)
    assert not [key for key in KEYS if key in repr([scrubber, vars(scrubber)])]


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        ("http://user:pa55word@host/v1", f"http://{HIDDEN}@host/v1"),
        ("http://host/?api_key=abc123&x=1", f"http://host/?api_key={HIDDEN}&x=1"),
        ("cmd:env API_TOKEN=abc123 ./run", f"cmd:env API_TOKEN={HIDDEN} ./run"),
        ("cmd:./run --api-key abc123 -v", f"cmd:./run --api-key {HIDDEN} -v"),
        ('cmd:curl -H "Authorization: Bearer abc123"', f'cmd:curl -H "Authorization: Bearer {HIDDEN}"'),
        ("cmd:apertium -u eng-spa", "cmd:apertium -u eng-spa"),
        ("python:keyboard.tokens:translate", "python:keyboard.tokens:translate"),
    ],
)
def test_what_a_spec_names_as_a_secret_is_hidden(spec, shown):
    assert without_secrets(spec) == shown
