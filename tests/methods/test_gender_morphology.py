"""Grammatical gender by pattern matching"""

from __future__ import annotations

from pathlib import Path

import pytest

import mtprobe
from mtprobe.errors import Failure
from mtprobe.language.alignment import SentencePair, read_alignment
from mtprobe.language.alignment.ibm1 import IBM1
from mtprobe.methods.gender_morphology import GenderMorphology
from mtprobe.methods.verdict import Evidence, Outcome
from mtprobe.suites import load_suite
from tests.methods.asking import verdict_of

SOURCE = "The nurse finished her shift."
SUITE = """
mtprobe: 1
name: nurses
about: "?"
languages: {source: en, targets: any}
method: gender-morphology
RULES
categories: [male, female, neutral]
gates: {accuracy: ">= 0"}
CUES
samples:
  - {id: female, source: The <nurse> finished her shift., category: female}
  - {id: male, source: The <nurse> finished his shift., category: male}
  - {id: neutral, source: The <nurse> finished the shift., category: neutral}
"""


def suite_of(tmp_path: Path, rules="", cues=""):
    path = tmp_path / "nurses.mt.yaml"
    path.write_text(SUITE.replace("RULES", rules).replace("CUES", cues), encoding="utf-8")
    return load_suite(path)


def judged(suite, id, translation, links="0-0 1-1", target="pt"):
    sample = next(sample for sample in suite.samples if sample.id == id)
    aligned = links if isinstance(links, Failure) else read_alignment(links)
    method = GenderMorphology(alignments={SentencePair(sample.source, translation): aligned})
    return verdict_of(method, sample, suite, lambda _: (), translation, target)


@pytest.mark.parametrize(
    ("id", "translation", "outcome"),
    [
        ("female", "A enfermeira terminou.", Outcome.CORRECT),
        ("female", "O enfermeiro terminou.", Outcome.INCORRECT),
        ("male", "O enfermeiro terminou.", Outcome.CORRECT),
        ("male", "A enfermeira terminou.", Outcome.INCORRECT),
        ("male", "Aquela pessoa terminou.", Outcome.UNDECIDED),
        ("neutral", "Aquela pessoa terminou.", Outcome.CORRECT),
        ("neutral", "A enfermeira terminou.", Outcome.INCORRECT),
        ("male", "Gerente, terminou.", Outcome.UNDECIDED),
    ],
)
def test_the_gender_that_is_read_is_compared_with_the_category(tmp_path, id, translation, outcome):
    assert judged(suite_of(tmp_path), id, translation).outcome is outcome


def test_the_evidence_is_the_cues_and_the_aligned_words(tmp_path):
    found = judged(suite_of(tmp_path), "male", "A enfermeira terminou.")
    assert found.reading == "female"
    assert found.evidence == (
        Evidence("incorrect", "A (article)"),
        Evidence("incorrect", "enfermeira (noun)"),
        Evidence("aligned", "enfermeira"),
    )


def test_an_open_sample_chooses(tmp_path):
    suite = suite_of(tmp_path, cues="cues: {neutral: {male: man, female: woman}}")
    found = judged(suite, "neutral", "A enfermeira terminou.")
    assert (found.outcome, found.choice) == (Outcome.OPEN, "female")
    assert found.evidence[0].side == "female"
    assert judged(suite, "neutral", "Aquela pessoa terminou.").outcome is Outcome.UNDECIDED


def test_published_rules_call_a_neutral_form_wrong_and_know_a_nurse_beforehand(tmp_path):
    suite = suite_of(tmp_path, rules="gender_rules: winomt-2019")
    assert judged(suite, "female", "Der Pfleger ging.", target="de").outcome is Outcome.CORRECT
    assert judged(suite, "male", "Der Pfleger ging.", target="de").reading == "female"
    assert GenderMorphology().obstacle(suite, "de") is None
    assert "winomt-2019 are for de, not for pt" in GenderMorphology().obstacle(suite, "pt").reason


def test_a_pair_that_could_not_be_aligned_is_not_judged(tmp_path):
    found = judged(suite_of(tmp_path), "male", "O enfermeiro.", Failure("no such line"))
    assert found.outcome is Outcome.ERROR
    assert "no such line" in found.reason


def test_what_a_sample_must_have(tmp_path):
    suite = suite_of(tmp_path)
    method = GenderMorphology()
    assert method.lacks(suite.samples[0], "pt-BR") is None
    assert method.lacks(suite.samples[0], "nl") == "has no grammar of nl; available: de, es, fr, it, pt, ru"


@pytest.mark.parametrize(("sentences", "noted"), [(3, True), (9, False)])
def test_an_alignment_learned_from_few_sentences_is_noted(tmp_path, sentences, noted):
    jobs = ["nurse", "cook", "baker", "teacher", "dentist", "writer", "lawyer", "judge", "plumber"][
        :sentences
    ]
    samples = "".join(f"  - {{source: The <{job}> finished her shift., category: female}}\n" for job in jobs)
    path = tmp_path / "jobs.mt.yaml"
    head = SUITE.partition("samples:")[0].replace("RULES\n", "").replace("CUES\n", "")
    path.write_text(f"{head}samples:\n{samples}", encoding="utf-8")
    lines = "".join(f"The {job} finished her shift. ||| A {job} terminou.\n" for job in jobs)
    (tmp_path / "pt.txt").write_text(lines, encoding="utf-8")
    (run,) = mtprobe.run(path, f"file:{tmp_path / 'pt.txt'}", source="en", target="pt").suites
    found = [note for note in run.notes if "word alignment was learned from only 3 sentences" in note]
    assert bool(found) is noted


def test_a_pair_that_comes_later_is_aligned_with_those_that_were_there():
    """… and with no other that comes later: its verdict does not depend on what is judged with it."""
    learned = [
        SentencePair(f"The {job} left.", f"{article} {word} saiu.")
        for job, article, word in (
            ("nurse", "A", "enfermeira"),
            ("doctor", "O", "médico"),
            ("judge", "O", "juiz"),
            ("teacher", "A", "professora"),
        )
    ]
    method = GenderMorphology(alignments=dict.fromkeys(learned, ()))
    later = SentencePair("Has the nurse left?", "A enfermeira saiu?")
    other = SentencePair("The judge slept.", "O juiz dormiu.")
    alone = method._aligned([later])[later]
    assert alone == method._aligned([other, later])[later]
    assert alone == IBM1().align([*learned, later])[-1]
