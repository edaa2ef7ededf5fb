"""mtprobe genders"""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from scipy.stats import pearsonr

from mtprobe.authoring.corpus.inventories import read_genders, shipped
from mtprobe.cli import main
from mtprobe.suites import load_suite
from tests.report.factory import HOSTILE
from tests.report.page import parse

OCCUPATIONS = """\
occupations:
  doctor:
    source: [doctor, doctors]
    male: [Arzt, Ärzte]
    female: [Ärztin, Ärztinnen]
  nurse:
    male: Pfleger
    female: [Pflegerin, Krankenschwester]
"""
SOURCES = ["The doctor came.", "Two doctors came.", "The nurse came.", "The doctor left.", "It rained."]
REFERENCE = [
    "Die Ärztin kam.",
    "Zwei Ärzte kamen.",
    "Die Krankenschwester kam.",
    "Das Personal ging.",
    "Der Arzt.",
]
TEACHER = ["Der Arzt kam.", "Zwei Ärzte kamen.", "Die Pflegerin kam.", "Der Arzt ging.", "Es regnete."]


@pytest.fixture
def files(folder):
    (folder / "jobs.yaml").write_text(OCCUPATIONS, encoding="utf-8")
    for name, lines in (("en", SOURCES), ("de", REFERENCE), ("teacher.de", TEACHER)):
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def genders(capsys, *arguments):
    code = main(["genders", "--occupations", "jobs.yaml", *arguments, "--json"])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return json.loads(out)


def test_female_shares_are_correlated_with_a_table_of_statistics(folder, capsys):
    """Doctors 1 of 4, nurses 3 of 4, cooks 2 of 4 in the corpus; scipy gives the same r."""
    jobs = {
        "doctor": ("Arzt", "Ärztin", 1),
        "nurse": ("Pfleger", "Pflegerin", 3),
        "cook": ("Koch", "Köchin", 2),
    }
    text = {name: {"male": male, "female": female} for name, (male, female, _) in jobs.items()}
    (folder / "jobs.yaml").write_text(
        yaml.safe_dump({"occupations": text}, allow_unicode=True), encoding="utf-8"
    )
    pairs = [
        (f"The {name} came.", f"X {female if number < share else male} kam.")
        for name, (male, female, share) in jobs.items()
        for number in range(4)
    ]
    for name, side in (("en", 0), ("de", 1)):
        (folder / name).write_text("".join(f"{pair[side]}\n" for pair in pairs), encoding="utf-8")
    (folder / "labour.csv").write_text(
        "name,female\nDoctor,38\nnurse,90\ncook,41\nbaker,65\n", encoding="utf-8"
    )
    found = genders(capsys, "en", "de", "--statistics", "labour.csv")["statistics"]["de"]
    assert found["value"] == pytest.approx(pearsonr([0.25, 0.75, 0.5], [38, 90, 41]).statistic)
    assert found["n"] == 3
    given = ["genders", "--occupations", "jobs.yaml", "en", "de", "--statistics", "labour.csv"]
    assert main(given) == 0
    assert "de: Pearson's r = 0.89 with labour.csv (95% interval -1.00 to 1.00, 3 occupations in both)" in (
        capsys.readouterr().out
    )
    (folder / "labour.csv").write_text("name,femal\nnurse,90\n", encoding="utf-8")
    assert main(given) == 2
    assert 'labour.csv:1: there is no column "female"; did you mean "femal"?' in capsys.readouterr().err


@pytest.mark.usefixtures("files")
def test_forms_are_counted_in_every_version(capsys):
    found = genders(capsys, "en", "reference=de", "teacher=teacher.de")
    doctor, nurse = found["counts"]["reference"]
    assert (doctor["occurrences"], doctor["classes"], doctor["none"]) == (3, {"male": 1, "female": 1}, 1)
    assert nurse["classes"] == {"male": 0, "female": 1}
    moved = found["redistribution"]
    assert [{name: one["value"] for name, one in version.items()} for version in moved["shares"]] == [
        {"male": 0.25, "other": 0.25, "female": 0.5},
        {"male": 0.75, "other": 0.0, "female": 0.25},
    ]
    assert [tuple(flow.values()) for flow in moved["flows"][0]] == [
        ("male", "male", 1),
        ("other", "male", 1),
        ("female", "male", 1),
        ("female", "female", 1),
    ]


