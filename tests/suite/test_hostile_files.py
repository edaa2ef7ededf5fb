"""Whatever a file holds, it ends with a message that names it: quickly, and without harm."""

from __future__ import annotations

import errno
import os
import random
import time
from pathlib import Path

import pytest

from mtprobe.errors import SuiteError
from mtprobe.suites import load_suite


@pytest.fixture(autouse=True)
def quickly():
    started = time.monotonic()
    yield
    assert time.monotonic() - started < 10


def test_an_empty_file_says_how_to_start_one(problem):
    for text in ("", "\n\n", "# only a comment\n", "---\n", "~\n"):
        found = problem(text)
        assert found.place.line == 1
        assert "empty; `mtprobe new suite` starts one" in found.message


@pytest.mark.parametrize(
    ("text", "kind"), [("- a\n- b\n", "list"), ("word\n", "single value"), ("12", "single value")]
)
def test_a_suite_is_a_mapping(problem, text, kind):
    found = problem(text)
    assert found.place.line == 1
    assert found.message == f"a suite is a mapping that starts with `mtprobe: 1`, not a {kind}"


def test_binary_rubbish_is_not_a_suite(problem):
    rubbish = random.Random(1).randbytes(10_000)
    assert problem(rubbish).place.line >= 1
    assert "not UTF-8 text" in problem(b"\x89PNG\r\n\x1a\n" + rubbish).message


def test_invalid_utf8_names_its_line(good, problem):
    found = problem(good.encode().replace(b"doctor>", b"do\xe9tor>"))
    assert (found.place.line, found.place.column) == (13, 20)
    assert found.message.startswith("not UTF-8 text: the byte 0xE9")


@pytest.mark.parametrize("sign", ["\0", "\x01", "\x7f", "\ufffe"])
def test_a_control_character_names_its_line_and_column(good, problem, sign):
    found = problem(good.replace("doctor>", f"{sign}doctor>"))
    assert (found.place.line, found.place.column) == (13, 18)
    assert "does not belong in a text file" in found.message


def test_an_escaped_control_character_is_refused_too(good, problem):
    found = problem(good.replace("The <doctor> lost her keys.", r'"The \0<doctor> lost her keys."'))
    assert (found.place.line, found.message) == (
        13,
        "samples[0].source: contains a control character",
    )


def test_a_byte_order_mark_is_no_harm(good, load):
    assert load("\ufeff" + good).samples == load(good).samples


def test_windows_line_ends_are_no_harm(good, load):
    assert load(good.replace("\n", "\r\n")).samples == load(good).samples


def test_a_tab_in_the_indentation_is_named(good, problem):
    found = problem(good.replace("    category", "\tcategory"))
    assert found.place.line == 14
    assert "YAML is indented with spaces, not with tabs" in found.message


def test_a_billion_laughs_are_counted_and_not_written_out(problem):
    levels = ["a: &a [ha, ha, ha, ha, ha, ha, ha, ha, ha]"]
    for name, before in zip("bcdefghij", "abcdefghi", strict=True):
        levels.append(f"{name}: &{name} [{', '.join(['*' + before] * 9)}]")
    found = problem("\n".join(levels))
    assert found.place.line > 1
    assert "values once aliases are expanded" in found.message


def test_an_alias_inside_what_it_names_is_refused(good, problem):
    found = problem(good + "    cues: &me\n      female: *me\n")
    assert (found.place.line, found.message) == (17, "alias *me is inside its own anchor")


def test_an_unknown_alias_is_named(good, problem):
    found = problem(good.replace("The <doctor>", "*The <doctor>"))
    assert found.place.line == 13
    assert "not valid YAML" in found.message


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "{a: " * 100_000,
        "- " * 100_000,
        "? " * 100_000,
        "[{a: " * 50_000,
        "".join(" " * depth + "a:\n" for depth in range(2000)),
    ],
)
def test_deep_nesting_does_not_crash_the_process(problem, text):
    assert "nested more than 32 levels deep" in problem(text).message


def test_a_file_of_50_megabytes_is_refused_unread(tmp_path):
    path = tmp_path / "big.mt.yaml"
    with path.open("wb") as stream:
        stream.truncate(50_000_000)
    with pytest.raises(SuiteError, match=r"big\.mt\.yaml:1: a file of 50 MB is too large.*JSON Lines"):
        load_suite(path)


def test_a_device_is_not_read(tmp_path):
    (tmp_path / "endless.mt.yaml").symlink_to("/dev/zero")
    with pytest.raises(SuiteError, match=r"endless\.mt\.yaml: is not a file"):
        load_suite(tmp_path / "endless.mt.yaml")


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.mt.yaml")
    with pytest.raises(SuiteError, match="is not a file"):
        load_suite(tmp_path / "pipe.mt.yaml")


