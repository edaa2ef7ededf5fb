"""mtprobe salience"""

from __future__ import annotations

import json

import pytest

from mtprobe.cli import main
from mtprobe.methods.salience.outcome import Importance
from mtprobe.metrics import Measure
from mtprobe.report.salience import conclusion, in_words
from tests.report.page import parse

SUITE = """\
mtprobe: 1
name: agreement
about: Does the adjective agree with who is tired?
languages: {source: en, targets: pt}
method: minimal-pairs
cluster: schema
gates: {accuracy: ">= 0"}
generate:
  - id: tired
    source: The {who} is <tired> & <b>.
    slots:
      who: {woman: {schema: a}, girl: {schema: b}, queen: {schema: c}}
    triggers: "{who}"
    targets:
      pt: {correct: A pessoa está cansada., incorrect: A pessoa está cansado.}
samples:
  - id: german
    source: He came.
    attributes: {schema: d}
    targets:
      de: {correct: Er kam., incorrect: Sie kam.}
""".replace(" & <b>", r" & \<b\>")


@pytest.fixture
def agreement(folder):
    (folder / "agreement.mt.yaml").write_text(SUITE, encoding="utf-8")
    return "agreement.mt.yaml"


def test_sentences_are_shaded_and_triggers_marked(agreement, capsys):
    assert main(["salience", "demo", agreement]) == 0
    shown = capsys.readouterr().out
    assert "  The [woman] is tired & <b>." in shown
    assert "  → A pessoa está cansada.  P = 0." in shown
    assert "trigger importance for the word: d = " in shown
    assert "trigger importance for the choice: d = " in shown
    assert "n = 3 sentences" in shown
    assert "of 3 trigger words" in shown
    assert "skipped: 1 sample" in shown


def test_json_has_every_word_with_its_place_and_kind(agreement, capsys):
    assert main(["salience", "demo", agreement, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in found["sentences"]] == ["tired/woman", "tired/girl", "tired/queen"]
    first = found["sentences"][0]
    assert first["word"] == "cansada"
    kinds = {word["text"]: word["kind"] for word in first["words"]}
    assert kinds["The"] == "other"
    assert kinds["tired"] == "focus"
    assert kinds["."] == "sign"
    assert "trigger" in kinds.values()
    assert all(first["source"][word["start"] : word["end"]] == word["text"] for word in first["words"])
    assert found["model"]["name"] == "demo"
    assert set(found["importance"]["d"]) == {"value", "low", "high", "n", "note", "bounds"}


def test_of_a_few_samples_the_interval_is_not_made_up(agreement, folder, capsys):
    text = SUITE.partition("samples:")[0]
    (folder / agreement).write_text(text, encoding="utf-8")
    assert main(["salience", "demo", agreement, "--json", "--take", "1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["sentences"]) == 1
    assert isinstance(found["importance"]["d"]["value"], float)
    assert found["importance"]["p"] is None
    assert "one cluster" in found["importance"]["d"]["note"]


def test_the_page_is_one_file_in_which_text_does_nothing(agreement, folder, capsys):
    assert main(["salience", "demo", agreement, "-o", "out/salience.html"]) == 0
    assert "page: out/salience.html" in capsys.readouterr().out
    text = (folder / "out" / "salience.html").read_text(encoding="utf-8")
    page = parse(text)
    assert "<b>" not in text
    assert len(page.one("ol", "shaded").all("li")) == 3
    triggers = [word.text for word in page.one("ol", "shaded").all("span", "trigger")]
    assert sorted(triggers) == ["girl", "queen", "woman"]
    deepest = page.one("ol", "shaded").all("span", "raises8")
    assert deepest
    assert all(word.attributes["title"].startswith("+0.") for word in deepest)
    assert "style=" not in text  # the page's policy would refuse it
    assert "prefers-color-scheme: dark" in text


def test_without_triggers_it_says_how_to_name_them(agreement, folder, capsys):
    (folder / agreement).write_text(SUITE.replace('    triggers: "{who}"\n', ""), encoding="utf-8")
    assert main(["salience", "demo", agreement]) == 0
    assert "no sentence has triggers; name them in the samples" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (["python:echoing:echo", "--target=pt", "--source=en"], "does not run on our graphs"),
        (["demo", "--take=0"], "must be at least 1"),
    ],
)
def test_a_model_or_suite_without_salience_is_an_error(
    agreement, folder, capsys, monkeypatch, model, message
):
    monkeypatch.syspath_prepend(str(folder))
    (folder / "echoing.py").write_text("def echo(sources):\n    return list(sources)\n")
    assert main(["salience", model[0], agreement, *model[1:]]) == 2
    assert message in capsys.readouterr().err


def test_a_suite_for_another_language_or_without_targets_is_reported(agreement, folder, capsys):
    path = folder / agreement
    path.write_text(SUITE.replace("targets: pt}", "targets: de}"), encoding="utf-8")
    assert main(["salience", "demo", agreement]) == 2
    assert "the suite is for en→de, but demo translates en→pt" in capsys.readouterr().err
    path.write_text(SUITE.replace("cansado.", "cansada hoje."), encoding="utf-8")
    assert main(["salience", "demo", agreement]) == 2
    assert (
        "no sample has `targets` in pt whose correct one has a word that the other lacks"
        in capsys.readouterr().err
    )


def test_sign_size_and_p_are_in_the_words():
    def importance(d, p):
        return Importance(Measure(d, d - 0.1, d + 0.1, 40), 0.1, 0.0, 40, 200, 2.0, p)

    assert conclusion(importance(0.9, 0.001)) == "triggers matter more than other words (a large effect)"
    assert conclusion(importance(-0.6, 0.03)) == "triggers matter less than other words (a medium effect)"
    assert (
        conclusion(importance(-0.9, 0.4)) == "no evidence that triggers matter more or less than other words"
    )
    assert conclusion(importance(0.9, None)) == "too few sentences to test"
    assert in_words(importance(-0.6, 0.03)) == (
        "d = -0.60 (95% interval -0.70 to -0.50, n = 40 sentences), paired t = 2.00, p = 0.030: "
        "triggers matter less than other words (a medium effect)"
    )


@pytest.mark.usefixtures("agreement")
def test_a_folder_is_measured_suite_by_suite(folder, capsys):
    (folder / "more").mkdir()
    text = SUITE.partition("samples:")[0].replace("name: agreement", "name: second")
    (folder / "more" / "second.mt.yaml").write_text(text, encoding="utf-8")
    (folder / "more" / "german.mt.yaml").write_text(
        SUITE.replace("targets: pt}", "targets: de}"), encoding="utf-8"
    )
    assert main(["salience", "demo", ".", "-o", "salience.html"]) == 0
    printed = capsys.readouterr()
    assert "agreement · demo (en→pt)" in printed.out
    assert "second · demo (en→pt)" in printed.out
    assert "skipped: more/german.mt.yaml: the suite is for en→de, but demo translates en→pt" in printed.err
    page = parse((folder / "salience.html").read_text(encoding="utf-8"))
    assert [heading.text for heading in page.all("h2")] == [
        "agreement: trigger importance",
        "agreement: sentences",
        "second: trigger importance",
        "second: sentences",
    ]
    assert main(["salience", "demo", "more", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["suite"] == "second"
    assert found["importance"]["conclusion"]
    (folder / "more" / "second.mt.yaml").unlink()
    assert main(["salience", "demo", "more"]) == 2
    assert "more: no suite of minimal pairs for en→pt in this folder" in capsys.readouterr().err