def test_a_table_is_read_by_columns(files, capsys):
    lines = ["\t".join(row) for row in zip(SOURCES, REFERENCE, TEACHER, strict=True)]
    (files / "all.tsv").write_text("\n".join(lines), encoding="utf-8")
    by_table = genders(capsys, "all.tsv", "--names", "reference,teacher")
    by_files = genders(capsys, "en", "reference=de", "teacher=teacher.de")
    assert by_table["counts"] == by_files["counts"]
    assert by_table["redistribution"] == by_files["redistribution"]


@pytest.mark.usefixtures("files")
def test_the_terminal_shows_shares_and_changes(capsys):
    assert main(["genders", "--occupations", "jobs.yaml", "en", "reference=de", "teacher=teacher.de"]) == 0
    out = capsys.readouterr().out
    assert "Genders of occupations · 5 pairs" in out
    assert "4 occurrences of 2 occupations" in out
    lines = [line.split("(")[0].split() for line in out.splitlines()]
    assert ["reference", "25.0", "%"] in lines
    assert f"  {'█' * 10}{'·' * 10}{'░' * 20}  reference" in out.splitlines()
    assert "  █ male  · other  ░ female" in out.splitlines()
    assert ["doctor", "███····░░░", "3"] in [line[:3] for line in lines]
    assert ["change", "+50.0", "%"] in lines


def test_the_page_draws_what_flows_where(files):
    assert main(["genders", "--occupations", "jobs.yaml", "en", "reference=de", "teacher=teacher.de", "--html", "g.html"]) == 0  # fmt: skip
    page = parse((files / "g.html").read_text(encoding="utf-8"))
    drawing = page.one("figure", "sankey").one("svg")
    assert len(drawing.all("path", "band")) == 4
    assert [band.text for band in drawing.all("path", "band")][2] == "female → male: 1 of 4"
    assert [text.text for text in drawing.all("text")][:2] == ["reference", "teacher"]
    assert "male 75.0 %" in [text.text for text in drawing.all("text")]


def test_names_in_a_page_are_only_text(files):
    bad = [f"{name}x" for name in HOSTILE]
    text = yaml.safe_dump({"occupations": {name: {"source": "doctor", "male": "Arzt", "female": "Ärztin"} for name in bad if name.isprintable()}})  # fmt: skip
    (files / "jobs.yaml").write_text(text, encoding="utf-8")
    assert main(["genders", "--occupations", "jobs.yaml", "en", "<script>alert(1)</script>=de", "b=teacher.de", "--html", "g.html"]) == 0  # fmt: skip
    page = parse((files / "g.html").read_text(encoding="utf-8"))
    assert not page.all("script")
    assert not page.all("img")


def test_the_written_file_serves_a_slot(files, capsys):
    assert main(["genders", "--occupations", "jobs.yaml", "en", "teacher.de", "-o", "made/jobs.yaml"]) == 0
    assert capsys.readouterr().err == "made/jobs.yaml: 2 occupations\n"
    text = (files / "made" / "jobs.yaml").read_text(encoding="utf-8")
    assert text.startswith("# Made by mtprobe ")
    assert yaml.safe_load(text) == {
        "doctor": {"typical": "male", "frequency": "frequent", "occurrences": 3},
        "nurse": {"typical": "female", "frequency": "rare", "occurrences": 1},
    }
    (files / "jobs.mt.yaml").write_text(
        """\
mtprobe: 1
name: jobs
about: Which gender does a job get?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female]
cues:
  male: {correct: man, incorrect: woman}
  female: {correct: woman, incorrect: man}
gates: {"gap[stereotype]": "<= 0.1"}
attributes:
  stereotype: {pro: typical == category, anti: typical != category}
generate:
  - source: The <{job}> lost {whose} keys.
    slots:
      job: {file: made/jobs.yaml}
      whose: {her: {category: female}, his: {category: male}}
""",
        encoding="utf-8",
    )
    stereotypes = {
        sample.id: sample.attributes["stereotype"] for sample in load_suite(files / "jobs.mt.yaml").samples
    }
    assert sorted(stereotypes.values()) == ["anti", "anti", "pro", "pro"]


