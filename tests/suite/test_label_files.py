"""Label files: what they say, what suites make of them, and what is wrong with one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.suite.labels import Label, escaped, half_of, read_label_file, unescaped, write_label_file

HEADER = "id\tsource\ttranslation\tlabel\tprobability\thalf\tlabelled_by\n"
LINE = "a\tThe doctor left.\tLe médecin est parti.\tcorrect\t0.25\ttuning\tanna\n"
SUITE = """\
mtprobe: 1
name: doctors
about: Does the translation keep the doctor's gender?
languages: {source: en, targets: any}
method: contrastive-conditioning
gates: {accuracy: ">= 0.60"}
samples:
  - {id: a, source: The <doctor> left., cues: {correct: man, incorrect: woman}}
labels: {fr: labels/fr.tsv}
"""


def files(*lines: str, header: str = HEADER) -> dict[str, str]:
    return {"labels/fr.tsv": header + "".join(lines)}


def test_a_suite_has_the_labels_of_its_files_by_language(load):
    suite = load(SUITE, files(LINE))
    label = Label("a", "The doctor left.", "Le médecin est parti.", "correct", 0.25, "tuning", "anna")
    assert suite.labels_for("fr-CA") == (label,)
    assert suite.labels_for("pt") == ()


def test_a_sample_that_waits_for_its_label_is_drawn_but_not_labelled(load):
    suite = load(SUITE, files(LINE, LINE.replace("a\t", "b\t", 1).replace("correct", "")))
    assert [line.id for line in suite.label_lines_for("fr")] == ["a", "b"]
    assert [line.id for line in suite.labels_for("fr")] == ["a"]


def test_several_files_are_read_as_one_and_a_label_fills_the_line_that_waited(load):
    text = SUITE.replace("labels/fr.tsv", "[labels/fr.tsv, more.tsv]")
    suite = load(text, {**files(LINE.replace("correct", "")), "more.tsv": HEADER + LINE})
    assert [line.label for line in suite.label_lines_for("fr")] == ["correct"]


def test_files_can_be_appended_to_one_another(load):
    other = LINE.replace("a\t", "b\t", 1)
    assert [line.id for line in load(SUITE, files(LINE, HEADER, other)).labels_for("fr")] == ["a", "b"]


def test_only_id_source_translation_and_label_are_needed(load):
    short = files("a\tThe doctor left.\t\tunclear\n", header="id\tsource\ttranslation\tlabel\n")
    assert load(SUITE, short).labels_for("fr") == (Label("a", "The doctor left.", "", "unclear"),)


def test_labels_do_not_change_the_digest(load):
    assert load(SUITE, files(LINE)).digest == load(SUITE, files(LINE.replace("correct", "incorrect"))).digest


def test_an_open_sample_is_labelled_with_one_of_its_choices(load, problem):
    text = SUITE.replace("{correct: man, incorrect: woman}}", "{male: man, female: woman}, category: both}")
    text += "categories: [both, male, female]\n"
    text = text.replace("accuracy:", '"chosen[male]":')
    assert load(text, files(LINE.replace("correct", "female"))).labels_for("fr")[0].label == "female"
    assert 'did you mean "female"?' in problem(text, files(LINE.replace("correct", "femal"))).message


@pytest.mark.parametrize(
    ("lines", "line", "said"),
    [
        ([LINE.replace("correct", "corect")], 2, 'label: "corect" is not a label; did you mean "correct"?'),
        ([LINE, LINE.replace("0.25", "1.5")], 3, 'probability: "1.5" is not a number above 0, up to 1'),
        (
            [LINE.replace("0.25", "0,25")],
            2,
            'probability: "0,25" is not a number above 0, up to 1, as in 0.5',
        ),
        ([LINE.replace("0.25", "often")], 2, "probability: "),
        ([LINE.replace("tuning", "half")], 2, "half: "),
        ([LINE.replace("\n", "\tmore\n")], 2, "8 cells, but the header has 7 columns"),
    ],
)
def test_what_is_wrong_with_a_line_is_reported_with_its_place(problem, lines, line, said):
    found = problem(SUITE, files(*lines))
    assert (found.place.path.name, found.place.line) == ("fr.tsv", line)
    assert said in found.message


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([LINE, LINE.replace("correct", "incorrect")], '"a" is labelled correct and incorrect'),
        ([LINE, LINE.replace("parti", "sorti").replace("0.25", "0.5")], '"a" has two probabilities'),
    ],
)
def test_lines_that_contradict_each_other_are_reported_at_the_suite(problem, lines, said):
    found = problem(SUITE, files(*lines))
    assert (found.place.path.name, found.place.line) == ("test.mt.yaml", 9)
    assert said in found.message


def test_a_file_with_another_header_is_an_error(problem):
    found = problem(SUITE, files(LINE, header="id,source,translation,label\n"))
    assert 'the header has no column "id"' in found.message
    assert "separated by tabs" in found.message


def test_corrected_gates_need_labels(problem):
    text = SUITE.replace("labels: {fr: labels/fr.tsv}", "corrected: true")
    assert "corrected: needs `labels`" in problem(text).message


@given(st.text(st.characters(codec=None)))
def test_every_text_survives_a_cell(text):
    cell = escaped(text)
    assert unescaped(cell) == text
    assert not {"\t", "\n", "\r"} & set(cell)
    assert cell[:1] not in tuple("=+-@")


def test_a_written_file_is_read_as_it_was(tmp_path: Path):
    labels = (
        Label("a", "Two\nlines\tand a \\n.", "=SUM(1)", "correct", 1 / 3, "reporting", "anna"),
        Label("b", "It's '-fine", "'-", "", None),
        Label("c", "\ud800", "", "unclear", 1.0),
    )
    path = tmp_path / "labels.tsv"
    write_label_file(path, labels)
    again = read_label_file(path)
    assert again[1:] == labels[1:]
    assert again[0].translation == "=SUM(1)"
    assert again[0].probability == pytest.approx(1 / 3, abs=1e-8)


def test_a_word_stays_in_its_half():
    assert {word: half_of(word) for word in ("bank", "nurse", "seal", "spring")} == {
        "bank": "reporting",
        "nurse": "reporting",
        "seal": "tuning",
        "spring": "tuning",
    }
