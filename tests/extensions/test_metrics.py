"""A metric of another package: gated, reported, documented and compared like ours."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace

import jsonschema
import pytest
import yaml

from mtprobe.cli import main
from mtprobe.errors import MtprobeError
from mtprobe.gates.judge import Decision
from mtprobe.metrics import METRICS
from mtprobe.records import ModelFacts, write_run
from mtprobe.suites import suite_schema
from tests.metrics.results import result
from tests.report.factory import a_gate, a_run, a_suite

ENTRY_POINTS = """\
[mtprobe.metrics]
brevity = mtprobe_brevity:brevity
"""
PACKAGE = '''
"""How often a translation is no longer than its source."""

import numpy as np

from mtprobe.metrics import Metric, SelectorError, share


class Brevity(Metric):
    name = "brevity"
    about = "the share of translations that are no longer than their sources"
    brackets = "a category"
    blamed_as = "longest"

    def measure(self, context, selector, level=0.95):
        tally = context.tally
        short = np.array([excess(result) <= 0 for result in tally.results], dtype=bool)
        return share(tally, short, selector.mask(tally), level)

    def check(self, brackets, suite):
        super().check(brackets, suite)
        if brackets.attributes:
            raise SelectorError("brevity knows no attributes")

    def blamed_samples(self, context, selector, *, is_lower):
        samples = [one for one in context.tally.results if selector.concerns(one) and (excess(one) > 0) == is_lower]
        return sorted(samples, key=excess, reverse=True)


def excess(result):
    return len(result.translation or "") - len(result.source)


brevity = Brevity()
'''


@pytest.fixture
def brevity(install):
    install("mtprobe_brevity", ENTRY_POINTS, PACKAGE)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.usefixtures("brevity")
def test_it_is_gated_and_reported(project):
    project.change('  gap: "<= 0.20"', '  brevity[female]: ">= 0.90"')
    shown = project.pytest("-v", "--mt-report=report.html", "--mt-markdown=report.md")
    assert shown.ret == 1
    (gate,) = [line for line in project.record() if line.get("key") == "brevity[female]"]
    assert (gate["decision"], gate["measure"]["n"]) == ("failed", 12)
    assert gate["measure"]["value"] == pytest.approx(1 / 12)
    shown.stdout.fnmatch_lines(
        [
            "occupations: brevity[[]female] = 0.08 (95% interval 0.00–0.56, n = 12), but must be >= 0.90",
            "the longest 3 of 11 samples:",
            "  failed    brevity[[]female] >= 0.90: 0.08  0.00–0.56",
        ]
    )
    page = (project.path / "report.html").read_text(encoding="utf-8")
    assert "<code>brevity[female]</code><small>the share of translations that are no longer" in page
    assert "| **failed** | `brevity[female]` | 0.08 |" in (project.path / "report.md").read_text("utf-8")


@pytest.mark.usefixtures("brevity")
@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("brevity[femal]", 'category "femal" is not declared; did you mean "female"?'),
        ("brevity[occupation=doctor]", "brevity knows no attributes"),
        ("brevty", 'unknown metric "brevty"; did you mean "brevity"?'),
    ],
)
def test_its_brackets_are_checked_against_the_suite(project, key, said):
    project.change("  gap:", f"  {key}:")
    project.pytest().stdout.fnmatch_lines([f"*gates.{key.replace('[', '[[]')}: {said}"])


@pytest.mark.usefixtures("brevity")
def test_it_is_documented_and_in_the_schema(capsys):
    assert main(["schema", "--markdown"]) == 0
    row = "| `brevity` | the share of translations that are no longer than their sources | a category |"
    assert row in capsys.readouterr().out
    valid = jsonschema.Draft202012Validator(suite_schema()).is_valid
    suite = yaml.safe_load(SMALL)
    assert valid(suite)
    suite["gates"] = {"brevty": ">= 0.5"}
    assert not valid(suite)


SMALL = """\
mtprobe: 1
name: short
about: Are translations short?
languages: {source: en, targets: any}
method: contrastive-conditioning
gates: {brevity: ">= 0.5"}
samples: [{id: a, source: A <b>., cues: {correct: c, incorrect: d}}]
"""


@pytest.mark.usefixtures("brevity")
def test_models_are_compared_by_it(folder, capsys):
    """Model a writes two short translations of ten, b five and c eight; both evaluators must rank them alike."""
    for evaluator in ("one", "two"):
        suites = [
            a_suite(
                *(replace(result(i), translation="x" * (5 if i < short else 50)) for i in range(10)),
                model=ModelFacts(model, f"file:{model}"),
                evaluator=ModelFacts(evaluator, f"hf:{evaluator}"),
                gates=(a_gate(Decision.FAILED, "brevity", ">= 0.90", short / 10),),
            )
            for model, short in (("a", 2), ("b", 5), ("c", 8))
        ]
        write_run(folder / f"{evaluator}.jsonl", a_run(*suites))
    assert main(["agree", "one.jsonl", "two.jsonl", "--metric", "brevity", "--json"]) == 0
    (ranking,) = json.loads(capsys.readouterr().out)["rankings"]
    assert ranking["metric"] == "brevity"
    assert [pair["rho"]["value"] for pair in ranking["pairs"]] == [pytest.approx(1)]
    assert main(["compare", "one.jsonl", "two.jsonl"]) == 0


def test_a_record_is_reported_without_the_package_that_measured(folder):
    write_run(folder / "run.jsonl", a_run(a_suite(gates=(a_gate(key="gone[female]"),))))
    assert main(["report", "run.jsonl", "-o", "report.html"]) == 0
    assert "<code>gone[female]</code></th>" in (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("raise RuntimeError('no luck')", "cannot be loaded: RuntimeError: no luck"),
        ("odd = 3", "it is not a Metric object"),
        ("from mtprobe.metrics import METRICS\nodd = METRICS['gap']", 'its name is "gap"'),
    ],
)
def test_a_broken_package_is_named_when_its_metric_is_used(install, monkeypatch, module, said):
    monkeypatch.delitem(sys.modules, "mtprobe_odd", raising=False)
    install("mtprobe_odd", "[mtprobe.metrics]\nodd = mtprobe_odd:odd\n", module)
    assert "odd" in METRICS
    assert METRICS["accuracy"].name == "accuracy"
    with pytest.raises(MtprobeError, match=f'"odd" of mtprobe_odd 1.2 .*{re.escape(said)}'):
        METRICS["odd"]


def test_our_names_cannot_be_taken(install):
    install("mtprobe_taken", "[mtprobe.metrics]\naccuracy = mtprobe_taken:nothing\n", "")
    assert list(METRICS).count("accuracy") == 1
    assert METRICS["accuracy"].about == "correct / decided"
