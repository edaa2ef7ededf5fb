"""`context:` of samples: given to models that can use it, and controlled by the context of other samples"""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

import mtprobe
from mtprobe.backends import Failure, LanguagePair, Request
from mtprobe.errors import SuiteError
from mtprobe.records import read_run

SUITE = """\
mtprobe: 1
name: what-it-is
about: Does the model find what "it" is in the sentence before?
languages: {source: en, targets: de}
method: reference-words
cluster: noun
gates: {accuracy: ">= 0"}
samples:
  - id: cup
    context: I bought a cup.
    source: I like it.
    attributes: {noun: cup}
    targets: {de: {correct: Ich mag sie., incorrect: Ich mag ihn.}}
  - id: table
    context: [We went to town., I bought a table.]
    source: I love it.
    attributes: {noun: table}
    targets: {de: {correct: Ich liebe ihn., incorrect: Ich liebe sie.}}
"""


class Reader:
    """Looks for the noun in the sentences before; without them it takes a guess."""

    languages = LanguagePair("en", "de")
    fingerprint = "reader:1"
    takes_requests = True

    def __init__(self) -> None:
        self.asked: list[Request] = []

    def translate(self, requests: Sequence[Request]) -> list[str | Failure]:
        self.asked += requests
        return [self._translate(request) for request in requests]

    def _translate(self, request: Request) -> str:
        verb = "mag" if "like" in request.text else "liebe"
        pronoun = "ihn" if "table" in " ".join(request.context) else "sie"
        return f"Ich {verb} {pronoun}."


class Alone:
    """Translates a sentence at a time."""

    languages = LanguagePair("en", "de")
    fingerprint = "alone:1"

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        return ["Ich mag sie." if "like" in source else "Ich liebe sie." for source in sources]


@pytest.fixture
def suite(tmp_path):
    def write(more=""):
        path = tmp_path / "it.mt.yaml"
        gates = 'gates: {"gap[context]": "<= 1", accuracy:' if more else "gates: {accuracy:"
        path.write_text(SUITE.replace("gates: {accuracy:", gates) + more, encoding="utf-8")
        return path

    return write


def outcomes(run):
    return {result.id: result.verdict.outcome.value for result in run.suites[0].results}


def test_a_model_that_takes_requests_gets_the_sentences_before(suite):
    reader = Reader()
    assert outcomes(mtprobe.run(suite(), reader)) == {"cup": "correct", "table": "correct"}
    assert [request.context for request in reader.asked] == [
        ("I bought a cup.",),
        ("We went to town.", "I bought a table."),
    ]


def test_another_model_translates_the_source_alone_and_the_run_says_so(suite):
    run = mtprobe.run(suite(), Alone())
    assert outcomes(run) == {"cup": "correct", "table": "incorrect"}
    assert any("cannot use all of the context that 2 samples have" in note for note in run.suites[0].notes)
    assert not any("context" in note for note in mtprobe.run(suite(), Reader()).suites[0].notes)


def test_controls_show_whether_the_context_is_used(suite):
    run = mtprobe.run(suite("context_controls: [random, none]\n"), Reader())
    assert outcomes(run) == {
        "cup": "correct",
        "cup@random": "incorrect",  # it has the table's context
        "cup@none": "correct",  # by luck
        "table": "correct",
        "table@random": "incorrect",
        "table@none": "incorrect",
    }
    (gap,) = (gate for gate in run.suites[0].gates if gate.key == "gap[context]")
    assert gap.measure.value == 1.0
    by_id = {result.id: result for result in run.suites[0].results}
    assert by_id["cup@random"].context == by_id["table"].context
    assert by_id["cup@random"].cluster == by_id["cup"].cluster


def test_a_model_that_ignores_the_context_shows_no_gap(suite):
    run = mtprobe.run(suite("context_controls: [random]\n"), Alone())
    (gap,) = (gate for gate in run.suites[0].gates if gate.key == "gap[context]")
    assert gap.measure.value == 0.0


