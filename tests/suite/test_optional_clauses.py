"""Optional clauses of templates: samples keep them, and without them the rest is a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.suite.samples.clauses import escaped_brackets, read_clauses

SLOTS = "    slots: {job: [doctor, engineer], who: {she: {category: female}, he: {category: male}}}\n"


def template(source: str, more: str = "") -> str:
    return f"generate:\n  - source: '{source}'\n{more or SLOTS}"


def test_samples_keep_their_clauses_without_the_brackets(head, load):
    suite = load(head + template("The <{job}> [who lives next door] said that {who} left."))
    assert suite.samples[0].source == "The doctor who lives next door said that she left."


def test_brackets_change_no_id(head, load):
    long = "The <{job}> {} said again and again and again that {{who}} would never leave the house."
    with_brackets, without = (
        load(head + template(long.replace("{}", clause).replace("{{who}}", "{who}")))
        for clause in ("[who lives next door]", "who lives next door")
    )
    assert [sample.id for sample in with_brackets.samples] == [sample.id for sample in without.samples]
    assert with_brackets.samples == without.samples


def test_an_escaped_bracket_is_a_bracket(head, load):
    suite = load(head + template(r"The <{job}> \[sic\] said that {who} left."))
    assert suite.samples[0].source == "The doctor [sic] said that she left."
    assert not suite.templates[0].clauses.optional


def test_brackets_of_single_samples_are_brackets(head, load):
    text = "samples:\n  - {source: 'The <doctor> [sic] left.', category: male}\n"
    assert load(head + text).samples[0].source == "The doctor [sic] left."


@pytest.mark.parametrize(
    ("written", "kept", "dropped"),
    [
        ("The man [who left] came.", "The man who left came.", "The man came."),
        ("The man[, who left,] came.", "The man, who left, came.", "The man came."),
        ("He left [, as always].", "He left, as always.", "He left."),
        ("[Yesterday,] the man left.", "Yesterday, the man left.", "The man left."),
        ("He left. [Then] she came.", "He left. Then she came.", "He left. She came."),
        ("He saw an [old] friend.", "He saw an old friend.", "He saw a friend."),
        ("He saw a [young] aunt.", "He saw a young aunt.", "He saw an aunt."),
        ("Bonjour [mon ami] !", "Bonjour mon ami !", "Bonjour !"),
        ("He left [again]", "He left again", "He left"),
        ("No [ spaces ] left.", "No spaces left.", "No left."),
    ],
)
def test_spaces_capitals_and_articles_fit_with_and_without_a_clause(written, kept, dropped):
    clauses = read_clauses(written)
    assert clauses.text() == kept
    assert clauses.text([0], "en") == dropped


def test_an_article_before_a_dropped_clause_fits_the_value_of_a_slot(head, load):
    opened = load(head + template("A [very busy] <{job}> said that {who} left.")).templates[0]
    values = {name: opened.slots[name][-1] for name in opened.slots}
    assert opened.sample(values, [0]).source == "An engineer said that he left."
    assert opened.sample(values, [0]).id.endswith("/engineer/he/without-very-busy")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("The <{job}> [who left said that {who} came.", "opened with [ and not closed"),
        ("The <{job}> who] left said that {who} came.", "closed with ] that was not opened"),
        ("The <{job}> [who [really] left] said that {who} came.", "cannot contain another one"),
        ("The <{job}> [ ] said that {who} came.", "nothing between [ and ]"),
        ("[The <{job}>] said that {who} came.", "the focus is in it"),
        ("The <{job}> said it [before {who} came].", "{who} gives the category"),
    ],
)
def test_a_clause_that_cannot_be_dropped_is_an_error_at_its_sentence(head, problem, source, said):
    found = problem(head + template(source))
    assert said in found.message
    assert (found.place.line, found.place.column) == (13, 5)


def test_a_clause_with_a_slot_that_evidence_needs_is_an_error(head, problem):
    more = SLOTS + "    names: '{job}'\n"
    assert (
        "`names` needs {job}"
        in problem(head + template("The <man> [or the {job}] said {who} left.", more)).message
    )


def test_whole_contrastive_sources_would_keep_a_clause(head, problem):
    more = SLOTS + "    sources: {correct: The woman left., incorrect: The man left.}\n"
    found = problem(head + template("The <{job}> [who left] said {who} came.", more))
    assert "the sentences of `sources` would keep it" in found.message


@given(st.lists(st.tuples(st.booleans(), st.text("abc ,.", min_size=1, max_size=8)), min_size=1, max_size=6))
def test_without_its_brackets_a_sentence_has_the_same_words(parts):
    parts = [(optional and bool(text.strip()), text) for optional, text in parts]
    written = "".join(f"[{text}]" if optional else text for optional, text in parts)
    words = "".join(text for _, text in parts).replace(" ", "")
    assert read_clauses(written).text().replace(" ", "") == words


@given(st.text("ab[] ", max_size=12))
def test_escaped_brackets_are_read_as_brackets(text):
    assert read_clauses(escaped_brackets(text)).text() == text
