"""A mistake in a suite: one error with file and line, a failing exit code, no traceback, and quickly"""

from __future__ import annotations

import time

import pytest

from .conftest import SUITE

BOMB = "a: &a [x, x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join(['*' + chr(97 + i)] * 10)}]\n" for i in range(20)
)

CASES = {
    "typo in a key": (SUITE.replace("categories:", "categoris:", 1), 6, 'did you mean "categories"'),
    "typo in a category": (SUITE.replace("her: {category: female}", "her: {category: femal}"), 21, 'did you mean "female"'),
    "typo in a gate": (SUITE.replace("minimum_accuracy:", "minimum_acuracy:"), 13, 'did you mean "minimum_accuracy"'),
    "typo in a gate's category": (SUITE.replace("accuracy[female]", "accuracy[femal]"), 12, 'did you mean "female"'),
    "typo in a slot": (SUITE.replace("{possessive} shift", "{posessive} shift"), 17, 'did you mean "possessive"'),
    "typo in a language": (SUITE.replace("source: en", "source: englsh"), 4, "not a language tag"),
    "typo in an attribute": (SUITE.replace('gap: "<= 0.20"', 'gap[ocupation]: "<= 0.20"'), 14, 'did you mean "occupation"'),
    "a duplicate key": (SUITE.replace("categories:", "about: again\ncategories:"), 6, "duplicate key"),
    "an unquoted bound": (SUITE.replace('gap: "<= 0.20"', "gap: <= 0.20\n  degenerate: >= 0.1"), 15, "in quotes"),
    "brackets in flow style": (SUITE.replace('gap: "<= 0.20"', "pt: {gap[occupation]: '<= 0.2'}"), 14, "in quotes"),
    "a missing data file": (SUITE + "data: {file: nothing.jsonl}\n", 26, "there is no file"),
    "a tab": (SUITE.replace("  gap:", "\tgap:"), 14, "spaces, not with tabs"),
    "an empty file": ("", 1, "the file is empty"),
    "a list": ("- a\n- b\n", 1, "not a list"),
    "a sentence": ("hello\n", 1, "not a single value"),
    "binary rubbish": (bytes(range(256)) * 20, 2, "not UTF-8"),
    "an alias bomb": (SUITE + BOMB, 0, "aliases"),
    "a 50 MB file": (SUITE + "#" * 50_000_000, 1, "too large"),
    "deep nesting": ("[" * 100_000, 1, "nested"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_it_is_told_with_file_and_line(project, case):
    text, line, said = CASES[case]
    path = project.path / "suites" / "broken.mt.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    started = time.perf_counter()
    result = project.pytest(where="suites/broken.mt.yaml")
    assert time.perf_counter() - started < 20  # seconds at worst, on a busy machine
    assert result.ret == 2
    result.assert_outcomes(errors=1)
    output = result.stdout.str()
    told = [row for row in output.splitlines() if row.startswith("suites/broken.mt.yaml:")]
    assert len(told) == 1, output
    assert told[0].startswith(f"suites/broken.mt.yaml:{line}:" if line else "suites/broken.mt.yaml:")
    assert said in told[0]
    assert "Traceback" not in output
    assert "mtprobe/suite" not in output


def test_a_broken_suite_stops_the_run_before_any_model_is_asked(project):
    project.suite("broken", SUITE.replace("categories:", "categoris:", 1))
    assert project.pytest().ret == 2
    assert not project.calls("")
