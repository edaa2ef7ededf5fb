"""preserve: what a suite names must survive, and the verdict says what did not"""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import mtprobe
from mtprobe.errors import MtprobeError

HEAD = """\
mtprobe: 1
name: keep
about: Does everything survive?
languages: {source: en, targets: any}
method: preserve
gates: {accuracy: ">= 0.9"}
"""


@pytest.fixture
def judged(tmp_path):
    """The verdicts on translations into Portuguese, in order."""

    def run(suite, pairs):
        path = tmp_path / "keep.mt.yaml"
        path.write_text(HEAD + suite, encoding="utf-8")
        lines = "".join(f"{source} ||| {target}\n" for source, target in pairs.items())
        (tmp_path / "pt.txt").write_text(lines, encoding="utf-8")
        (done,) = mtprobe.run(path, f"file:{tmp_path / 'pt.txt'}", source="en", target="pt").suites
        return [result.verdict for result in done.results]

    return run


def test_the_verdict_says_what_was_lost_added_or_changed_and_where(judged):
    source = "The {count} cars cost 2,200,112 dollars."
    (verdict,) = judged(
        f"preserve: [numbers, placeholders]\nsamples:\n  - source: {source}\n",
        {source: "Os carros custaram 2.200,112 dólares."},
    )
    assert verdict.outcome == "incorrect"
    assert verdict.reason == ("numbers: “2,200,112” became “2.200,112”; placeholders: “{count}” was lost")
    assert [dict(item.attributes) for item in verdict.evidence] == [
        {"kind": "numbers", "change": "changed", "before": "2,200,112", "at": "19–28"},
        {"kind": "placeholders", "change": "lost", "before": "{count}"},
    ]


def test_what_survived_is_the_evidence_of_a_correct_translation(judged):
    source = "Call 555 before March 5, 2024."
    (verdict,) = judged(
        f"preserve: [dates]\nsamples:\n  - source: {source}\n",
        {source: "Ligue para 555 antes de 5 de março de 2024."},
    )
    assert verdict.outcome == "correct"
    assert [item.text for item in verdict.evidence] == ["March 5, 2024"]


def test_a_sample_may_say_something_else_than_its_suite(judged):
    suite = """\
preserve: numbers
samples:
  - source: <Ana Lima> has 3 cats.
    preserve: names
  - source: Bo Berg has 3 dogs.
    preserve: [names, numbers]
    names: Bo Berg
"""
    first, second = judged(
        suite,
        {"Ana Lima has 3 cats.": "Ana Lima tem gatos.", "Bo Berg has 3 dogs.": "Bo Berg tem cachorros."},
    )
    assert (first.outcome, second.outcome) == ("correct", "incorrect")
    assert second.reason == "numbers: “3” was lost"


def test_a_source_with_nothing_to_keep_is_undecided(judged):
    source = "There is nothing here."
    (verdict,) = judged(
        f"preserve: [numbers, urls]\nsamples:\n  - source: {source}\n", {source: "Nada aqui está."}
    )
    assert (verdict.outcome, verdict.reason) == ("undecided", "the source has no numbers or urls")


def test_a_glossary_is_compared_by_dictionary_forms(judged):
    suite = """\
preserve: terms
terms:
  pt:
    invoice: fatura
    customer: {required: cliente, forbidden: [freguês]}
samples:
  - source: The invoices were sent.
  - source: The invoice was wrong.
  - source: The customers left.
"""
    plural, wrong, forbidden = judged(
        suite,
        {
            "The invoices were sent.": "As faturas foram enviadas.",
            "The invoice was wrong.": "A nota estava errada.",
            "The customers left.": "Os fregueses saíram.",
        },
    )
    assert plural.outcome == "correct"
    assert wrong.reason == "terms: “invoice (fatura)” was lost"
    assert forbidden.reason == "terms: “customers” became “fregueses”, which is forbidden"


@pytest.mark.parametrize(
    ("terms", "complaint"),
    [("", "preserve: terms needs `terms`"), ('terms: {pt: {coffee: "??"}}\n', '"??" is not a word')],
)
def test_a_glossary_that_is_missing_or_has_no_words_is_an_error(judged, terms, complaint):
    with pytest.raises(MtprobeError, match=re.escape(complaint)):
        judged(f"preserve: terms\n{terms}samples:\n  - source: Coffee.\n", {"Coffee.": "Café."})


def test_names_in_templates_are_filled_in(judged):
    suite = """\
generate:
  - source: "Yesterday {person} called."
    slots: {person: [Ana Lima, Bo Berg]}
    preserve: names
    names: "{person}"
"""
    verdicts = judged(
        suite,
        {
            "Yesterday Ana Lima called.": "Ontem Ana Lima ligou.",
            "Yesterday Bo Berg called.": "Ontem Bo ligou.",
        },
    )
    assert [verdict.outcome for verdict in verdicts] == ["correct", "incorrect"]


def test_the_length_ratio_is_the_suites(judged):
    source = "Some words are here."
    suite = f"preserve: length\nlength_ratio: [0.9, 1.1]\nsamples:\n  - source: {source}\n"
    assert judged(suite, {source: "Algumas palavras estão todas aqui."})[0].outcome == "incorrect"
    assert judged(suite, {source: "Há palavras por aqui"})[0].outcome == "correct"


@pytest.mark.parametrize(
    ("suite", "message"),
    [
        (
            "preserve: number\nsamples:\n  - source: I have 3.\n",
            'keep.mt.yaml:9:5: preserve: there is no "number"; did you mean "numbers"?',
        ),
        (
            "length_ratio: [2, 1]\npreserve: length\nsamples:\n  - source: I have 3.\n",
            "keep.mt.yaml:7:1: length_ratio: write the smaller ratio first, for example [0.5, 2]",
        ),
    ],
)
def test_mistakes_name_their_place(judged, suite, message):
    with pytest.raises(MtprobeError) as caught:
        judged(suite, {"I have 3.": "Tenho 3."})
    assert message in str(caught.value)


def test_a_suite_that_names_nothing_to_keep_is_skipped_with_the_reason(tmp_path):
    path = tmp_path / "keep.mt.yaml"
    path.write_text(f"{HEAD}samples:\n  - source: I have 3.\n", encoding="utf-8")
    with pytest.raises(MtprobeError, match="needs `preserve`, what must survive: numbers, currency"):
        mtprobe.run(path, "demo")


def test_without_cldr_the_command_that_installs_it_is_named(tmp_path):
    path = tmp_path / "keep.mt.yaml"
    path.write_text(f"{HEAD}preserve: numbers\nsamples:\n  - source: I have 3.\n", encoding="utf-8")
    script = f"import sys, mtprobe; sys.modules['babel'] = None; mtprobe.run({str(path)!r}, 'demo')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert 'preserve needs babel: pip install "mtprobe[checks]"' in done.stderr
