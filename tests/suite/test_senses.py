"""Words and their senses: a context is a sample, and a sense's cues speak against the word's other senses."""

from __future__ import annotations

import pytest

SUITE = """\
mtprobe: 1
name: words
about: Are words understood?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [frequent, rare]
cluster: word
gates: {accuracy: ">= 0.5"}
data: {file: nouns.yaml, format: senses}
"""

NOUNS = """\
attributes: {pos: noun}
words:
  bat:
    animal:
      category: frequent
      cues: [furry, nocturnal]
      contexts:
        cave: The <bat> hung upside down in the cave.
        attic: A <bat> lives in our attic.
    club:
      category: rare
      cues: [baseball, cricket]
      contexts:
        fence: He swung the <bat> and hit the ball over the fence.
"""


@pytest.fixture
def samples(load):
    return load(SUITE, {"nouns.yaml": NOUNS}).samples


def test_a_context_is_a_sample_named_after_word_sense_and_context(samples):
    assert [sample.id for sample in samples] == ["bat/animal/cave", "bat/animal/attic", "bat/club/fence"]
    assert samples[1].source == "A bat lives in our attic."
    assert samples[1].attributes == {"pos": "noun", "word": "bat", "sense": "animal"}
    assert {sample.cluster for sample in samples} == {"bat"}
    assert [sample.category for sample in samples] == ["frequent", "frequent", "rare"]


def test_a_sense_s_cues_are_incorrect_for_the_other_sense(samples):
    assert samples[0].cues.correct == samples[2].cues.incorrect == ("furry", "nocturnal")
    assert samples[0].cues.incorrect == samples[2].cues.correct == ("baseball", "cricket")


def test_with_three_senses_both_others_are_incorrect(load):
    third = "    shuttle:\n      category: rare\n      cues: hopping\n      contexts: {a: The <bat> hops.}\n"
    animal, *_, shuttle = load(SUITE, {"nouns.yaml": NOUNS + third}).samples
    assert animal.cues.incorrect == ("baseball", "cricket", "hopping")
    assert shuttle.cues.incorrect == ("furry", "nocturnal", "baseball", "cricket")


def test_a_sample_stands_at_its_context(samples):
    assert [(sample.place.path.name, sample.place.line) for sample in samples] == [
        ("nouns.yaml", 8),
        ("nouns.yaml", 9),
        ("nouns.yaml", 14),
    ]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("cues: [furry", "cue: [furry", 6, 'words.bat.animal.cue: unknown key; did you mean "cues"?'),
        ("cues: [furry, nocturnal]", "cues: []", 6, "words.bat.animal.cues: must have at least one entry"),
        ("A <bat> lives", "A <bat lives", 9, "the focus is opened with < and closed with >"),
        ("category: rare", "category: rear", 14, 'category "rear" is not declared; did you mean "rare"?'),
        ("        attic:", "        cave:", 9, 'duplicate key "cave" (first on line 8)'),
        ("A <bat> lives in our attic.", "", 9, "words.bat.animal.contexts.attic: is empty"),
        ("attributes:", "atributes:", 1, 'atributes: unknown key; did you mean "attributes"?'),
    ],
)
def test_a_mistake_is_named_with_its_line_in_the_data_file(problem, old, new, line, message):
    found = problem(SUITE, {"nouns.yaml": NOUNS.replace(old, new, 1)})
    assert (found.place.path.name, found.place.line) == ("nouns.yaml", line)
    assert message in found.message


def test_a_word_with_one_sense_is_refused(problem):
    found = problem(SUITE, {"nouns.yaml": NOUNS.partition("    club:")[0]})
    assert (found.place.line, found.place.column) == (3, 3)
    assert found.message == "words.bat: has one sense; a word needs two that can be confused"


def test_a_word_with_hundreds_of_senses_is_refused(problem):
    """Each of them would speak against each other one."""
    more = "".join(f"    s{number}: {{category: rare, cues: [c{number}]}}\n" for number in range(300))
    found = problem(SUITE, {"nouns.yaml": NOUNS + more})
    assert found.place.line == 3
    assert found.message == "words.bat: has 302 senses; the most ambiguous words have fewer than 100"


def test_a_word_with_thousands_of_cues_is_refused(problem):
    many = ", ".join(f"c{number}" for number in range(2_000))
    found = problem(SUITE, {"nouns.yaml": NOUNS + f"    toy: {{category: rare, cues: [{many}]}}\n"})
    assert found.place.line == 3
    assert "words.bat: has 2,0" in found.message
    assert "a word may have 1,000" in found.message


def test_the_format_is_named_because_the_ending_does_not_tell(problem):
    found = problem(SUITE.replace(", format: senses", ""), {"nouns.yaml": NOUNS})
    assert found.message.startswith('cannot tell the format of "nouns.yaml"; name it with `format` (')
    assert "senses" in found.message
