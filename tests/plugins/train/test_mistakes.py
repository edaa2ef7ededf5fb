"""What users may get wrong: a message that says what would be right, and nothing is left behind."""

from __future__ import annotations

import pytest

from mtprobe.cli import main

from .conftest import HEAD

TEXT = "".join(
    f"  - {{id: a{n}, source: The <doctor> saw {n}., category: male, attributes: {{person: p{n}}}, cues: {{correct: man, incorrect: woman}}}}\n"
    for n in range(20)
)


def error_of(capsys) -> str:
    return " ".join(capsys.readouterr().err.split())


def test_a_suite_without_targets_names_counterfactuals(tune, tmp_path, capsys):
    head = HEAD.replace("minimal-pairs", "contrastive-conditioning")
    (tmp_path / "cues.mt.yaml").write_text(head + TEXT)
    folder = tune("cues.mt.yaml", code=2)
    assert (
        "no sample with targets in this language; --counterfactuals makes pairs from the model's own"
        in error_of(capsys)
    )
    assert not folder.exists()


def test_an_objective_that_needs_wrong_targets(tune, tmp_path, capsys):
    unopposed = TEXT.replace("cues: {correct: man, incorrect: woman}", "references: {pt: O médico viu.}")
    (tmp_path / "right.mt.yaml").write_text(HEAD.replace("minimal-pairs", "lexicon") + unopposed)
    tune("right.mt.yaml", "--objective", "margin", "--dev", "0", code=2)
    assert "the objective margin needs incorrect targets" in error_of(capsys)


def test_an_unknown_objective(tune, suite, capsys):
    tune(suite, "--objective", "penalti", code=2)
    assert 'there is no objective "penalti"; did you mean "penalty"?' in error_of(capsys)


def test_an_empty_part(tune, tmp_path, capsys):
    one = HEAD + (
        "  - {id: a, source: The <doctor> left., category: male, attributes: {person: doctor}, "
        "targets: {pt: {correct: Ele saiu., incorrect: Ela saiu.}}}\n"
    )
    (tmp_path / "one.mt.yaml").write_text(one)
    tune("one.mt.yaml", "--dev", "0", code=2)
    assert "part of the split is empty: 1 cluster in all, and no cluster is divided" in error_of(capsys)
    tune("one.mt.yaml", "--hold-out", "0", "--dev", "0.0001", code=2)
    assert "development part of the split is empty" in error_of(capsys)


def test_a_test_suite_without_anything_new(tune, suite, capsys):
    folder = tune(suite, "--test", suite, "--hold-out", "0", "--dev", "0", code=2)
    assert "people.mt.yaml: cannot test: no sample has a cluster that is not trained on" in error_of(capsys)
    assert not folder.exists()


def test_a_folder_that_exists(tune, suite, tmp_path, capsys):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("important")
    tune(suite, to="mine", code=2)
    assert "mine: already exists and is not an interrupted training; name a new folder" in error_of(capsys)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.tex"]


def test_a_finished_training_is_not_repeated(tune, suite, capsys):
    tune(suite, "--steps", "1", "--dev", "0")
    tune(suite, "--steps", "1", "--dev", "0", code=2)
    assert "already exists and is a finished training" in error_of(capsys)


def test_the_wrong_language_pair(tune, tmp_path, suite, capsys):
    german = suite.read_text().replace("targets: [pt]", "targets: [de]").replace("pt: {", "de: {")
    (tmp_path / "german.mt.yaml").write_text(german)
    tune("german.mt.yaml", code=2)
    assert "german.mt.yaml: the suite is for en→de, but the model translates en→pt" in error_of(capsys)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--hold-out", "1"], "--hold-out: 1 is not a share"),
        (["--dev", "-0.1"], "--dev: -0.1 is not a share"),
        (["--batch", "0"], "--batch: must be at least 1"),
        (["--learning-rate", "2"], "--learning-rate: must be between 0 and 1"),
        (["--target", "Portuguese!"], '--target: "Portuguese!" is not a language tag'),
        (["--patience", "-1"], "--patience: must be at least 0"),
        (["--take", "0"], "--take: must be at least 1"),
        (["--penalty", "-5"], "--penalty: must be at least 0"),
        (["--margin", "nan"], "--margin: must be at least 0"),
        (["--contrast", "inf"], "--contrast: must be at least 0"),
        (["--replay", "nothing.txt"], "nothing.txt"),
    ],
)
def test_numbers_and_files_that_make_no_sense(tune, suite, options, message, capsys):
    folder = tune(suite, "--hold-out", "0", "--dev", "0", *options, code=2)
    assert message in error_of(capsys)
    assert not folder.exists()


def test_a_converted_model_has_no_gradients(tune, suite, tmp_path, marian, capsys):
    exported = tmp_path / "exported"
    assert main(["export", f"hf:{marian}", str(exported)]) == 0
    tune(suite, model=f"onnx:{exported}", code=2)
    assert "has no gradients here" in error_of(capsys)


def test_a_ctranslate2_model_has_no_gradients(tune, suite, tmp_path, marian, capsys):
    ctranslate2 = pytest.importorskip("ctranslate2")
    import mtprobe_ctranslate2  # noqa: F401 - its entry point

    converter = ctranslate2.converters.TransformersConverter(
        str(marian), copy_files=["source.spm", "target.spm"]
    )
    try:
        converter.convert(str(tmp_path / "ct2"))
    except ValueError as error:  # it wants as many heads on both sides
        pytest.skip(str(error))
    tune(suite, "--source", "en", "--target", "pt", model=f"ct2:{tmp_path / 'ct2'}", code=2)
    assert "has no gradients here" in error_of(capsys)
