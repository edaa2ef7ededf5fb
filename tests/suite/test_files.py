"""The files that a suite names: beside it, or under the data root, and nowhere else."""

from __future__ import annotations

import pytest

from mtprobe.errors import SuiteError
from mtprobe.suites import load_suite

LINE = '{"source": "The <nurse> lost his keys.", "category": "male"}\n'


@pytest.fixture
def data(head):
    return head + "data: {file: more.jsonl}\n"


def test_a_data_file_beside_the_suite_is_read(data, load):
    assert [sample.source for sample in load(data, {"more.jsonl": LINE}).samples] == [
        "The nurse lost his keys."
    ]


def test_a_data_file_in_a_folder_below_is_read(data, load):
    assert load(data.replace("more.jsonl", "below/more.jsonl"), {"below/more.jsonl": LINE}).samples


def test_several_data_files_are_read_in_order(head, load):
    text = head + "data:\n  - file: one.jsonl\n  - {file: two.txt, format: jsonl}\n"
    suite = load(text, {"one.jsonl": LINE, "two.txt": LINE.replace("nurse", "cook")})
    assert [sample.source for sample in suite.samples] == [
        "The nurse lost his keys.",
        "The cook lost his keys.",
    ]


def test_samples_templates_and_data_stand_together(good, load):
    text = good + "generate:\n  - {source: 'A <man>.', category: male}\ndata: {file: more.jsonl}\n"
    assert len(load(text, {"more.jsonl": LINE}).samples) == 3


def test_a_missing_data_file_names_the_line_that_wants_it(data, problem):
    found = problem(data)
    assert (found.place.line, found.message) == (
        12,
        'there is no file "more.jsonl" in the suite\'s folder',
    )


@pytest.mark.parametrize("name", ["../more.jsonl", "/etc/passwd", "a/../../more.jsonl"])
def test_a_file_outside_of_the_suites_folder_is_refused(data, problem, tmp_path, name):
    (tmp_path.parent / "more.jsonl").write_text(LINE)
    found = problem(data.replace("more.jsonl", name))
    assert found.place.line == 12
    assert found.message == (
        f'"{name}" is outside the suite\'s folder; `data-root` allows files from elsewhere'
    )


def test_a_symlink_out_of_the_folder_is_refused(data, problem, tmp_path):
    (tmp_path.parent / "secret.jsonl").write_text(LINE)
    (tmp_path / "more.jsonl").symlink_to(tmp_path.parent / "secret.jsonl")
    assert "is outside the suite's folder" in problem(data).message


def test_a_symlink_inside_the_folder_is_followed(data, load, tmp_path):
    (tmp_path / "more.jsonl").symlink_to(tmp_path / "real.jsonl")
    assert load(data, {"real.jsonl": LINE}).samples


def test_a_symlink_to_itself_is_refused(data, problem, tmp_path):
    (tmp_path / "more.jsonl").symlink_to(tmp_path / "more.jsonl")
    assert problem(data).place.line == 12


@pytest.mark.parametrize("name", ["x" * 1000, '"\\0"', ".", "''"])
def test_a_name_that_no_file_can_have_is_refused(data, problem, name):
    assert problem(data.replace("more.jsonl", name)).place.line == 12


def test_the_data_root_allows_files_from_elsewhere(data, tmp_path):
    suites, elsewhere = tmp_path / "suites", tmp_path / "elsewhere"
    suites.mkdir()
    elsewhere.mkdir()
    (suites / "a.mt.yaml").write_text(data)
    (elsewhere / "more.jsonl").write_text(LINE)
    assert len(load_suite(suites / "a.mt.yaml", data_root=elsewhere).samples) == 1
    with pytest.raises(SuiteError, match="there is no file"):
        load_suite(suites / "a.mt.yaml")


def test_an_unknown_format_names_the_line(data, problem):
    found = problem(data.replace("more.jsonl", "more.jsonl, format: jsnl"), {"more.jsonl": LINE})
    assert (found.place.line, found.message) == (12, 'data: unknown format "jsnl"; did you mean "jsonl"?')


def test_a_format_that_cannot_be_told_from_the_name_is_asked_for(data, problem):
    found = problem(data.replace("more.jsonl", "more.txt"), {"more.txt": LINE})
    assert found.place.line == 12
    assert found.message.startswith('cannot tell the format of "more.txt"; name it with `format` (')


def test_the_digest_changes_with_the_suite_and_with_every_file_that_it_names(data, load):
    one = load(data, {"more.jsonl": LINE}).digest
    assert load(data, {"more.jsonl": LINE}).digest == one
    assert load(data, {"more.jsonl": LINE.replace("keys", "bag")}).digest != one
    assert load(data + "seed: 1\n", {"more.jsonl": LINE}).digest != one
