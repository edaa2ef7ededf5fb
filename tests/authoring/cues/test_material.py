"""Words, senses and references from suites and from a public set."""

from __future__ import annotations

import pytest

from mtprobe.authoring.cues.material import read_material
from mtprobe.suites import load_suite

HEAD = """\
mtprobe: 1
name: mucow
about: Are words understood?
languages: {source: en, targets: [de]}
method: contrastive-conditioning
cues: {file: cues.jsonl}
gates: {accuracy: ">= 0.5"}
"""
MUCOW = "data: {format: mucow, text: en-de.text.txt, key: en-de.key.tsv, references: en-de.ref.txt}\n"


@pytest.fixture
def read(tmp_path):
    def read(text: str, target: str | None = "de", data_root=None):
        path = tmp_path / "suite.mt.yaml"
        path.write_text(text, encoding="utf-8")
        return read_material(load_suite(path, data_root, uncued=True), ("word", "sense"), target)

    return read


def test_a_public_set_has_words_senses_and_references(read, tmp_path):
    items = [
        ("1\tted\tbank\tufer\tbank", "We sat on the bank.", "Wir saßen am Ufer."),
        ("2\tted\tbank\tbank\tufer", "The banks closed.", "Die Banken schlossen."),
        ("3\tted\tbank\tbank\tufer", "A bank pays.", "Eine Bank zahlt."),
    ]
    for name, column in (("key.tsv", 0), ("text.txt", 1), ("ref.txt", 2)):
        (tmp_path / f"en-de.{name}").write_text(
            "".join(f"{item[column]}\n" for item in items), encoding="utf-8"
        )
    (word,) = read(HEAD + MUCOW).words
    assert word.name == "bank"
    assert {sense: len(contexts) for sense, contexts in word.senses.items()} == {"ufer": 1, "bank": 2}
    assert word.senses["ufer"][0].right == ("Wir saßen am Ufer.",)
    assert word.forms == {"bank", "banks"}


def test_all_of_mucow_can_be_asked(read, shared_data):
    material = read(HEAD + MUCOW, data_root=shared_data / "mucow")
    assert len(material.words) == 176
    contexts = [one for word in material.words for sense in word.senses.values() for one in sense]
    assert len(contexts) == 3337
    assert all(context.right for context in contexts)
    assert not material.skipped


def test_references_targets_and_audit_pairs_are_known_translations(read):
    text = """\
samples:
  - id: a
    source: The <bank> was muddy.
    attributes: {word: bank, sense: river}
    references: {de: [Das Ufer war matschig., Am Ufer lag Matsch.], pt: A margem.}
    targets:
      de: {correct: Das Ufer war matschig., incorrect: Die Bank war matschig.}
  - {id: b, source: The <bank> paid., attributes: {word: bank, sense: money}}
audit:
  de-AT:
    - {sample: b, targets: {correct: Die Bank zahlte., incorrect: Das Ufer zahlte.}}
"""
    (word,) = read(HEAD + text).words
    (river,), (money,) = word.senses.values()
    assert river.right == ("Das Ufer war matschig.", "Am Ufer lag Matsch.")
    assert river.wrong == ("Die Bank war matschig.",)
    assert (money.right, money.wrong) == (("Die Bank zahlte.",), ("Das Ufer zahlte.",))
    (word,) = read(HEAD + text, target=None).words
    assert word.senses["river"][0].right == ()


def test_the_digest_changes_with_what_cues_depend_on(read):
    text = """\
samples:
  - {source: The <bank> was muddy., attributes: {word: bank, sense: river}, references: {de: Ufer}}
  - {source: The <bank> paid., attributes: {word: bank, sense: money}, references: {de: Bank}}
"""
    digest = read(HEAD + text).digest()
    assert read(HEAD.replace("0.5", "0.6") + text).digest() == digest
    assert read(HEAD + text.replace("Ufer", "Böschung")).digest() != digest
    assert read(HEAD + text.replace("muddy", "dry")).digest() != digest
