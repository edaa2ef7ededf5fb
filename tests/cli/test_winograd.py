"""mtprobe winograd: schemas through a real model, to a suite that runs."""

from __future__ import annotations

import pytest

import mtprobe
from mtprobe.cli import main
from mtprobe.suites import load_suite
from tests.authoring.winograd.schemas import SCHEMAS, write_schemas


def test_the_demo_models_translations_make_a_suite_that_runs(folder, capsys):
    write_schemas(folder / "schemas.jsonl")
    assert main(["winograd", "demo", "schemas.jsonl", "-o", "out"]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert lines[0].startswith(f"{2 * len(SCHEMAS)} sentences: ")
    for reason in ("a referent is animate", "the gap is modified by an adjective", "both fillers have the same gender"):  # fmt: skip
        assert any(line.endswith(f"skipped: {reason}") for line in lines)
    path = folder / "out" / "winograd-pt.mt.yaml"
    suite = load_suite(path)
    assert len(suite.samples) >= 16
    assert suite.variants == {"gender": ("feminine", "masculine")}
    for sample in suite.samples:
        (right,), (wrong,) = sample.targets["pt"].correct, sample.targets["pt"].incorrect
        assert right != wrong
        assert {"ele", "ela"} & set(right.replace(".", "").split())
    schemas = {sample.cluster for sample in suite.samples}
    assert len(suite.samples) == 2 * len(schemas)  # both instances of each
    assert main(["lint", "out"]) == 0
    assert "0 errors" in capsys.readouterr().out
    run = mtprobe.run(path, model="demo")
    gates = {gate.key: gate for gate in run.suites[0].gates}
    assert set(gates) == {"accuracy", "pair_accuracy", "bias[gender]", "bias[antecedent]"}
    assert all(gate.measure.n for gate in gates.values())


@pytest.mark.parametrize(
    ("content", "arguments", "said"),
    [
        ("", [], "no sentence passed the filters"),
        ("{}", [], "schemas.jsonl:1: "),
        ("", ["--target", "de"], "the model translates into pt, not de"),
    ],
)
def test_a_mistake_is_reported(folder, capsys, content, arguments, said):
    (folder / "schemas.jsonl").write_text(content, encoding="utf-8")
    assert main(["winograd", "demo", "schemas.jsonl", "-o", "out", *arguments]) == 2
    assert said in capsys.readouterr().err
    assert not list(folder.glob("out/*"))


def test_other_languages_are_reported(folder, capsys):
    write_schemas(folder / "schemas.jsonl")
    command = ["winograd", "cmd:cat", "schemas.jsonl", "-o", "out", "--source", "en", "--target"]
    assert main([*command, "nl"]) == 2
    assert "schemas can be translated from en into de, fr, pt, ru; the model" in capsys.readouterr().err
    assert main(["winograd", "demo", "nothing.jsonl", "-o", "out"]) == 2
    assert "nothing.jsonl: no such file" in capsys.readouterr().err


def test_nothing_is_overwritten(folder, capsys):
    write_schemas(folder / "schemas.jsonl")
    (folder / "out").mkdir()
    (folder / "out" / "winograd-pt.jsonl").write_text("mine", encoding="utf-8")
    assert main(["winograd", "demo", "schemas.jsonl", "-o", "out"]) == 2
    assert "is not overwritten" in capsys.readouterr().err
    assert (folder / "out" / "winograd-pt.jsonl").read_text(encoding="utf-8") == "mine"


def test_a_suite_for_language_models_runs_in_both_languages(folder, capsys):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from tests.engine import masked_models

    write_schemas(folder / "schemas.jsonl")
    assert main(["winograd", "demo", "schemas.jsonl", "--lm", "-o", "out"]) == 0
    assert "skipped: the fillers have different genders" in capsys.readouterr().out
    path = folder / "out" / "winograd-lm-pt.mt.yaml"
    suite = load_suite(path)
    assert len(suite.samples) >= 6
    assert {sample.category for sample in suite.samples} == {"first", "second"}
    for sample in suite.samples:
        for targets in (sample.targets["pt"], sample.targets["en"]):
            (right,), (wrong,) = targets.correct, targets.incorrect
            assert right != wrong
            assert "_" not in right + wrong
    assert main(["lint", "out"]) == 0
    model, tokenizer = masked_models.make(folder / "mlm", positions=200)
    masked_models.save(folder / "mlm", model, tokenizer)
    for target in ("pt", "en"):
        run = mtprobe.run(path, model=f"mlm:{folder / 'mlm'}", target=target)
        gates = {gate.key: gate for gate in run.suites[0].gates}
        assert set(gates) == {"accuracy", "pair_accuracy", "bias[antecedent]"}
        assert gates["accuracy"].measure.n == len(suite.samples)
