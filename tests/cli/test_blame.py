"""Whether a model errs or its search, asked with good translations of another model."""

from __future__ import annotations

import sys

import pytest

import mtprobe
from mtprobe.cli import main

SUITE = """\
mtprobe: 1
name: shots
about: Are ambiguous words translated in the right sense?
languages: {source: en, targets: any}
method: lexicon
gates: {accuracy: ">= 0.5"}
samples:
  - {id: whiskey, source: He poured himself a <shot> of whiskey., lemmas: {pt: {good: dose, bad: tiro}}}
  - {id: river, source: They walked along the <bank> of the river., lemmas: {pt: {good: margem, bad: banco}}}
  - {id: fish, source: We had a soup as a <starter> before the fish., lemmas: {pt: {good: entrada, bad: motor}}}
  - {id: cave, source: The old <bat> flew out of the dark cave., lemmas: {pt: {good: morcego, bad: taco}}}
"""

MODELS = '''
class Model:
    """Its scores are its own: a higher one for each word that it likes."""

    def __init__(self, name, made, likes=()):
        self.fingerprint, self.made, self.likes = name, made, likes

    def __call__(self, sources):
        return [next(text for word, text in self.made.items() if word in source) for source in sources]


class Scoring(Model):
    def score(self, pairs):
        return [(-2.0 + any(word in target for word in self.likes),) for _, target in pairs]


mine = Scoring("mine", {
    "whiskey": "Ele serviu-se de um tiro de uísque.",
    "river": "Eles caminharam ao longo do banco do rio.",
    "starter": "Tomamos uma sopa como motor antes do peixe.",
    "bat": "O velho taco voou para fora da caverna escura.",
}, likes=("tiro", "banco", "entrada"))
other = Model("other", {
    "whiskey": "Ele serviu-se de uma dose de uísque.",
    "river": "Eles caminharam pela margem do rio.",
    "starter": "Tomamos uma sopa de entrada antes do peixe.",
    "bat": "O velho taco saiu a voar da caverna escura.",
})
third = Model("third", {
    "whiskey": "Ele serviu-se de uma dose.",
    "river": "Eles caminharam pela margem do rio, mas sem entrada.",
    "starter": "Tomamos uma sopa.",
    "bat": "O velho taco.",
})
'''


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "blamed.py").write_text(MODELS, encoding="utf-8")
    (tmp_path / "shots.mt.yaml").write_text(SUITE, encoding="utf-8")
    for name in ("mine", "other", "third"):
        mtprobe.run("shots.mt.yaml", f"python:blamed:{name}", target="pt", record=f"{name}.jsonl")
    yield
    sys.modules.pop("blamed", None)


@pytest.mark.usefixtures("here")
def test_a_model_that_prefers_its_own_errs_and_otherwise_its_search(capsys):
    """Of four wrong ones three have a good one; of two of these the model likes its own better."""
    assert main(["blame", "mine.jsonl", "--model", "python:blamed:mine", "--good", "other.jsonl"]) == 0
    out = capsys.readouterr().out
    assert "shots · python-blamed-mine en→pt: 4 wrong translations" in out
    assert "model errors: 0.67 (95% interval 0.09–0.99, n = 3)" in out
    assert "above one good one, as in DiBiMT" in out
    assert "search errors: 1:" in out
    assert "fish" in out
    assert "reference    -1.000  Tomamos uma sopa de entrada antes do peixe." in out
    assert "river" not in out


@pytest.mark.usefixtures("here")
def test_a_wrong_translation_is_paired_with_one_good_one_or_with_every_one(capsys):
    """The model likes its own better than the first good one, and a good one of a third model better still."""
    given = ["blame", "mine.jsonl", "--model", "python:blamed:mine", "--good", "other.jsonl", "third.jsonl"]
    assert main(given) == 0
    one = capsys.readouterr().out
    assert (
        "model errors: 0.67 (95% interval 0.09–0.99, n = 3): the model scores its own translation above one"
        in one
    )
    assert (
        "model errors: 0.33 (95% interval 0.01–0.91, n = 3): the model scores its own translation above every"
        in one
    )
    assert "search errors: 1:" in one
    assert "river" not in one
    assert main([*given, "--against", "every"]) == 0
    every = capsys.readouterr().out
    assert "search errors: 2:" in every
    assert "pela margem do rio, mas sem entrada" in every


@pytest.mark.usefixtures("here")
def test_a_record_without_good_translations_says_so(capsys):
    assert main(["blame", "mine.jsonl", "--model", "python:blamed:mine", "--good", "mine.jsonl"]) == 0
    assert "no other record has a good translation for any of them" in capsys.readouterr().out


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("record", "spec", "message"),
    [
        ("other.jsonl", "mine", "the record has no suite that lexicon judged on python-blamed-mine"),
        ("mine.jsonl", "other", "cannot score, so its preference is unknown"),
    ],
)
def test_another_model_or_one_that_cannot_score_is_refused(capsys, record, spec, message):
    assert main(["blame", record, "--model", f"python:blamed:{spec}", "--good", "other.jsonl"]) == 2
    assert message in capsys.readouterr().err