def test_controls_without_contexts_are_a_mistake(tmp_path):
    path = tmp_path / "no.mt.yaml"
    text = SUITE.replace("    context: I bought a cup.\n", "").replace(
        "    context: [We went to town., I bought a table.]\n", ""
    )
    path.write_text(text + "context_controls: [random]\n", encoding="utf-8")
    with pytest.raises(SuiteError, match="no sample has a `context`"):
        mtprobe.load_suite(path)


def test_one_source_in_two_contexts_is_two_translations_also_from_the_store(suite, tmp_path):
    path = suite("context_controls: [random]\n")
    store = tmp_path / "store.sqlite"
    first = mtprobe.run(path, Reader(), store=store, record=tmp_path / "run.jsonl")
    again = Reader()
    assert outcomes(mtprobe.run(path, again, store=store)) == outcomes(first)
    assert again.asked == []
    assert outcomes(read_run(tmp_path / "run.jsonl")) == outcomes(first)


def test_a_record_with_contexts_can_be_judged_again(suite, tmp_path, monkeypatch, capsys):
    from mtprobe.cli import main

    monkeypatch.chdir(tmp_path)
    mtprobe.run(suite("context_controls: [random]\n"), Reader(), record="run.jsonl")
    assert main(["rescore", "run.jsonl", "-o", "again.jsonl"]) == 0
    capsys.readouterr()
    assert outcomes(read_run(tmp_path / "again.jsonl")) == outcomes(read_run(tmp_path / "run.jsonl"))


def test_a_record_without_contexts_does_not_mention_them(tmp_path):
    path = tmp_path / "plain.mt.yaml"
    path.write_text(SUITE.replace("    context: I bought a cup.\n", ""), encoding="utf-8")
    mtprobe.run(path, Alone(), record=tmp_path / "run.jsonl")
    samples = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text().splitlines()]
    assert [("context" in one) for one in samples if one["kind"] == "sample"] == [False, True]


WITH_SCORES = """
from mtprobe.backends import LanguagePair

class Model:
    # Scores a target higher if the source names its noun; writes the separator between sentences.
    fingerprint = "toy:1"

    def __call__(self, sources):
        return [" <sep> ".join("Satz." for _ in source.split("<sep>")) for source in sources]

    def score(self, pairs):
        wanted = {"sie": "cup", "ihn": "table"}
        return [(-1.0 if wanted.get(target.split()[-1].strip("."), "") in source else -2.0,) for source, target in pairs]

model = Model()
"""


def test_concat_joins_contexts_for_translating_and_for_scoring(suite, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toymodel.py").write_text(WITH_SCORES, encoding="utf-8")
    path = suite("context_controls: [random, none]\n")
    path.write_text(
        path.read_text().replace("method: reference-words", "method: minimal-pairs\nties: incorrect")
    )
    spec = "concat:<sep>|python:toymodel:model"
    run = mtprobe.run(path, spec, source="en", target="de")
    assert outcomes(run) == {
        "cup": "correct",
        "cup@random": "incorrect",
        "cup@none": "incorrect",  # a tie
        "table": "correct",
        "table@random": "incorrect",
        "table@none": "incorrect",
    }
    assert {result.translation for result in run.suites[0].results} == {"Satz."}
    assert not any("context" in note for note in run.suites[0].notes)
    alone = mtprobe.run(path, "python:toymodel:model", source="en", target="de")
    assert set(outcomes(alone).values()) == {"incorrect"}
    assert any("concat:SPEC" in note for note in alone.suites[0].notes)


def test_people_see_the_context(suite, tmp_path, monkeypatch, capsys):
    from mtprobe.cli import main

    monkeypatch.chdir(tmp_path)
    run = mtprobe.run(suite("context_controls: [random]\n"), Reader(), record="run.jsonl")
    assert main(["show", "run.jsonl", "cup@random"]) == 0
    assert "context      We went to town. I bought a table." in capsys.readouterr().out
    assert main(["expand", "it.mt.yaml", "--jsonl"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0]["context"] == ["I bought a cup."]
    assert run.to_rows()[0]["context"] == "I bought a cup."
