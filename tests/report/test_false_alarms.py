"""False alarms beside the accuracy: on the screen, in the summary, in Markdown and in the HTML report"""

from __future__ import annotations

import pytest

import mtprobe
from mtprobe.report.failure import describe_sample
from mtprobe.report.html.report import write_html
from mtprobe.report.markdown import run_markdown
from mtprobe.report.screen.table import overview
from mtprobe.report.terminal import summary

SUITE = """\
mtprobe: 1
name: relations
about: Do the translations belong together?
languages: {source: en, targets: any}
method: relation
categories: [same]
gates: {"accuracy[same]": ">= 0.9", false_alarms: "<= 0.02"}
samples:
  - {source: We saw a cat., category: same, relation: same, perturb: no-final-stop}
  - {source: We saw a dog., category: same, relation: same, perturb: no-final-stop}
  - {source: We saw a cow., category: same, relation: same, perturb: no-final-stop, control: true}
  - {source: We saw a pig., category: same, relation: same, perturb: no-final-stop, control: true}
"""
TRANSLATIONS = """\
We saw a cat. ||| Vimos um gato.
We saw a cat ||| Vimos um gato
We saw a dog. ||| Vimos um cão.
We saw a dog ||| Não vimos um cão
We saw a cow. ||| Vimos uma vaca.
We saw a cow ||| Não vimos uma vaca
We saw a pig. ||| Vimos um porco.
We saw a pig ||| Vimos um porco
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alarms")
    (folder / "relations.mt.yaml").write_text(SUITE, encoding="utf-8")
    (folder / "pt.txt").write_text(TRANSLATIONS, encoding="utf-8")
    return mtprobe.run(folder / "relations.mt.yaml", f"file:{folder / 'pt.txt'}", source="en", target="pt")


class Reporter:
    hasmarkup = False
    verbosity = 0


def test_the_gate_is_decided_on_controls(run):
    gates = {gate.key: gate for gate in run.suites[0].gates}
    assert (gates["false_alarms"].measure.value, gates["false_alarms"].measure.n) == (0.5, 2)
    assert gates["false_alarms"].status == "failed"
    assert (gates["accuracy[same]"].measure.value, gates["accuracy[same]"].measure.n) == (0.5, 2)


def test_the_screen_has_a_row_for_each_category(run):
    (table,) = overview(run, 200)
    assert "same, false alarms" in [str(cell) for cell in table.columns[1].cells]


def test_the_summary_has_a_column(run):
    text = summary(run, Reporter())
    assert "false alarms" in text
    assert "0.50 (0.01–0.99, 2)" in text


def test_markdown_has_a_column_and_shows_both_translations(run):
    text = run_markdown(run)
    assert "| false alarms (95 %, n) |" in text
    assert "  - against `We saw a dog`: `Não vimos um cão`" in text
    assert "We saw a cow" not in text.partition("The most confident mistakes")[2]


def test_the_html_report_has_a_column(run, tmp_path):
    write_html(run, tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "False alarms" in page
    assert "2 controls" in page


def test_a_sample_is_described_with_what_it_was_compared_with(run):
    (wrong,) = [result for result in run.suites[0].results if result.id == "we-saw-a-dog"]
    lines = describe_sample(wrong)
    assert any(
        line.split() == ["against", "Não", "vimos", "um", "cão", "←", "We", "saw", "a", "dog"]
        for line in lines
    )
