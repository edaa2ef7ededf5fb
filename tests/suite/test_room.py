"""What would grow beyond all measure is counted first and refused, with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mtprobe.errors import MtprobeError, Place, Problem, SuiteError, did_you_mean
from mtprobe.suite.samples import slots as slots_module
from mtprobe.suites import load_suite


def values(name: str, count: int) -> str:
    return f"{name}: [{', '.join(f'{name}{number}' for number in range(count))}]"


def test_templates_share_the_room_of_their_suite(head, problem):
    """Each of them alone would fit."""
    slots = f"slots:\n  {values('a', 400)}\n  {values('b', 400)}\ngenerate:\n"
    template = '  - {{id: t{0}, source: "{{a}} {{b}}", category: male, cues: {{correct: x, incorrect: y}}}}\n'
    found = problem(head + slots + template.format(1) + template.format(2))
    assert found.place.line == 17
    assert found.message.startswith("160,000 combinations of slot values, after 160,000 of earlier templates")


def test_a_long_sentence_times_many_values_is_refused(head, problem):
    long = "x" * 15_000
    text = (
        head
        + f'generate:\n  - source: "{long} {{a}}"\n    category: male\n    slots: {{{values("a", 5_000)}}}\n'
    )
    found = problem(text)
    assert found.place.line == 13
    assert "characters with every combination filled in; a suite may have at most 50,000,000" in found.message


def test_the_longest_value_counts_not_the_name_of_its_slot(head, problem):
    words = ", ".join(f"{'x' * 15_000}{number}" for number in range(50))
    slots = f"slots: {{a: [{words}], {values('b', 100)}}}\n"
    found = problem(head + slots + 'generate: [{source: "{a} {b}", category: male}]\n')
    assert found.message.startswith("75,")
    assert "characters with every combination filled in" in found.message


def test_exceptions_and_conditions_are_counted_too(head, problem):
    rules = ", ".join(f"{{a: a{number}}}" for number in range(400))
    slots = f"slots:\n  {values('a', 400)}\n  {values('b', 400)}\n"
    found = problem(
        head + slots + f'generate:\n  - source: "{{a}} {{b}}"\n    category: male\n    except: [{rules}]\n'
    )
    assert found.message.startswith("64,000,000 checks of combinations by `except` and `attributes`; ")


def test_a_product_with_hundreds_of_digits_is_told_in_short(head, problem):
    names = [f"s{number}" for number in range(2_000)]
    slots = "slots: {" + ", ".join(f"{name}: [x, y]" for name in names) + "}\n"
    source = " ".join(f"{{{name}}}" for name in names)
    found = problem(head + slots + f'generate: [{{source: "{source}", category: male}}]\n')
    assert found.message.startswith("more than 10^602 combinations of slot values; ")


def test_a_text_that_aliases_copy_too_often_is_refused(good, problem):
    long = good.replace("Does the translation keep the doctor's gender?", f"&long {'x' * 1_000_000}")
    found = problem(long + "    references: {de: [" + ", ".join(["*long"] * 30) + "]}\n")
    assert found.message == "more than 20,000,000 characters once aliases are expanded"


def test_a_sentence_has_an_end(good, problem):
    found = problem(good.replace("lost her keys", "x" * 200_000))
    assert (found.place.line, found.message) == (13, "samples[0].source: is longer than 20000 characters")


def test_one_file_that_many_slots_name_is_read_once(head, load, monkeypatch):
    read = []
    monkeypatch.setattr(slots_module, "read_text", lambda path: read.append(path) or "doctor\nnurse\n")
    slots = "slots: {" + ", ".join(f"s{number}: {{file: jobs.txt}}" for number in range(50)) + "}\n"
    suite = load(
        head + slots + "generate: [{source: 'The <{s1}>.', category: male}]\n", {"jobs.txt": "doctor\n"}
    )
    assert [sample.cluster for sample in suite.samples] == ["doctor", "nurse"]
    assert len(read) == 1


def test_of_thousands_of_mistakes_the_first_are_told(tmp_path):
    path = tmp_path / "many.mt.yaml"
    path.write_text("mtprobe: 1\nsamples:\n" + "  - {sorce: a, categry: b}\n" * 20_000, encoding="utf-8")
    with pytest.raises(SuiteError) as raised:
        load_suite(path)
    assert len(raised.value.problems) == 20
    lines = [problem.place.line for problem in raised.value.problems]
    assert lines == sorted(lines)
    assert 'samples[0].sorce: unknown key; did you mean "source"?' in str(raised.value)


def test_many_derived_attributes_do_not_multiply(head, load):
    attributes = "attributes:\n" + "".join(
        f"  n{number}: {{yes: category == male}}\n" for number in range(400)
    )
    samples = "samples:\n" + "".join(
        f"  - {{source: The <doctor> {n}., category: male}}\n" for n in range(20)
    )
    suite = load(head.replace("[female]", "") + attributes + samples)
    assert all(sample.attributes["n399"] == "yes" for sample in suite.samples)


def test_a_later_derived_attribute_still_sees_an_earlier_one(head, load):
    attributes = "attributes:\n  one: {yes: category == female}\n  two: {yes: one == yes}\n"
    (sample,) = load(head + attributes + "samples: [{source: The <doctor>., category: female}]\n").samples
    assert sample.attributes == {"one": "yes", "two": "yes"}


@pytest.mark.parametrize("mark", ["_private", "a b", "1st", "é"])
def test_a_mark_that_pytest_does_not_take_is_named(good, problem, mark):
    found = problem(good + f"marks: [{mark}]\n")
    assert found.message == "marks[0]: must be a mark: a letter, then letters, digits and _"


# -- what is repeated of a file in a message --


def test_a_message_is_cut_to_what_can_be_read():
    problem = Problem(Place(Path("a.yaml"), 1), f'there is no slot "{"x" * 1_000_000}"; is it a typo?')
    assert len(problem.message) < 1_100
    assert problem.message.startswith('there is no slot "xxx')
    assert problem.message.endswith('xxx"; is it a typo?')


@pytest.mark.parametrize("kind", [MtprobeError, lambda text: SuiteError.at(Place(Path("a.yaml")), text)])
def test_a_message_can_be_printed_and_moves_no_cursor(kind):
    text = str(kind("a \ud800 \x1b[31m red \u202e back \x00\r é 字"))
    text.encode()
    assert text.endswith("a \\ud800 \\x1b[31m red \\u202e back \\x00\\r é 字")


def test_names_without_end_are_not_compared():
    assert did_you_mean("x" * 50_000, ["x" * 49_999]) == ""
    assert did_you_mean("name1", [f"name{number}x" for number in range(100_000)]) == ""
    assert did_you_mean("nane", ["name"]) == '; did you mean "name"?'


# -- files that suites name --

LINES = "mtprobe: 1\nname: a\nabout: b\nlanguages: {source: en, targets: de}\nmethod: minimal-pairs\n"
LINES += "gates: {accuracy: '>= 0.5'}\ndata: {file: a.jsonl}\n"
SAMPLE = {"source": "It is old.", "targets": {"de": {"correct": "a", "incorrect": "b"}}}


def test_a_line_that_holds_a_carriage_return_is_linted_as_it_was_read(load):
    """JSON allows one between values; only a line feed ends a line."""
    from mtprobe.suite.lint import warnings

    line = json.dumps(SAMPLE, indent=1).replace("\n", "\r")
    assert not any("duplicate" in one.message for one in warnings(load(LINES, {"a.jsonl": line + "\n"})))
    doubled = line[:-1].rstrip() + ',\r"category": null, "category": null}'
    found = [one for one in warnings(load(LINES, {"a.jsonl": "\n" + doubled})) if "duplicate" in one.message]
    assert [(one.place.line, one.message) for one in found] == [
        (2, 'duplicate key "category"; the last one counts')
    ]


def test_a_file_of_another_format_may_be_called_jsonl(load):
    from mtprobe.suite.lint import warnings

    suite = LINES.replace("minimal-pairs", "contrastive-conditioning").replace(
        "a.jsonl}", "a.jsonl, format: winomt}"
    )
    suite += "categories: [female]\ncues: {female: {correct: woman, incorrect: man}}\n"
    line = "female\t1\tThe developer argued because she was tired.\tdeveloper\tanti\n"
    assert list(warnings(load(suite, {"a.jsonl": line})))


def test_a_number_of_thousands_of_digits_is_not_read(load):
    line = json.dumps(SAMPLE | {"attributes": {"rank": 0}})
    for digits, message in (
        (500, "a number with more than 400 digits"),
        (5_000, "not valid JSON: number out of range"),
    ):
        with pytest.raises(SuiteError, match=rf"a\.jsonl:1.*{message}"):
            load(LINES, {"a.jsonl": line.replace(": 0}", f": {'9' * digits}}}")})


def test_thousands_of_conditions_are_refused(good, problem):
    attributes = "attributes:\n" + "".join(
        f"  n{number}: {{yes: category == male}}\n" for number in range(501)
    )
    found = problem(good + attributes)
    assert (found.place.line, found.message) == (16, "attributes: 501 conditions; a suite may have 500")
