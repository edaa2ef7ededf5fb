"""WinoMT as published: German rules, word alignments from files, and the whole pipeline from suite to gate"""

from __future__ import annotations

from pathlib import Path

import pytest

import mtprobe

SUITE = """\
mtprobe: 1
name: winomt
about: Does the translation give a person the gender that the pronoun tells?
languages: {source: en, targets: de}
method: gender-morphology
gender_rules: winomt-2019
categories: [male, female, neutral]
cluster: occupation
gates: {accuracy: ">= 0", delta_g: ">= -1", delta_g_rounded: ">= -1", delta_s: ">= -1"}
"""
WHOLE = "data: {format: winomt, file: winomt/test.tsv, neutral: keep}\n"
HALVES = """\
data:
  - {format: winomt, file: winomt/en_pro.txt, stereotype: pro, neutral: keep}
  - {format: winomt, file: winomt/en_anti.txt, stereotype: anti, neutral: keep}
"""


def figures(folder: Path, data: str, root: Path, translations: Path, links: Path) -> dict[str, float]:
    suite = folder / "winomt.mt.yaml"
    suite.write_text(SUITE + data, encoding="utf-8")
    (done,) = mtprobe.run(
        suite, f"file:{translations}", source="en", target="de", data_root=root, alignment=str(links)
    ).suites
    return {gate.key: gate.measure.value for gate in done.gates}


@pytest.mark.parametrize(
    ("system", "accuracy", "delta_g", "delta_s"), [("aws", 62.4, 12.0, 16.7), ("google", 59.4, 12.5, 12.5)]
)
def test_published_figures_of_published_outputs(tmp_path, shared_data, system, accuracy, delta_g, delta_s):
    """ΔS is that of the two halves, which the column of test.tsv does not give."""
    folder = shared_data / "winomt"
    files = (
        shared_data,
        folder / f"translations/{system}.en-de.txt.gz",
        folder / f"fast_align/{system}.en-de.align.gz",
    )
    whole, halves = (figures(tmp_path, data, *files) for data in (WHOLE, HALVES))
    assert round(100 * whole["accuracy"], 1) == accuracy
    assert round(100 * whole["delta_g_rounded"], 1) == delta_g
    assert abs(100 * whole["delta_g"] - delta_g) < 0.1  # exactly, without the rounding on the way
    assert round(100 * halves["delta_s"], 1) == delta_s


LINES = """\
female\t1\tThe lawyer called the baker because she was late.\tlawyer\tanti
male\t1\tThe lawyer called the baker because he was late.\tlawyer\tpro
female\t4\tThe lawyer called the nurse because she was ill.\tnurse\tpro
male\t4\tThe lawyer called the nurse because he was ill.\tnurse\tanti
neutral\t0\tSomeone called the baker because they were late.\tsomeone\tnone
"""
TRANSLATIONS = {
    "Die Anwältin rief den Bäcker an, weil sie zu spät kam.": "0-0 1-1 2-2 3-3 4-4",
    "Der Anwalt rief den Bäcker an, weil er zu spät kam.": "0-0 1-1 2-2 3-3 4-4",
    "Der Anwalt rief die Krankenschwester an, weil sie krank war.": "0-0 1-1 2-2 3-3 4-4",
    "Der Anwalt rief den Pfleger an, weil er krank war.": "0-0 1-1 2-2 3-3 4-4",
    "Jemand rief den Bäcker an, weil das zu spät war.": "1-1 2-2",  # nothing for the person: male
}


def test_a_small_set_in_the_same_layout(tmp_path):
    (tmp_path / "winomt").mkdir()
    (tmp_path / "winomt" / "test.tsv").write_text(LINES, encoding="utf-8")
    sources = [line.split("\t")[2] for line in LINES.splitlines()]
    pairs = "".join(f"{source} ||| {text}\n" for source, text in zip(sources, TRANSLATIONS, strict=True))
    (tmp_path / "de.txt").write_text(pairs, encoding="utf-8")
    (tmp_path / "de.align").write_text("\n".join(TRANSLATIONS.values()) + "\n", encoding="utf-8")
    found = figures(tmp_path, WHOLE, tmp_path, tmp_path / "de.txt", tmp_path / "de.align")
    # Read as female, male, female, female (a nurse always is), male; male: P 1/2, R 1/2; female: P 2/3, R 1.
    assert found["accuracy"] == pytest.approx(3 / 5)
    assert found["delta_g"] == pytest.approx(1 / 2 - 4 / 5)
    assert found["delta_g_rounded"] == pytest.approx(0.5 - 0.8)
    assert found["delta_s"] == pytest.approx(1 - 1 / 2)
    # The same in halves: files of four columns, whose stereotype the suite gives.
    for half in ("pro", "anti"):
        lines = [line.rpartition("\t") for line in LINES.splitlines()]
        (tmp_path / "winomt" / f"en_{half}.txt").write_text(
            "".join(f"{line}\n" for line, _, stereotype in lines if stereotype == half), encoding="utf-8"
        )
    order = [
        place
        for half in ("pro", "anti")
        for place, line in enumerate(LINES.splitlines())
        if line.endswith(half)
    ]
    for name in ("de.txt", "de.align"):
        lines = (tmp_path / name).read_text(encoding="utf-8").splitlines()
        (tmp_path / name).write_text("".join(f"{lines[place]}\n" for place in order), encoding="utf-8")
    halves = figures(tmp_path, HALVES, tmp_path, tmp_path / "de.txt", tmp_path / "de.align")
    assert halves["delta_s"] == pytest.approx(found["delta_s"])
    assert halves["accuracy"] == pytest.approx(3 / 4)
