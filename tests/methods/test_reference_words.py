"""reference-words: MT-GenEval's own measure"""

from __future__ import annotations

import pytest

import mtprobe

SUITE = """\
mtprobe: 1
name: teachers
about: Does the translation have the right gender?
languages: {source: en, targets: de}
method: reference-words
categories: [male, female]
gates: {accuracy: ">= 0", undecided: "<= 1"}
samples:
  - id: her
    source: The teacher forgot her keys.
    category: female
    targets:
      de:
        correct: Die Lehrerin vergaß ihre Schlüssel.
        incorrect: Der Lehrer vergaß seine Schlüssel.
  - id: his
    source: The teacher forgot his keys.
    category: male
    targets:
      de:
        correct: Der Lehrer vergaß seine Schlüssel.
        incorrect: Die Lehrerin vergaß ihre Schlüssel.
"""


@pytest.fixture
def judged(tmp_path):
    """The results of a suite on given translations, by id."""

    def run(her, his, more=""):
        suite = tmp_path / "teachers.mt.yaml"
        suite.write_text(SUITE + more, encoding="utf-8")
        pairs = f"The teacher forgot her keys. ||| {her}\nThe teacher forgot his keys. ||| {his}\n"
        (tmp_path / "de.txt").write_text(pairs, encoding="utf-8")
        (done,) = mtprobe.run(suite, f"file:{tmp_path / 'de.txt'}", source="en", target="de").suites
        return done, {result.id: result.verdict for result in done.results}

    return run


def test_a_word_of_only_the_wrong_reference_is_wrong_whatever_else_there_is(judged):
    _, verdicts = judged("Die Lehrerin hat seine Schlüssel vergessen.", "Der Lehrer vergaß seine Schlüssel!")
    assert (verdicts["her"].outcome, verdicts["his"].outcome) == ("incorrect", "correct")
    assert [(one.side, one.text) for one in verdicts["her"].evidence] == [
        ("incorrect", "seine"),
        ("correct", "die"),
        ("correct", "lehrerin"),
    ]


def test_punctuation_and_capitals_do_not_matter(judged):
    _, verdicts = judged("„DIE“ LEHRERIN, vergaß die Schlüssel", "Vergaß (seine) Schlüssel: der Lehrer.")
    assert {verdict.outcome for verdict in verdicts.values()} == {"correct"}


def test_a_translation_without_such_words_counts_as_correct_as_published_and_is_counted(judged):
    done, verdicts = judged("Jemand hat Schlüssel zu Hause vergessen.", "Er hat den Schlüssel vergessen.")
    assert (verdicts["her"].outcome, verdicts["his"].outcome) == ("correct", "correct")
    assert any("2 of 2 translations have no word of only one reference" in note for note in done.notes)


def test_a_suite_may_leave_it_undecided(judged):
    done, verdicts = judged(
        "Jemand hat Schlüssel zu Hause vergessen.",
        "Er hat den Schlüssel vergessen.",
        "unmatched: undecided\n",
    )
    assert {verdict.outcome for verdict in verdicts.values()} == {"undecided"}
    assert "unmatched undecided" in done.procedure


def test_an_empty_output_is_never_correct(judged):
    _, verdicts = judged("", "Der Lehrer vergaß seine Schlüssel.")
    assert verdicts["her"].outcome == "degenerate"


def test_published_references_are_right_and_those_of_the_other_gender_wrong(tmp_path, shared_data):
    """All 600 references of MT-GenEval's German test set."""
    (tmp_path / "geneval.mt.yaml").write_text(
        SUITE.partition("samples:")[0] + "data: {format: mt-geneval, folder: mt-geneval, target: de}\n",
        encoding="utf-8",
    )
    folder = shared_data / "mt-geneval"
    for chosen, expected in (("masculine", {"male": 1.0}), ("feminine", {"female": 1.0})):
        # Every source gets the reference of one gender: right for its own, wrong for the other.
        lines = []
        for gender in ("masculine", "feminine"):
            sources, references = (
                (folder / f"geneval-sentences-{name}-test.en_de.{end}")
                .read_text(encoding="utf-8")
                .splitlines()
                for name, end in ((gender, "en"), (chosen, "de"))
            )
            lines += [f"{source}\t{target}" for source, target in zip(sources, references, strict=True)]
        (tmp_path / "de.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (done,) = mtprobe.run(
            tmp_path / "geneval.mt.yaml",
            f"file:{tmp_path / 'de.tsv'}",
            source="en",
            target="de",
            data_root=shared_data,
        ).suites
        shares = {
            category: sum(result.verdict.outcome == "correct" for result in done.results if result.category == category) / 300
            for category in done.categories
        }  # fmt: skip
        other = ({"male", "female"} - expected.keys()).pop()
        assert shares[next(iter(expected))] > 0.99
        assert shares[other] < 0.05
