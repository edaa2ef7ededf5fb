"""Cues from a file: a sample takes those of its word and sense; a file that does not fit is told where."""

from __future__ import annotations

import json

import pytest

from mtprobe.suites import load_suite

HEAD = """\
mtprobe: 1
name: words
about: Are words understood?
languages: {source: en, targets: any}
method: contrastive-conditioning
gates: {accuracy: ">= 0.5"}
samples:
  - {id: a, source: The <bank> was muddy., attributes: {word: bank, sense: river}}
  - {id: b, source: The <bank> paid., attributes: {word: bank, sense: money}}
"""
SUITE = HEAD + "cues: {file: cues.jsonl}\n"
RIVER = {"word": "bank", "sense": "river", "correct": ["muddy", "steep"], "incorrect": "savings"}
MONEY = {"word": "bank", "sense": "money", "correct": ["savings"], "incorrect": ["muddy"], "about": {"n": 3}}


def lines(*records: object) -> dict[str, str]:
    return {"cues.jsonl": "".join(f"{json.dumps(record)}\n" for record in records)}


def test_a_sample_takes_the_cues_of_its_word_and_sense(load):
    river, money = load(SUITE, lines(RIVER, MONEY)).samples
    assert (river.cues.correct, river.cues.incorrect) == (("muddy", "steep"), ("savings",))
    assert (money.cues.correct, money.cues.incorrect) == (("savings",), ("muddy",))


def test_a_sample_s_own_cues_go_first(load):
    own = "  - {id: c, source: A <bank>., cues: {correct: dry, incorrect: wet}}\n"
    text = HEAD + own + "cues: {file: cues.jsonl}\n"
    assert load(text, lines(RIVER, MONEY)).samples[2].cues.correct == ("dry",)


def test_other_attributes_may_say_word_and_sense(load):
    text = HEAD.replace("word:", "lemma:").replace("sense:", "meaning:")
    suite = load(text + "cues: {file: cues.jsonl, by: [lemma, meaning]}\n", lines(RIVER, MONEY))
    assert suite.samples[0].cues.correct == ("muddy", "steep")


def test_senses_may_be_numbers(load):
    text = SUITE.replace("sense: river", "sense: 1").replace("sense: money", "sense: 2")
    suite = load(text, lines({**RIVER, "sense": 1}, {**MONEY, "sense": "2"}))
    assert suite.samples[1].cues.correct == ("savings",)


def test_other_cues_are_another_suite(load):
    first = load(SUITE, lines(RIVER, MONEY)).digest
    assert load(SUITE, lines({**RIVER, "correct": "wet"}, MONEY)).digest != first


def test_a_sense_without_cues_is_an_error_at_the_sample(problem):
    found = problem(SUITE, lines(RIVER, {**MONEY, "sense": "monye"}))
    assert found.place.path.name == "test.mt.yaml"
    assert found.place.line == 9
    assert found.message.startswith('sample "b": ')
    assert found.message.endswith(
        'cues.jsonl has no cues for "bank" in the sense "money"; did you mean "monye"?'
    )


def test_or_the_sample_is_left_out(load):
    text = HEAD + "cues: {file: cues.jsonl, without: omit}\n"
    assert [sample.id for sample in load(text, lines(RIVER)).samples] == ["a"]


