"""Several targets from Python"""

from __future__ import annotations

import sys

import pytest

import mtprobe
from mtprobe.backends.protocols import LanguagePair
from mtprobe.errors import ModelError, MtprobeError
from mtprobe.records import merged
from mtprobe.report.charts.languages import language_tables
from mtprobe.settings import SettingError, read_settings
from tests.pytester.conftest import SUITE, TOYS
from tests.pytester.test_target import SPEAKERS

pytestmark = pytest.mark.usefixtures("here")
MODEL = "m=python:speakers:fair"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for name, text in (("toys.py", TOYS), ("speakers.py", SPEAKERS), ("jobs.mt.yaml", SUITE)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name in ("toys", "speakers"):
        sys.modules.pop(name, None)
    yield tmp_path
    for name in ("toys", "speakers"):
        sys.modules.pop(name, None)


class German:
    """An evaluator of the caller's own."""

    languages = LanguagePair("en", "de")
    fingerprint = "german"

    def score(self, pairs):
        return [
            tuple([-0.2 if (" woman " in source) == target.startswith("Die ") else -0.9] * 3)
            for source, target in pairs
        ]


@pytest.mark.parametrize("targets", ["de,fr", ["de", "fr"], ("deu", "fr")])
def test_targets_are_a_list_or_separated_by_commas(targets):
    run = mtprobe.run("jobs.mt.yaml", MODEL, target=targets)
    assert [suite.target for suite in run.suites] == ["de", "fr"]
    assert run.passed


def test_evaluators_are_named_by_language():
    run = mtprobe.run(
        "jobs.mt.yaml", MODEL, {"de": German(), "fr": "judge=python:speakers:fair"}, target="de,fr"
    )
    assert [suite.evaluator.name for suite in run.suites] == ["German", "judge"]


def test_an_object_that_does_not_fit_a_target_is_an_error():
    with pytest.raises(ModelError, match="evaluator German is for en→de: it cannot score for fr"):
        mtprobe.run("jobs.mt.yaml", MODEL, German(), target="de,fr")


def test_an_evaluator_for_another_language_is_an_error():
    with pytest.raises(ModelError, match="German is for it, but this run translates into de, fr"):
        mtprobe.run("jobs.mt.yaml", MODEL, {"it": German()}, target="de,fr")
    with pytest.raises(SettingError, match='"German" is not a language tag'):
        mtprobe.run("jobs.mt.yaml", MODEL, {"German": German()}, target="de,fr")


def test_an_opened_model_has_one_target():
    model = mtprobe.open_model(MODEL, target="de")
    with pytest.raises(ModelError, match="an opened model has one target language"):
        mtprobe.run("jobs.mt.yaml", model, target="de,fr")


def test_a_target_without_a_suite_is_an_error(here):
    (here / "jobs.mt.yaml").write_text(SUITE.replace("targets: any", "targets: [de]"), encoding="utf-8")
    with pytest.raises(MtprobeError, match="no suite fits a model that translates into fr"):
        mtprobe.run("jobs.mt.yaml", MODEL, target="de,fr")


def test_a_run_for_one_target_is_compared_with_the_same_target():
    one = mtprobe.run("jobs.mt.yaml", MODEL, target="fr")
    several = mtprobe.run("jobs.mt.yaml", MODEL, target="de,fr", baseline=one)
    comparison = mtprobe.compare_runs(one, several)
    assert [(suite.before.target, suite.after.target) for suite in comparison.suites] == [("fr", "fr")]
    assert len(comparison.unmatched) == 1


def test_records_of_single_targets_make_the_same_table(here):
    several = mtprobe.run("jobs.mt.yaml", MODEL, target="de,fr")
    single = {here / tag: mtprobe.run("jobs.mt.yaml", MODEL, target=tag) for tag in ("de", "fr")}
    (one,), (other,) = (language_tables(run) for run in (several, merged(single)))
    assert (one.model, one.columns) == (other.model, other.columns) == ("m", ["de", "fr"])
    assert [cell.measure for cell in one.rows[0].cells] == [cell.measure for cell in other.rows[0].cells]


@pytest.mark.parametrize(
    ("text", "targets", "name", "target"),
    [
        ("de=hf:X/y", "", "hf-y", "de"),
        ("deu=hf:X/y", "", "hf-y", "de"),
        ("pt-BR=a=hf:X/y", "pt-BR", "a", "pt-BR"),
        ("yue=hf:X/y", "de,yue", "hf-y", "yue"),
        ("new=hf:X/y", "de", "new", None),
        ("judge=hf:X/y", "de", "judge", None),
        ("hf:X/y?beams=2", "de", "hf-y-beams-2", None),
    ],
)
def test_a_tag_before_an_evaluator_is_told_from_a_name(text, targets, name, target):
    (evaluator,) = read_settings(evaluators=text, target=targets).evaluators
    assert (evaluator.spec.name, evaluator.target) == (name, target)
