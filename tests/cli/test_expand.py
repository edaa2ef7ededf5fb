"""mtprobe expand"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mtprobe.cli import main
from mtprobe.suite.samples.focus import contrastive_sources
from mtprobe.suites import load_suite


def test_every_sample_is_shown_with_its_contrastive_sources(suite, capsys):
    assert main(["expand", str(suite)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(
        "keys/doctor/her  female  job=doctor  whose=her\n"
        "  The <doctor> lost her keys.\n"
        "    correct:   The woman doctor lost her keys.\n"
        "    incorrect: The man doctor lost her keys.\n"
        "\n"
        "keys/doctor/his  male  job=doctor  whose=his\n"
    )
    assert out.count("correct:") == 40
    assert err == "20 samples\n"


def test_other_evidence_is_shown_too(suite, capsys):
    suite.write_text(
        suite.read_text()
        + "samples:\n  - source: A <starter>.\n    category: male\n"
        + "    lemmas: {de: {good: Vorspeise, bad: [Anlasser, Starter]}}\n"
        + "    targets: {de: {correct: Eine Vorspeise., incorrect: Ein Anlasser.}}\n"
    )
    assert main(["expand", str(suite), "--grep", "STARTER"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[4:] == [
        "    correct de: Eine Vorspeise.",
        "    incorrect de: Ein Anlasser.",
        "    good de:   Vorspeise",
        "    bad de:    Anlasser",
        "    bad de:    Starter",
        "",
    ]
    assert err == "1 of 21 sample\n"


CHECKS = """\
samples:
  - source: A <starter> with 3 avocados.
    category: male
    must_contain: {de: [Vorspeise, Entree]}
    must_not_contain: {de: Anlasser}
    preserve: [numbers, names]
    names: [Ann]
"""


def test_checks_are_shown_too(suite, capsys):
    suite.write_text(suite.read_text() + CHECKS)
    main(["expand", str(suite), "--grep", "STARTER"])
    assert capsys.readouterr().out.splitlines()[-5:] == [
        "    must_contain de: Vorspeise, Entree",
        "    must_not_contain de: Anlasser",
        "    preserve:  numbers, names",
        "    names:     Ann",
        "",
    ]
    main(["expand", str(suite), "--grep", "STARTER", "--jsonl"])
    record = json.loads(capsys.readouterr().out)
    assert record["must_contain"] == {"de": ["Vorspeise", "Entree"]}
    assert (record["preserve"], record["names"]) == (["numbers", "names"], ["Ann"])


def test_grep_finds_text_anywhere_in_a_sample(suite, capsys):
    main(["expand", str(suite), "--grep", "woman POET lost his"])
    out, err = capsys.readouterr()
    assert out.startswith("keys/poet/his  male")
    assert err == "1 of 20 sample\n"


def test_take_takes_the_same_samples_as_a_run(suite, capsys):
    main(["expand", str(suite), "--take", "3", "--jsonl"])
    taken = [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()]
    assert taken == [sample.id for sample in load_suite(suite).take(3).samples]


def test_json_lines_are_a_data_file_that_makes_the_same_samples(folder, suite, capsys):
    suite.write_text(
        suite.read_text()
        + "samples:\n  - source: '1 \\< 2, said the <\\<boy\\>>.'\n    category: male\n"
        + "    lemmas: {de: {good: a, bad: b}}\n    targets: {pt: {correct: a, incorrect: [b, c]}}\n"
        + "  - {source: No focus., category: male, sources: {correct: 'A > <b>.', incorrect: B.}}\n".replace(
            "A > <b>", "A \\> <b>"
        )
    )
    main(["expand", str(suite), "--jsonl"])
    out, err = capsys.readouterr()
    assert err == ""
    (folder / "samples.jsonl").write_text(out, encoding="utf-8")
    head = suite.read_text().partition("generate:")[0]
    (folder / "data.mt.yaml").write_text(head + "data: {file: samples.jsonl}\n")
    one, other = load_suite(suite), load_suite(folder / "data.mt.yaml")
    assert len(one.samples) == len(other.samples) == 22
    for mine, its in zip(one.samples, other.samples, strict=True):
        assert (mine.id, mine.source, mine.focus, mine.category) == (
            its.id,
            its.source,
            its.focus,
            its.category,
        )
        assert (mine.attributes, mine.targets, mine.lemmas) == (its.attributes, its.targets, its.lemmas)
        assert contrastive_sources(mine, "en") == contrastive_sources(its, "en")


def test_a_mistake_in_the_suite_is_told(suite, capsys):
    suite.write_text(suite.read_text().replace("about:", "abut:"))
    assert main(["expand", str(suite)]) == 2
    assert capsys.readouterr().err == 'doctors.mt.yaml:3:1: abut: unknown key; did you mean "about"?\n'


@pytest.mark.parametrize("count", ["0", "-1"])
def test_take_is_at_least_one(suite, capsys, count):
    assert main(["expand", str(suite), "--take", count]) == 2
    assert capsys.readouterr().err == "--take: must be at least 1\n"


def test_a_reader_that_has_seen_enough_is_no_error(suite):
    words = ", ".join(f"word{number}" for number in range(5000))
    suite.write_text(suite.read_text().replace("[doctor, nurse, cook,", f"[{words}, doctor, nurse, cook,"))
    program = [
        sys.executable,
        "-c",
        "import sys; from mtprobe.cli import main; sys.exit(main())",
        "expand",
        str(suite),
    ]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout.readline() == "keys/word0/her  female  job=word0  whose=her\n"
        running.stdout.close()
        assert running.stderr.read() == ""
        assert running.wait(timeout=60) == 0


def test_the_choices_of_an_open_category_are_shown_by_name_and_read_again(suite, capsys):
    text = suite.read_text().replace("categories: [male, female]", "categories: [male, female, neutral]")
    suite.write_text(
        text
        + "samples:\n  - source: The <poet> lost their keys.\n    category: neutral\n"
        + "    cues: {male: man, female: woman}\n"
    )
    main(["expand", str(suite), "--grep", "their"])
    assert capsys.readouterr().out.splitlines()[1:4] == [
        "  The <poet> lost their keys.",
        "    male:      The man poet lost their keys.",
        "    female:    The woman poet lost their keys.",
    ]
    main(["expand", str(suite), "--grep", "their", "--jsonl"])
    (suite.parent / "samples.jsonl").write_text(capsys.readouterr().out)
    head = suite.read_text().partition("generate:")[0]
    suite.write_text(head + "data: {file: samples.jsonl}\n")
    assert load_suite(suite).open == {"neutral": {"male", "female"}}


def test_what_tells_targets_apart_is_kept(capsys):
    winograd = Path(__file__).parents[2] / "suites" / "winograd" / "schemas.mt.yaml"
    assert main(["expand", str(winograd), "--jsonl", "--take", "2"]) == 0
    for line in capsys.readouterr().out.splitlines():
        for targets in json.loads(line)["targets"].values():
            assert set(targets["variants"]) == {"gender", "position"}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("verb", ["lint", "expand", "watch"])
def test_a_path_without_its_ending_names_the_suite_that_is_there(capsys, verb):
    main(["new", "suite", "mine.mt.yaml"])
    capsys.readouterr()
    assert main([verb, "mine"]) == 2
    assert capsys.readouterr().err.endswith('; did you mean "mine.mt.yaml"?\n')
