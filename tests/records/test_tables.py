"""Rows of a run: columns, data frames, CSV"""

from __future__ import annotations

import sys
from dataclasses import replace

import pandas
import polars
import pytest

import mtprobe
from mtprobe.errors import MtprobeError
from mtprobe.methods.verdict import Evidence
from tests.report.factory import a_run, a_sample, a_suite, evidence

SUITE = """\
mtprobe: 1
name: doctors
about: Does the translation keep the doctor's gender?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female]
cues:
  male: {correct: man, incorrect: woman}
  female: {correct: woman, incorrect: man}
gates: {accuracy: ">= 0.10"}
generate:
  - source: The <{job}> lost {whose} keys.
    slots:
      job: [doctor, nurse, judge]
      whose: {her: {category: female}, his: {category: male}}
"""


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """A run of the demo model."""
    path = tmp_path_factory.mktemp("rows") / "doctors.mt.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return mtprobe.run(path, "demo")


def test_a_row_has_languages_evaluator_focus_and_the_scores_of_the_evidence(real):
    row = next(row for row in real.to_rows() if row["id"].endswith("judge/his"))
    assert (row["source_language"], row["target_language"]) == ("en", "pt")
    assert (row["model"], row["evaluator"]) == ("demo", "demo")
    assert row["focus"] == "judge"
    assert row["score.correct"] - row["score.incorrect"] == pytest.approx(row["margin"])


def test_an_evaluator_of_its_own_is_named_and_a_method_without_one_has_none():
    assert a_run().to_rows()[0]["evaluator"] == "opus"
    alone = a_suite(evaluator=None, judges_itself=False, method="lexicon")
    assert a_run(alone).to_rows()[0]["evaluator"] == ""


def test_of_several_texts_for_a_side_the_best_score_counts():
    better = Evidence("correct", "The male nurse.", -0.5, 0.25)
    row = a_run(a_suite(a_sample(evidence=[*evidence(), better]))).to_rows()[0]
    assert (row["score.correct"], row["score.incorrect"]) == (-0.5, -0.25)
    assert row["offset.correct"] == 0.25
    assert "offset.incorrect" not in row


def test_a_sample_without_a_focus_or_scores_has_empty_cells():
    row = a_run(a_suite(a_sample(focus=None))).to_rows()[0]
    assert row["focus"] == ""
    assert not any(name.startswith("score.") for name in row)


def test_rows_make_a_data_frame_of_pandas_or_polars(real):
    frame = real.to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert len(frame) == 6
    assert frame.groupby("category")["id"].count().to_dict() == {"female": 3, "male": 3}
    other = real.to_frame("polars")
    assert isinstance(other, polars.DataFrame)
    assert other.columns == list(frame.columns)
    assert other["score.correct"].dtype == polars.Float64


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_an_attribute_may_be_text_here_and_a_number_there(library):
    values = [1, 2.5, "three", True]
    samples = [a_sample(f"s{number}", attributes={"mixed": value}) for number, value in enumerate(values)]
    words = a_suite(a_sample(attributes={"rank": 1}), suite="words")
    frame = a_run(a_suite(*samples), words).to_frame(library)
    assert list(frame["attribute.mixed"])[:4] == ["1", "2.5", "three", "True"]
    assert len(frame) == 5


def test_without_the_library_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MtprobeError, match="needs polars, not installed here: pip install polars"):
        a_run().to_frame("polars")
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MtprobeError, match="needs pandas or polars, not installed here: pip install pandas"):
        a_run().to_frame()


def test_polars_will_do_where_pandas_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert isinstance(a_run().to_frame(), polars.DataFrame)


def test_another_library_is_refused():
    with pytest.raises(MtprobeError, match='no data frames of "arrow"; available: pandas, polars'):
        a_run().to_frame("arrow")


def test_a_run_without_samples_is_an_empty_frame():
    assert len(replace(a_run(), suites=()).to_frame()) == 0


def test_attributes_come_last_whatever_the_order_of_suites():
    plain = a_suite(a_sample())
    scored = a_suite(a_sample(evidence=evidence(), attributes={"pos": "verb"}), suite="words")
    columns = list(a_run(plain, scored).to_frame("pandas").columns)
    assert columns.index("score.correct") < columns.index("attribute.stereotype")
    assert columns[-2:] == ["attribute.stereotype", "attribute.pos"]