@pytest.mark.usefixtures("files")
def test_sure_leaves_out_what_few_occurrences_cannot_tell(capsys):
    assert (
        main(["genders", "--occupations", "jobs.yaml", "en", "teacher.de", "--sure", "-o", "jobs2.yaml"]) == 0
    )
    capsys.readouterr()
    made = yaml.safe_load(Path("jobs2.yaml").read_text(encoding="utf-8"))
    assert not any("typical" in held for held in made.values())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["en", "none.de"], "none.de: no such file"),
        (["en", "a=de", "a=teacher.de"], "every version of a corpus needs its own name; got a, a"),
        (["en", "de", "--names", "x"], "--names is for a table"),
        (["en", "de", "--jobs", "0"], "--jobs: must be at least 1"),
        (["en"], "en:1: 1 columns, not 2"),
        (["en", "empty"], "empty:1: the file has 0 lines, but en has more"),
        (["empty", "empty"], "empty: is empty"),
        (["en", "de", "--html", "en/x.html"], "en/x.html: cannot be written"),
        (["en", "de", "-o", "en/x.yaml"], "en/x.yaml: cannot be written"),
        (
            ["en", "de", "--occupations", "dee"],
            '"dee" is neither a YAML file nor a language with shipped occupations; did you mean "de"?',
        ),
        (["en", "de", "--occupations", "none.yaml"], "none.yaml: cannot be read: No such file"),
    ],
)
def test_a_mistake_is_reported(files, capsys, arguments, said):
    (files / "empty").touch()
    assert main(["genders", "--occupations", "jobs.yaml", *arguments]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("female: [Ärztin", "femal: [Ärztin", 'jobs.yaml:5:5: occupations.doctor.femal: unknown key; did you mean "female"?'),
        ("female: [Ärztin", "female: [arzt", 'jobs.yaml:2:3: occupations.doctor: "Arzt" is both male and female'),
        ("occupations:", "ocupations:", 'jobs.yaml:1:1: ocupations: unknown key; did you mean "occupations"?'),
        (OCCUPATIONS, "- a\n", "jobs.yaml:1:1: a file of occupations must be a mapping"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_occupations_names_its_line(files, capsys, old, new, said):
    assert old in OCCUPATIONS
    (files / "jobs.yaml").write_text(OCCUPATIONS.replace(old, new), encoding="utf-8")
    assert main(["genders", "--occupations", "jobs.yaml", "en", "de"]) == 2
    assert said in capsys.readouterr().err


def test_occupations_come_along_for_some_languages():
    assert shipped() == ["de", "pt"]
    for language in shipped():
        for item in read_genders(language).items:
            assert not {form.casefold() for form in item.classes["male"]} & {
                form.casefold() for form in item.classes["female"]
            }


def test_real_text_has_more_male_forms_than_female_ones(shared_data, capsys):
    folder = shared_data / "tatoeba"
    for language, target, n in (("de", "en-de.deu.gz", 332), ("pt", "en-pt.por.gz", 208)):
        source = folder / f"en-{language}.eng.gz"
        assert main(["genders", "--occupations", language, str(source), str(folder / target), "--json"]) == 0
        moved = json.loads(capsys.readouterr().out)["redistribution"]
        (shares,) = moved["shares"]
        assert moved["n"] == n
        assert shares["male"]["value"] > 1.5 * shares["female"]["value"]


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="/proc tells when the processes have started"
)
def test_an_interruption_ends_all_processes_and_leaves_nothing(files):
    for name, lines in (("en", SOURCES), ("de", REFERENCE)):
        part = gzip.compress(("\n".join(lines * 1000) + "\n").encode())
        (files / f"long.{name}.gz").write_bytes(part * 10_000)  # 50 million lines
    program = "import sys; from mtprobe.cli import main; sys.exit(main())"
    running = subprocess.Popen(
        [sys.executable, "-c", program, "genders", "--occupations", "jobs.yaml", "long.en.gz", "long.de.gz", "--jobs", "2", "-o", "made.yaml"],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    while len(children.read_text().split()) < 3:  # two that count, and the one that tracks what they share
        time.sleep(0.05)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to all of them, however far they are
    try:
        out, err = running.communicate(timeout=60)
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
    assert (running.returncode, out, err) == (130, "", "")
    assert not (files / "made.yaml").exists()
