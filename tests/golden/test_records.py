"""Records of every version: what each verb that reads one makes of it.

The records hold each kind of line: suites with audits, salience, notes and an evaluator of their own; samples of every outcome,
open choices, token scores and attributes of evidence; gates with regressions and expected failures; suites that
failed or were interrupted, and gates that were not judged. Older versions lack the fields that came later.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

import mtprobe

RECORDS = Path(__file__).parent / "records"
VERSIONS = [f"1.{minor}" for minor in range(10)]


@pytest.fixture
def records(tmp_path, monkeypatch):
    """The records in a folder of their own to stand in, so that their paths are short."""
    shutil.copytree(RECORDS, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.usefixtures("records")
def test_a_record_of_each_version_has_the_rows_that_it_had(version, golden):
    rows = mtprobe.read_run(Path(f"{version}.jsonl")).to_rows()
    golden(f"records/{version}.rows.jsonl", "".join(f"{_json(row)}\n" for row in rows))


def _json(value):
    return json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize("version", [*VERSIONS, "interrupted", "unjudged"])
def test_a_record_of_each_version_is_reported_as_before(version, records, mtprobe_says, golden):
    written = ["--csv", "r.csv", "--markdown", "r.md", "-o", "r.html"]
    said = mtprobe_says("report", f"{version}.jsonl", *written)
    page = (records / "r.html").read_bytes()
    golden(f"records/{version}.csv", (records / "r.csv").read_bytes().decode())
    golden(f"records/{version}.md", (records / "r.md").read_bytes().decode())
    golden(f"records/{version}.report.txt", f"{said}r.html: sha256 {hashlib.sha256(page).hexdigest()}\n")


@pytest.mark.parametrize("version", [*VERSIONS, "interrupted", "unjudged"])
@pytest.mark.usefixtures("records")
def test_each_sample_of_a_record_is_shown_as_before(version, mtprobe_says, golden):
    run = mtprobe.read_run(Path(f"{version}.jsonl"), whole=False)
    ids = dict.fromkeys(row["id"] for row in run.to_rows())
    golden(
        f"records/{version}.show.txt", "\n".join(mtprobe_says("show", f"{version}.jsonl", id) for id in ids)
    )


@pytest.mark.parametrize("version", [*VERSIONS, "interrupted", "stopped", "unjudged"])
def test_a_record_of_each_version_compares_with_a_later_one_as_before(version, records, mtprobe_says, golden):
    asked = ("compare", f"{version}.jsonl", "later.jsonl")
    told = [mtprobe_says(*asked, *shape) for shape in ((), ("--markdown",), ("--json",))]
    if version in VERSIONS:
        told.append(mtprobe_says(*asked, "--html", "c.html").partition("\n")[0] + "\n")
        page = (records / "c.html").read_bytes()
        told.append(f"c.html: sha256 {hashlib.sha256(page).hexdigest()}\n")
    golden(f"records/{version}.compare.txt", "\n".join(told))


@pytest.mark.usefixtures("records")
def test_several_records_make_one_report_as_before(mtprobe_says, golden):
    said = mtprobe_says("report", "1.0.jsonl", "1.6.jsonl", "later.jsonl", "--markdown", "r.md")
    golden("records/several.md", f"{said}\n{Path('r.md').read_text(encoding='utf-8')}")


@pytest.mark.usefixtures("records")
def test_what_is_no_record_is_refused_as_before(mtprobe_says, golden):
    head = Path("1.6.jsonl").read_text(encoding="utf-8").splitlines()[0]
    Path("newer.jsonl").write_text(head.replace('"1.6"', '"2.0"') + "\n", encoding="utf-8")
    Path("other.jsonl").write_text("<html>\n", encoding="utf-8")
    Path("damaged.jsonl").write_text(f'{head}\n{{"kind":"suite","suite":1}}\n', encoding="utf-8")
    Path("empty.jsonl").write_text("", encoding="utf-8")
    names = ("newer", "other", "damaged", "empty", "missing")
    refused = [mtprobe_says("show", f"{name}.jsonl", "id") for name in names]
    refused.append(mtprobe_says("show", "1.6.jsonl", "shift/doktor/her"))
    golden("records/refused.txt", "\n".join(refused))
