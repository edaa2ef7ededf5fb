"""scores:PATH"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pytest

import mtprobe
from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.scores import open_score_file
from mtprobe.cli import main
from mtprobe.errors import ModelError, MtprobeError
from mtprobe.suites import load_suite

SUITE = """
mtprobe: 1
name: pairs
about: Is the reference likelier?
languages: {source: cs, targets: [en]}
method: minimal-pairs
ties: incorrect
gates: {accuracy: ">= 0"}
data: {file: items.json, format: mucow-scoring}
"""
ITEMS = [
    {"ambig word": "dna", "sense": sense, "origin": "toy", "source": f"Věta {number}.", "reference": f"Right {number}.",
     "errors": [{"contrastive": f"Wrong {number} {variant}."} for variant in range(number)]}
    for number, sense in enumerate(["gout", "d.n.a.", "gout"], start=1)
]  # fmt: skip
SCORES = [1.0, 2.0, 2.0, 2.5, 1.5, 1.0, 1.0, 3.0, 4.0]  # right; beaten by its second variant; a tie


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pairs.mt.yaml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "items.json").write_text(json.dumps(ITEMS), encoding="utf-8")
    return tmp_path


def run(folder: Path, scores, spec="?better=lower"):
    (folder / "scores.txt").write_text("\n".join(map(str, scores)) + "\n", encoding="utf-8")
    return mtprobe.run(
        folder / "pairs.mt.yaml", f"scores:{folder / 'scores.txt'}{spec}", source="cs", target="en"
    ).suites[0]


def test_published_scores_are_judged_in_the_suites_order(folder):
    assert [one.verdict.outcome.value for one in run(folder, SCORES).results] == [
        "correct",
        "incorrect",
        "incorrect",
    ]
    turned = [one.verdict.outcome.value for one in run(folder, SCORES, "").results]
    assert turned == ["incorrect"] * 3


# The language pairs of the published scoring suites; ro-en and ru-en have items without a variant.
@pytest.mark.parametrize("source", ["cs", "de", "et", "fi", "lt", "lv", "ro", "ru", "tr"])
def test_an_item_without_a_variant_keeps_its_place_and_counts_as_right(tmp_path, source):
    (tmp_path / "pairs.mt.yaml").write_text(
        SUITE.replace("source: cs", f"source: {source}"), encoding="utf-8"
    )
    alone = {**ITEMS[0], "source": "Sama.", "reference": "Alone.", "errors": []}
    (tmp_path / "items.json").write_text(json.dumps([ITEMS[0], alone, *ITEMS[1:], alone]), encoding="utf-8")
    (tmp_path / "scores.txt").write_text(
        "\n".join(map(str, [*SCORES[:2], 7.0, *SCORES[2:], 8.0])) + "\n", encoding="utf-8"
    )
    spec = f"scores:{tmp_path / 'scores.txt'}?better=lower"
    suite = mtprobe.run(tmp_path / "pairs.mt.yaml", spec, source=source, target="en").suites[0]
    outcomes = [one.verdict.outcome.value for one in suite.results]
    assert outcomes == ["correct", "correct", "incorrect", "incorrect", "correct"]
    assert [one.attributes.get("unopposed", False) for one in suite.results] == [
        False,
        True,
        False,
        False,
        True,
    ]
    assert [one.verdict.evidence[0].score for one in suite.results if "unopposed" in one.attributes] == [
        -7,
        -8,
    ]
    assert "2 of 5 samples have no incorrect target, and count as correct" in suite.notes


def test_items_without_a_variant_are_imported_with_their_place(folder, capsys):
    items = [ITEMS[0], {**ITEMS[0], "reference": "Alone.", "errors": []}, *ITEMS[1:]]
    (folder / "items.json").write_text(json.dumps(items), encoding="utf-8")
    given = ["mucow-scoring", str(folder / "items.json"), "target=en", "--source", "cs", "--name", "it"]
    assert main(["import", *given, "-o", str(folder / "out")]) == 0
    assert "1 without a wrong variant, which count as right" in capsys.readouterr().out
    samples = load_suite(folder / "out" / "it.mt.yaml").samples
    assert [len(sample.targets["en"].incorrect) for sample in samples] == [1, 0, 2, 3]


def test_a_file_of_another_length_belongs_to_another_suite(folder):
    with pytest.raises(ModelError, match="8 scores, but pairs has 9 targets"):
        run(folder, SCORES[:-1])


@pytest.mark.parametrize("wrong", ["nan", "1,5", "", "score"])
def test_a_line_that_is_no_score_is_reported_by_its_number(folder, wrong):
    with pytest.raises(MtprobeError, match=re.escape(f'scores.txt:3: "{wrong}" is not a score')):
        run(folder, [*SCORES[:2], wrong, *SCORES[3:]])


@pytest.mark.parametrize(
    ("rest", "message"), [("?better=less", "neither"), ("nowhere.txt", "there is no file")]
)
def test_a_spec_that_cannot_be_read_is_reported(rest, message):
    with pytest.raises(ModelError, match=message):
        open_score_file(rest, OpenRequest(source="cs", target="en"))


def test_mucow_comes_out_as_published(tmp_path, shared_data):
    """2,986 of 3,791, and every row by corpus and by sense."""
    data = shared_data / "mucow" / "scoring"
    (tmp_path / "pairs.mt.yaml").write_text(
        SUITE.replace("items.json", "cs-en.mucow.scoring.json.gz"), encoding="utf-8"
    )
    scores = data / "nematus.score.cs-en.txt.gz"
    done = mtprobe.run(
        tmp_path / "pairs.mt.yaml", f"scores:{scores}?better=lower", source="cs", target="en", data_root=data
    ).suites[0]
    right, total = Counter(), Counter()
    for one in done.results:
        for group in ("total", str(one.attributes["corpus"]), str(one.attributes["sense"])):
            total[group] += 1
            right[group] += one.verdict.outcome.value == "correct"
    assert (right["total"], total["total"]) == (2986, 3791)
    published = re.findall(
        r"^(\S+) : (\d+) (\d+) ",
        (data / "acc.nematus.cs-en.mucow.txt").read_text(encoding="utf-8"),
        flags=re.MULTILINE,
    )
    assert len(published) > 200
    assert {name: (right[name], total[name]) for name, _, _ in published} == {
        name: (int(k), int(n)) for name, k, n in published
    }


def test_a_packed_file_is_read_and_a_damaged_one_reported(folder):
    path = folder / "scores.txt.gz"
    packed = gzip.compress("\n".join(map(str, SCORES)).encode())
    path.write_bytes(packed)
    suite, spec = folder / "pairs.mt.yaml", f"scores:{path}?better=lower"
    assert len(mtprobe.run(suite, spec, source="cs", target="en").suites[0].results) == 3
    path.write_bytes(packed[:-9])
    with pytest.raises(ModelError, match="damaged gzip file"):
        mtprobe.run(suite, spec, source="cs", target="en")