def test_a_folder_and_a_missing_file_are_named(tmp_path):
    with pytest.raises(SuiteError, match="is not a file"):
        load_suite(tmp_path)
    with pytest.raises(SuiteError, match=r"no\.mt\.yaml: cannot be read: No such file"):
        load_suite(tmp_path / "no.mt.yaml")


def test_a_file_that_may_not_be_read_is_named(tmp_path, good, monkeypatch):
    path = tmp_path / "secret.mt.yaml"
    path.write_text(good)
    path.chmod(0)
    if os.access(path, os.R_OK):  # root may read everything, so the refusal is played

        def refuse(*_, **__):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

        monkeypatch.setattr(Path, "open", refuse)
        monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(SuiteError, match=r"secret\.mt\.yaml: cannot be read: Permission denied"):
        load_suite(path)


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 500, "0x" + "f" * 5000, "1" * 500 + ".5"])
def test_an_endless_number_is_refused(good, problem, number):
    found = problem(good.replace("rank: 1", f"rank: {number}"))
    assert (found.place.line, found.message) == (
        15,
        "a number with more than 400 digits; put text in quotes",
    )


@pytest.mark.parametrize("number", [".inf", "-.inf", ".nan", "1e999"])
def test_an_attribute_is_a_finite_number(good, problem, number):
    found = problem(good.replace("rank: 1", f"rank: {number}"))
    assert found.message == (
        "samples[0].attributes.rank: an attribute's value is a word, a number, true or false"
    )


def test_large_numbers_are_numbers(good, load):
    assert load(good.replace("rank: 1", "rank: " + "9" * 300)).samples[0].attributes["rank"] == 10**300 - 1


@pytest.mark.parametrize(
    "value",
    [
        "!!python/object/apply:os.system [echo harm]",
        "!!python/object:os.system {}",
        "!!python/name:os.system ''",
        "!!set {a, b}",
        "!!int abc",
        "!!float ''",
        "!!bool maybe",
        "!mine x",
    ],
)
def test_tags_are_refused_and_nothing_is_run(good, problem, value):
    found = problem(good + f"seed: {value}\n")
    assert found.place.line == 16
    assert found.message == f"the tag {value.split()[0]} is not allowed here; a suite needs no tags"


def test_several_documents_are_refused(good, problem):
    found = problem(good + "---\n" + good)
    assert found.place.line == 16
    assert "expected a single document in the stream" in found.message
    assert "each suite has its own file" in found.message


def test_merge_keys_are_refused(good, problem):
    found = problem(good.replace("    category: female", "    <<: {category: female}"))
    assert (found.place.line, found.message) == (14, "YAML 1.2 has no merge key <<; write the keys out")


def test_anchors_may_be_used_to_write_something_once(good, load):
    text = good.replace("male: {correct: man,", "male: &male {correct: man,", 1)
    suite = load(text + "    cues: *male\n")
    assert suite.samples[0].cues.correct == ("man",)


@pytest.mark.parametrize("key", ["[a, b]", "{a: b}", "? [a]\n"])
def test_a_key_is_a_word(good, problem, key):
    found = problem(good + f"{key}: c\n")
    assert found.place.line == 16
    assert found.message == "a key must be a word; put it in quotes if it contains brackets or braces"


def test_a_key_that_stands_twice_names_both_lines(good, problem):
    found = problem(good + "name: other\n")
    assert (found.place.line, found.message) == (16, 'duplicate key "name" (first on line 2)')


def test_a_line_of_a_million_spaces_is_no_trap_for_the_hints(good, problem):
    found = problem(good.replace('">= 0.60"', ">= 0.60" + " " * 1_000_000 + "x"))
    assert "put the bound in quotes" in found.message


@pytest.mark.slow
def test_a_list_of_a_hundred_thousand_values_is_read(head, load):
    words = ", ".join(f"word{number}" for number in range(100_000))
    suite = load(
        head + f"generate:\n  - source: The <{{x}}>.\n    category: male\n    slots: {{x: [{words}]}}\n"
    )
    assert len(suite.samples) == 100_000


def test_errors_of_any_file_name_that_file(tmp_path, good):
    path = tmp_path / "ärger mit: umlauten.mt.yaml"
    path.write_text(good.replace("name:", "nam:"))
    with pytest.raises(SuiteError) as raised:
        load_suite(path)
    assert all(found.place.path == Path(path) for found in raised.value.problems)