def test_but_not_all_of_them(problem):
    found = problem(HEAD + "cues: {file: cues.jsonl, without: omit}\n", lines({**RIVER, "word": "bat"}))
    assert "has cues for none of the samples" in found.message


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        (
            ("word: bank, sense: money", "sense: money"),
            9,
            'has no attribute "word", by which cues are looked up',
        ),
        (("The <bank> paid", "The bank paid"), 9, "contrastive-conditioning needs a <focus>"),
        (("cues.jsonl", "nowhere.jsonl"), 10, 'there is no file "nowhere.jsonl"'),
        (("cues.jsonl}", "cues.jsonl, bye: [a, b]}"), 10, 'unknown key; did you mean "by"?'),
        (("cues.jsonl}", "cues.jsonl, by: [word]}"), 10, "names two attributes"),
        (("cues.jsonl}", "cues.jsonl, without: skip}"), 10, "'error' or 'omit'"),
    ],
)
def test_what_does_not_fit_is_told_with_its_line(problem, change, line, said):
    found = problem(SUITE.replace(*change), lines(RIVER, MONEY))
    assert found.place.line == line
    assert said in found.message


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ({**MONEY, "corect": []}, 'corect: unknown key; did you mean "correct"?'),
        ({**MONEY, "correct": []}, "correct: must have at least one entry"),
        ({key: MONEY[key] for key in ("word", "sense", "correct")}, "incorrect: is missing"),
        (RIVER, 'duplicate line for "bank" in the sense "river" (first at'),
        ([], "must be a mapping"),
    ],
)
def test_a_bad_line_of_the_file_is_named(problem, second, said):
    found = problem(SUITE, lines(RIVER, second))
    assert (found.place.path.name, found.place.line) == ("cues.jsonl", 2)
    assert said in found.message


def test_what_is_no_json_is_told_with_its_column(problem):
    found = problem(SUITE, {"cues.jsonl": json.dumps(RIVER) + '\n{"word": "bank",}\n'})
    assert (found.place.line, found.place.column > 1) == (2, True)
    assert found.message.startswith("not valid JSON")


def test_a_file_that_no_sample_needs_is_an_error(problem):
    own = "sense: river}, cues: {correct: a, incorrect: b}}"
    text = SUITE.replace("sense: river}}", own).replace("sense: money}}", own.replace("river", "money"))
    found = problem(text, lines(RIVER, MONEY))
    assert "no sample takes cues from cues.jsonl: each has its own cues or sources" in found.message


def test_a_file_and_forms_do_not_go_together(problem):
    forms = "categories: [x]\ncue_forms: {one: {x: {correct: a, incorrect: b}}}\n"
    text = SUITE.replace("sense: river}", "sense: river}, category: x").replace(
        "sense: money}", "sense: money}, category: x"
    )
    assert "with `cue_forms`, name the form to use" in problem(text + forms, lines(RIVER, MONEY)).message


def test_a_category_may_be_called_file(load):
    text = HEAD.replace("}}\n", "}, category: file}\n")
    suite = load(text + "categories: [file]\ncues: {file: {correct: a, incorrect: b}}\n")
    assert suite.samples[0].cues.correct == ("a",)
    assert suite.cue_file is None


def test_who_makes_the_file_reads_the_suite_without_it(tmp_path):
    path = tmp_path / "words.mt.yaml"
    audit = "audit:\n  pt:\n    - {sample: a, targets: {correct: A margem.}}\n"
    path.write_text(SUITE + audit, encoding="utf-8")
    suite = load_suite(path, uncued=True)
    assert suite.cue_file.path == tmp_path / "cues.jsonl"
    assert (suite.cue_file.word, suite.cue_file.sense) == ("word", "sense")
    assert [pair.sample.id for pair in suite.audit["pt"]] == ["a"]


def test_senses_of_a_word_have_cues_all_or_none(load, problem):
    words = """\
words:
  bank:
    river: {contexts: {a: The <bank> was muddy.}}
    money: {contexts: {b: The <bank> paid.}}
"""
    text = (
        SUITE.partition("samples:")[0]
        + "cues: {file: cues.jsonl}\ndata: {file: nouns.yaml, format: senses}\n"
    )
    suite = load(text, {"nouns.yaml": words, **lines(RIVER, MONEY)})
    assert suite.samples[0].cues.correct == ("muddy", "steep")
    some = words.replace("river: {", "river: {cues: muddy, ")
    found = problem(text, {"nouns.yaml": some, **lines(RIVER, MONEY)})
    assert found.place.path.name == "nouns.yaml"
    assert 'the sense "money" has no cues; give cues to all senses of a word, or to none' in found.message
