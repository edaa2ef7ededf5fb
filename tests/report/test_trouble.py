"""How degenerate outputs are summed up"""

from __future__ import annotations

import pytest

import mtprobe
from mtprobe.report.trouble import mostly_degenerate

SUITE = """\
mtprobe: 1
name: relations
about: Do the translations belong together?
languages: {source: en, targets: any}
method: relation
gates: {accuracy: ">= 0.9"}
samples:
  - {source: We saw a small cat., relation: same, perturb: no-final-stop}
  - {source: We sold a large cow., relation: same, perturb: no-final-stop}
"""


@pytest.mark.parametrize(
    ("cat", "cow", "kind"),
    [("We saw a small cat", "We sold a large cow", "source copied"), ("", "", "empty")],
)
def test_the_translation_of_a_further_source_counts_by_what_is_wrong_with_it(tmp_path, cat, cow, kind):
    (tmp_path / "relations.mt.yaml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "pt.txt").write_text(
        "We saw a small cat. ||| Vimos um gato pequeno.\n"
        f"We saw a small cat ||| {cat}\n"
        "We sold a large cow. ||| Vendemos uma vaca grande.\n"
        f"We sold a large cow ||| {cow}\n",
        encoding="utf-8",
    )
    run = mtprobe.run(tmp_path / "relations.mt.yaml", f"file:{tmp_path / 'pt.txt'}", source="en", target="pt")
    (suite,) = run.suites
    assert suite.results[0].verdict.reason == f"{kind}, in the translation of “We saw a small cat”"
    assert mostly_degenerate(suite) == f"2 of 2 outputs are degenerate ({kind})"
