"""Suites that are judged by lemmas, as a user runs them."""

from __future__ import annotations

import pytest
import simplemma  # noqa: F401 - as in conftest.py: loaded once, outside of runs in this process

SUITE = """
mtprobe: 1
name: shots
about: Are ambiguous words translated in the right sense?
languages: {source: en, targets: any}
method: lexicon
cluster: word
gates:
  accuracy: ">= 0.50"
  undecided: "<= 0.40"
samples:
  - id: whiskey
    source: He poured himself a <shot> of whiskey after the long meeting.
    attributes: {word: shot, pos: noun, sense: drink}
    senses: [gunshot, photograph, drink]
    lemmas:
      pt:
        good: [dose, trago]
        bad: {gunshot: [tiro, disparo], photograph: foto}
  - id: river
    source: They walked along the <bank> of the river until it was dark.
    attributes: {word: bank, pos: noun, sense: shore}
    senses: [money, shore]
    lemmas:
      pt:
        good: [margem, beira]
        bad: {money: banco}
  - id: robber
    source: The robber fired a <shot> at the door of the old house.
    attributes: {word: shot, pos: noun, sense: gunshot}
    senses: [gunshot, photograph, drink]
    lemmas:
      pt:
        good: [tiro, disparo]
        bad: {photograph: foto, drink: [dose, trago]}
  - id: starter
    source: We had a light soup as a <starter> before the fish came.
    attributes: {word: starter, pos: noun, sense: dish}
    senses: [motor, dish]
    lemmas:
      pt:
        good: entrada
        bad: {motor: motor de arranque}
"""

TOYS = '''
WORDS = {
    "whiskey": "Ele serviu-se de dois tiros de uísque depois da longa reunião.",
    "river": "Eles caminharam pelas margens do rio até ficar escuro.",
    "robber": "O ladrão disparou um tiro contra a porta da casa velha.",
    "starter": "Comemos uma sopa leve como prato antes de chegar o peixe.",
}


def plain(sources):
    """Cannot score."""
    return [next(text for word, text in WORDS.items() if word in source) for source in sources]
'''


@pytest.fixture
def words(project):
    (project.path / "suites" / "occupations.mt.yaml").unlink()
    (project.path / "toys.py").write_text(TOYS, encoding="utf-8")
    project.suite("shots", SUITE)
    return project


def outcomes(project):
    return {line["id"]: line["verdict"]["outcome"] for line in project.record() if line["kind"] == "sample"}


def test_good_is_right_bad_is_wrong_and_a_miss_is_undecided(words):
    words.pytest(model="plain").assert_outcomes(passed=2)
    assert outcomes(words) == {
        "whiskey": "incorrect",
        "river": "correct",
        "robber": "correct",
        "starter": "undecided",
    }


def test_a_failing_gate_shows_the_word_that_was_found(words):
    words.suite("shots", SUITE.replace('accuracy: ">= 0.50"', 'accuracy: ">= 0.90"'))
    result = words.pytest("-v", model="plain")
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(
        ["*accuracy*0.67*", "*whiskey*", "*dois tiros de uísque*", "*incorrect *tiros (tiro: gunshot)"]
    )


def test_the_signature_says_what_lemmatised(words):
    result = words.pytest("-v", model="plain")
    result.stdout.fnmatch_lines(["*method lexicon 1 (simplemma *)*"])
    assert next(line for line in words.record() if line["kind"] == "suite")["details"].startswith(
        "simplemma "
    )


@pytest.mark.parametrize("how", ["option", "ini"])
def test_another_lemmatiser_by_option_and_ini(words, how):
    """On surface forms the inflected words are not found."""
    if how == "ini":
        words.pytester.makeini("[pytest]\nmt_lemmatizer = surface\n")
    words.pytest(*["--mt-lemmatizer=surface"] * (how == "option"), model="plain")
    assert outcomes(words) == {
        "whiskey": "undecided",
        "river": "undecided",
        "robber": "correct",
        "starter": "undecided",
    }
    assert next(line for line in words.record() if line["kind"] == "suite")["details"] == "surface"


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("simplema", '*--mt-lemmatizer: there is no lemmatizer "simplema"; did you mean "simplemma"?*'),
        ("simplemma:models", "*--mt-lemmatizer: simplemma takes no models from models; stanza and spacy do*"),
    ],
)
def test_a_lemmatiser_that_there_is_not_is_a_usage_error(words, kind, message):
    result = words.pytest(f"--mt-lemmatizer={kind}", model="plain")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


def test_a_package_that_is_missing_is_named_with_its_extra(words, monkeypatch):
    import mtprobe.language.lemmatizers.registry

    monkeypatch.setattr(mtprobe.language.lemmatizers.registry, "find_spec", lambda _: None)
    result = words.pytest(model="plain")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(['*lexicon: simplemma is not installed: pip install "mtprobe?lemmas?"*'])


BOTH = SUITE.replace("method: lexicon", "methods: [contrastive-conditioning, lexicon]").replace(
    "    lemmas:\n", "    cues: {correct: right, incorrect: wrong}\n    lemmas:\n"
)


def test_a_method_that_needs_scores_is_left_out_visibly_and_gates_read_lexicon(words):
    words.suite("shots", BOTH)
    result = words.pytest("-v", model="plain")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*note: contrastive-conditioning was skipped: *needs an evaluator*"])
    suites = [line for line in words.record() if line["kind"] == "suite"]
    assert [suite["method"] for suite in suites] == ["lexicon"]
    gates = [line for line in words.record() if line["kind"] == "gate"]
    assert [(gate["key"], gate["decision"]) for gate in gates] == [
        ("accuracy", "passed"),
        ("undecided", "passed"),
    ]


def test_by_mt_method_only_lexicon_judges(words):
    words.suite("shots", BOTH)
    result = words.pytest("-v", "--mt-method=lexicon", model="plain")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*contrastive-conditioning was skipped: only lexicon was asked for*"])


def test_samples_without_lemmas_in_the_language_are_skipped_with_the_reason(words):
    result = words.pytest(
        "-rs", "--mt-allow-skips", "--mt-model=python:toys:plain", "--mt-target=es", model=None
    )
    result.assert_outcomes(skipped=2)
    result.stdout.fnmatch_lines(["*lexicon needs `lemmas` in es; available: pt*"])


def test_the_numbers_of_senses_stand_in_terminal_and_report(words):
    words.suite("shots", SUITE.replace("  undecided:", '  mfs: "<= 0.50"\n  sfii: "<= 0.60"\n  undecided:'))
    result = words.pytest("-v", "--mt-report=report.html", model="plain")
    result.assert_outcomes(passed=3, failed=1)  # the one mistake has the most frequent sense
    result.stdout.fnmatch_lines(
        ["*sfii <= 0.60: 0.33*", "  spdi: 0.25 *n = 3) ?2 groups?", "  mfs_plus: 1.00 *n = 1)"]
    )
    page = (words.path / "report.html").read_text(encoding="utf-8")
    assert "sense frequency index influence" in page


def test_two_models_of_the_same_suite_are_compared_by_their_senses(words):
    result = words.pytest(
        "-v",
        "--mt-model=one=python:toys:plain",
        "--mt-model=two=python:toys:plain",
        "--mt-target=pt",
        model=None,
    )
    result.stdout.fnmatch_lines(["shots: one and two share a sense in 1.00 *n = 3)"])
