"""--mt-report PATH"""

from __future__ import annotations


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
