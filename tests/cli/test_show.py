from __future__ import annotations

from dataclasses import replace

import pytest

from mtprobe.cli import main
from mtprobe.methods.verdict import Evidence, Outcome
from mtprobe.records import write_run
from mtprobe.report.failure import describe_sample
from tests.report.factory import MODEL, a_run, a_sample, a_suite, evidence


@pytest.fixture
def record(tmp_path):
    offset = Evidence("correct", "The man nurse.", -1.25, 0.5, {"gender": "masculine"})
    sample = a_sample(p=0.2231, evidence=[*evidence(), offset])
    path = tmp_path / "run.jsonl"
    write_run(
        path,
        a_run(
            a_suite(sample, a_sample("cook-her", Outcome.ERROR, translation=None, reason="timeout")),
            a_suite(a_sample(p=0.9), model=replace(MODEL, name="opus")),
        ),
    )
    return str(path)


def test_everything_about_a_sample_is_shown(record, capsys):
    assert main(["show", record, "nurse-his", "--model", "demo"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "nurse-his"
    for wanted in (
        "suite occupations (en→pt)",
        "place suites/occupations.mt.yaml:14",
        "model demo (demo:d968)",
        "evaluator opus",
        "category male",
        "attributes stereotype anti",
        "source The <nurse> finished his shift.",
        "translation A enfermeira terminou o turno.",
        "verdict incorrect",
        "probability 0.2231",
        "incorrect -0.2500 The woman nurse finished his shift.",
        "correct -1.5000 The man nurse finished his shift.",
        "correct -1.2500 minus +0.5000 The man nurse. [gender masculine]",
    ):
        assert wanted in lines


def test_each_model_and_method_has_its_own(record, capsys):
    assert main(["show", record, "nurse-his"]) == 0
    assert capsys.readouterr().out.count("\n  model ") == 2


def test_a_sample_without_a_translation_says_why(record, capsys):
    assert main(["show", record, "cook-her"]) == 0
    out = capsys.readouterr().out
    assert "– (none)" in out
    assert "timeout" in out


def test_a_typo_in_an_id_gets_a_hint(record, capsys):
    assert main(["show", record, "nurse-hiss"]) == 2
    assert 'no sample "nurse-hiss"; did you mean "nurse-his"?' in capsys.readouterr().err


def test_a_part_that_only_one_id_has_is_enough(record, capsys):
    assert main(["show", record, "HIS", "--model", "demo"]) == 0
    assert capsys.readouterr().out.startswith("nurse-his\n")


def test_a_part_of_several_ids_lists_the_ids_that_contain_it(record, capsys):
    assert main(["show", record, "--", "-H"]) == 2
    assert capsys.readouterr().err.splitlines()[-3:] == [
        f'{record}: no sample "-H"; these ids contain it:',
        "  nurse-his",
        "  cook-her",
    ]


def test_without_an_id_samples_are_listed_the_incorrect_ones_first(record, capsys):
    assert main(["show", record, "--model", "demo"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "occupations · demo en→pt · contrastive-conditioning",
        "  incorrect  nurse-his [male]",
        "    The <nurse> finished his shift. → A enfermeira terminou o turno.",
        "  error      cook-her [male]",
        "    The <nurse> finished his shift. → – (none) (timeout)",
        "",
    ]


def test_only_samples_with_a_verdict_are_listed(record, capsys):
    assert main(["show", record, "--verdict", "error"]) == 0
    out = capsys.readouterr().out
    assert "cook-her" in out
    assert "nurse-his" not in out
    assert "no sample is error" in out  # of the second model


def test_a_verdict_and_an_id_do_not_go_together(record, capsys):
    assert main(["show", record, "cook-her", "--verdict", "error"]) == 2
    assert "--verdict: lists samples" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["show", "jobs.mt.yaml", "nurse"], ["label", "jobs.mt.yaml"]])
def test_a_suite_instead_of_a_record_is_named_as_one(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.mt.yaml").write_text("mtprobe: 1\n")
    assert main(command) == 2
    assert capsys.readouterr().err == (
        "jobs.mt.yaml: this is a suite; give the record of a run (`--mt-record` of pytest)\n"
    )


def test_a_missing_suite_is_reported(record, capsys):
    assert main(["show", record, "nurse-his", "--suite", "words"]) == 2
    assert "no suite of that name" in capsys.readouterr().err


def test_the_words_that_were_compared_are_named(tmp_path, capsys):
    sample = a_sample(p=0.2, evidence=evidence())
    places = {"together": ((0, 1), (2, 12)), "apart": ((2, 12), (24, 29))}
    samples = [
        replace(sample, id=name, verdict=replace(sample.verdict, compared=compared))
        for name, compared in places.items()
    ]
    record = tmp_path / "run.jsonl"
    write_run(record, a_run(a_suite(*samples)))
    for name, words in {"together": "A enfermeira", "apart": "enfermeira … turno"}.items():
        assert main(["show", str(record), name]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert f"  compared     {words}" in lines
        assert "  contrastive sources (mean log-probability of the compared tokens, natural log)" in lines
        assert f"  compared     {words}" in describe_sample(samples[list(places).index(name)])


@pytest.mark.parametrize(
    ("method", "pieces", "headings"),
    [
        ("minimal-pairs", evidence(), ["targets (mean token log-probability, natural log)"]),
        ("lexicon", [Evidence("correct", "Vorspeise")], ["lemmas in the translation"]),
        (
            "gender-morphology",
            [Evidence("correct", "a (article)")],
            ["words in the translation that have a gender"],
        ),
        (
            "lexicon, contrastive-conditioning",
            [Evidence("incorrect", "Anlasser"), *evidence()],
            ["contrastive sources (mean token log-probability, natural log)", "lemmas in the translation"],
        ),
        ("of another package", [Evidence("correct", "word")], ["found in the translation"]),
    ],
)
def test_evidence_is_headed_by_its_kind(tmp_path, capsys, method, pieces, headings):
    record = tmp_path / "run.jsonl"
    write_run(record, a_run(a_suite(a_sample(evidence=pieces), method=method)))
    assert main(["show", str(record), "nurse-his"]) == 0
    lines = capsys.readouterr().out.splitlines()
    shown = [line.strip() for line in lines if line.startswith("  ") and line[2] != " "]
    assert shown[-len(headings) :] == headings
