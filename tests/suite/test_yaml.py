"""The traps of YAML that people who write suites fall into, and YAML 1.2's words and numbers."""

from __future__ import annotations

import pytest

from mtprobe.suite.parsing.tree import read_tree


@pytest.fixture
def read(tmp_path):
    def read(text: str):
        path = tmp_path / "tree.yaml"
        path.write_text(text, encoding="utf-8")
        return read_tree(path).value

    return read


@pytest.mark.parametrize("word", ["no", "No", "NO", "yes", "on", "off", "y", "n", "Yes", "On", "OFF"])
def test_words_stay_words(read, word):
    assert read(f"a: {word}") == {"a": word}


def test_norwegian_is_a_language_and_not_false(good, load):
    suite = load(good.replace("targets: any", "targets: [no, de]"))
    assert suite.targets == ("no", "de")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("012", 12),
        ("0o14", 12),
        ("0x1F", 31),
        ("-3", -3),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("+1.5", 1.5),
        ("2027-01-31", "2027-01-31"),
        ("=", "="),
        ("0b11", "0b11"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ("", None),
        ("nil", "nil"),
        ("'12'", "12"),
        ('"true"', "true"),
        ("!!str 12", "12"),
    ],
)
def test_scalars_follow_yaml_1_2(read, written, value):
    assert read(f"a: {written}") == {"a": value}
    assert type(read(f"a: {written}")["a"]) is type(value)


def test_keys_are_always_the_text_as_written(read):
    assert read("{1: a, no: b, true: c, null: d, 012: e}") == {
        "1": "a",
        "no": "b",
        "true": "c",
        "null": "d",
        "012": "e",
    }


def test_infinity_and_nan_are_numbers(read):
    assert read("a: -.inf") == {"a": float("-inf")}
    assert str(read("a: .NaN")["a"]) == "nan"


def test_an_unquoted_bound_gets_a_hint(good, problem):
    found = problem(good.replace('accuracy[female]: ">= 0.60"', "gap: >= 0.2"))
    assert found.place.line == 11
    assert found.message.endswith('put the bound in quotes: ">= 0.2"')


def test_an_unquoted_bound_with_a_comment_gets_a_hint_without_the_comment(good, problem):
    found = problem(good.replace('">= 0.60"', ">= 0.60 @95%  # for now"))
    assert found.message.endswith('put the bound in quotes: ">= 0.60 @95%"')


def test_an_upper_bound_needs_no_quotes(good, load):
    assert load(good.replace('accuracy[female]: ">= 0.60"', "gap: <= 0.2")).gates[0].bound == "<= 0.2"


def test_brackets_in_a_flow_key_get_a_hint(good, problem):
    flow = good.replace('gates:\n  accuracy[female]: ">= 0.60"', 'gates: {accuracy[female]: ">= 0.60"}')
    found = problem(flow)
    assert found.place.line == 10
    assert found.message.endswith('inside {…} put the key in quotes: "accuracy[female]"')


def test_brackets_in_a_quoted_flow_key_are_fine(good, load):
    flow = good.replace('gates:\n  accuracy[female]: ">= 0.60"', 'gates: {"accuracy[female]": ">= 0.60"}')
    assert load(flow).gates[0].key == "accuracy[female]"


def test_a_colon_in_a_sentence_gets_a_hint(good, problem):
    found = problem(good.replace("The <doctor>", "Note: the <doctor>"))
    assert found.place.line == 13
    assert found.message.endswith("put text that contains a colon in quotes")


@pytest.mark.parametrize("text", ["{who} lost the <keys>.", "[female] <doctors> slept.", "{who}: the <keys>"])
def test_text_that_starts_with_a_bracket_gets_a_hint(good, problem, text):
    found = problem(good.replace("The <doctor> lost her keys.", text))
    assert found.place.line == 13
    assert found.message.endswith("put text that starts with { or [ in quotes")


def test_brackets_inside_of_flow_text_get_a_hint(good, problem):
    found = problem(good + "attributes: {hard: {'yes': pos in [noun], 'no': pos not in [noun]}}\n")
    assert found.place.line == 16
    assert found.message.endswith("inside {…} and […] put text that contains brackets or a comma in quotes")


def test_a_backslash_in_double_quotes_gets_a_hint(good, problem):
    found = problem(good.replace("The <doctor> lost her keys.", r'"The <doctor> lost \< keys."'))
    assert found.place.line == 13
    assert "a backslash is literal only in plain text or between single quotes" in found.message


@pytest.mark.parametrize("sign", ["@", "`", "%"])
def test_a_sign_that_yaml_keeps_for_itself_gets_a_hint(good, problem, sign):
    found = problem(good.replace("source: The", f"source: {sign}The"))
    assert found.place.line == 13
    assert found.message.endswith("put text that starts with this character in quotes")


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ("    category:", "      category:", 14),
        ("about:", " about:", 3),
    ],
)
def test_a_wrong_indentation_gets_a_hint(good, problem, right, wrong, line):
    found = problem(good.replace(right, wrong, 1))
    assert found.place.line == line
    assert found.message.endswith(
        "check the indentation of this line and of those around it, and for a missing space after : or -"
    )


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ("rank: 1}", "rank: 1", 15),
        ("The <doctor>", '"The <doctor>', 13),
        ("The <doctor>", "'The <doctor>", 13),
    ],
)
def test_what_is_opened_and_not_closed_gets_a_hint(good, problem, right, wrong, line):
    assert problem(good.replace(right, wrong)).message.endswith(
        f"check that the quote or bracket opened on line {line} is closed"
    )


@pytest.mark.parametrize("text", ["'The doctor's <keys>.'", '"The" <doctor> lost her keys.'])
def test_quotes_around_a_part_of_the_text_get_a_hint(good, problem, text):
    found = problem(good.replace("The <doctor> lost her keys.", text))
    assert found.place.line == 13
    assert found.message.endswith("put quotes around the whole text, and double a ' inside '…'")


def test_a_number_for_a_bound_gets_a_hint(good, problem):
    found = problem(good.replace('">= 0.60"', "0.60"))
    assert found.message == 'gates.accuracy[female]: write a comparison in quotes, for example ">= 0.60"'


def test_text_that_yaml_reads_as_something_else_gets_a_hint(good, problem):
    found = problem(good.replace("name: doctors", "name: 12"))
    assert (found.place.line, found.message) == (2, "name: must be text; put it in quotes")


def test_a_key_without_a_value_is_said_to_be_empty(good, problem):
    found = problem(good.replace("The <doctor> lost her keys.", ""))
    assert (found.place.line, found.message) == (13, "samples[0].source: is empty")


def test_a_block_ends_with_no_line_break(good, load):
    text = good.replace(
        "source: The <doctor> lost her keys.", "source: >\n      The <doctor>\n      lost her keys."
    )
    assert load(text).samples[0].source == "The doctor lost her keys."


def test_a_string_stands_for_a_list_of_one(good, load):
    cues = load(good + "    cues: {correct: woman, incorrect: [man, male]}\n").samples[0].cues
    assert (cues.correct, cues.incorrect) == (("woman",), ("man", "male"))
