"""--mt-report PATH"""

from __future__ import annotations

import pytest


def test_a_report_is_written_and_its_path_is_shown(project):
    result = project.pytest("--mt-report=out/report.html", model="always_male")
    result.stdout.fnmatch_lines(["report: out/report.html"])
    page = (project.path / "out" / "report.html").read_text(encoding="utf-8")
    assert "occupations" in page
    assert "accuracy[female]" in page
    assert "O dançarino" in page


def test_without_the_option_none_is_written(project):
    project.pytest()
    assert not list(project.path.rglob("*.html"))


@pytest.mark.slow
def test_a_folder_in_the_place_of_a_file_is_a_usage_error(project):
    for name in ("report", "record", "store"):
        result = project.pytest(f"--mt-{name}=suites")
        assert result.ret == 4
        result.stderr.fnmatch_lines([f"*--mt-{name}: suites is a folder; name a file"])


@pytest.mark.parametrize(
    ("name", "path", "other"), [("report", "r.md", "markdown"), ("markdown", "r.HTML", "report")]
)
def test_the_other_kind_of_report_is_a_usage_error(project, name, path, other):
    result = project.pytest(f"--mt-{name}={path}")
    assert result.ret == 4
    result.stderr.fnmatch_lines(
        [f"*--mt-{name}: {path} has the wrong ending for it; use --mt-{other}={path}"]
    )
    assert not (project.path / path).exists()


def test_a_report_that_cannot_be_written_is_told_and_the_record_is_not_lost(project):
    (project.path / "taken").write_text("a file, not a folder")
    result = project.pytest("--mt-report=taken/report.html")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["record: .mtprobe/last-run.jsonl", "mtprobe: the report could not be written: *"]
    )
    assert "Traceback" not in result.stdout.str() + result.stderr.str()
    assert project.record()[-1]["kind"] == "end"
