"""mtprobe senses"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mtprobe.cli import main
from mtprobe.errors import SuiteError
from mtprobe.suites import load_suite

WORDS = """\
words:
  starter:
    appetizer: [Vorspeise]
    motor: [Anlasser, Starter]
  seal:
    animal: Robbe
    stamp: [Siegel, Dichtung]
"""
PAIRS = [
    ("We had a starter.", "Wir hatten eine Vorspeise.", "Wir hatten einen Anlasser."),
    ("Starter or dessert?", "Zwei Vorspeisen, bitte.", "Vorspeise?"),
    ("The starter is broken.", "Der Anlasser ist kaputt.", "Der Starter ist kaputt."),
    ("A seal!", "Eine Robbe!", "Ein Siegel!"),
    ("The seal broke.", "Das Siegel brach.", "Das Siegel brach."),
    ("It rained.", "Es regnete auf die Robbe.", "Es regnete."),
]


@pytest.fixture
def files(folder):
    (folder / "words.yaml").write_text(WORDS, encoding="utf-8")
    for number, name in enumerate(("en", "de", "student.de")):
        (folder / name).write_text("".join(row[number] + "\n" for row in PAIRS), encoding="utf-8")
    return folder


def senses(capsys, *arguments, words="words.yaml"):
    assert main(["senses", "--words", words, "--target", "de", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("files")
def test_a_pair_counts_when_the_word_is_in_the_source_and_a_lemma_in_the_target(capsys):
    found = senses(capsys, "en", "de")
    starter, seal = found["counts"]["de"]
    assert (starter["occurrences"], starter["classes"]) == (3, {"appetizer": 2, "motor": 1})
    assert (seal["occurrences"], seal["classes"]) == (2, {"animal": 1, "stamp": 1})
    assert found["made_from"]["lemmatizer"].startswith("simplemma ")


@pytest.mark.usefixtures("files")
def test_what_was_frequent_in_the_first_version_may_not_be_in_the_next(capsys):
    moved = senses(capsys, "en", "reference=de", "student=student.de")["redistribution"]
    assert (moved["n"], moved["items"]) == (3, 1)  # of seal, no sense is more frequent
    first, second = moved["shares"]
    assert first["frequent"]["value"] == pytest.approx(2 / 3)
    assert second["frequent"]["value"] == pytest.approx(1 / 3)
    assert moved["changes"][0]["rare"]["value"] == pytest.approx(1 / 3)


def test_the_terminal_and_the_page_show_the_words(files, capsys):
    assert (
        main(
            [
                "senses",
                "--words",
                "words.yaml",
                "--target",
                "de",
                "en",
                "de",
                "student.de",
                "--html",
                "s.html",
            ]
        )
        == 0
    )
    out = capsys.readouterr().out
    lines = [line.split() for line in out.splitlines()]
    assert ["starter", "███████░░░", "3", "appetizer", "0.67", "0.09–0.99", "0"] in lines
    assert ["seal", "█████░░░░░", "2", "–", "0.50", "0.01–0.99", "0"] in lines
    page = (files / "s.html").read_text(encoding="utf-8")
    assert "starter" in page
    assert 'class="band' in page


KEY = "1\tted\tstarter\tvorspeise\tanlasser starter\n2\tted\tstarter\tanlasser starter\tvorspeise\n3\tted\tseal\trobbe\tsiegel\n4\tted\tseal\tsiegel\trobbe\n"  # fmt: skip
SUITE = """\
mtprobe: 1
name: mucow
about: Are words translated in the right sense?
languages: {source: en, targets: de}
method: contrastive-conditioning
categories: [frequent, rare]
gates: {minimum_accuracy: ">= 0.6"}
data: {format: mucow, text: text.txt, key: key.tsv, cues: cues.jsonl, frequencies: frequencies.json}
"""


def test_the_written_file_gives_a_suite_its_categories(files, capsys):
    (files / "key.tsv").write_text(KEY, encoding="utf-8")
    assert main(["senses", "--words", "key.tsv", "--target", "de", "en", "de", "-o", "frequencies.json"]) == 0
    assert "frequencies.json: senses of 1 of 2 words" in capsys.readouterr().err
    held = json.loads((files / "frequencies.json").read_text(encoding="utf-8"))
    assert held["frequent_word_senses"] == {"de": [["starter", "vorspeise"]]}
    assert held["infrequent_word_senses"] == {"de": [["starter", "anlasser"], ["starter", "starter"]]}
    assert held["counts"]["starter"]["occurrences"] == 3
    (files / "text.txt").write_text("A starter.\nThe starter broke.\nA seal.\nThe seal.\n", encoding="utf-8")
    cue = '{"src_word": "%s", "correct_insertions": ["a"], "incorrect_insertions": ["b"]}\n'
    (files / "cues.jsonl").write_text((cue % "starter") * 2 + (cue % "seal") * 2, encoding="utf-8")
    (files / "mucow.mt.yaml").write_text(SUITE, encoding="utf-8")
    suite = load_suite(files / "mucow.mt.yaml")
    assert [sample.category for sample in suite.samples] == ["frequent", "rare"]


@pytest.mark.parametrize("name", ["own.mt.yaml", "own.mt.yml"])
def test_a_suite_with_lemmas_says_what_to_count(files, capsys, name):
    (files / name).write_text(
        """\
mtprobe: 1
name: own
about: Are words translated in the right sense?
languages: {source: en, targets: [de, pt]}
method: contrastive-conditioning
gates: {accuracy: ">= 0.6"}
samples:
  - source: A <starter>, please.
    cues: {correct: dinner, incorrect: motor}
    lemmas: {de: {good: Vorspeise, bad: [Anlasser, Starter]}, pt: {good: entrada, bad: arranque}}
  - source: The <seal> dived.
    cues: {correct: baby, incorrect: wax}
    lemmas: {de: {good: Robbe, bad: Siegel}}
  - source: The <seal> broke.
    cues: {correct: wax, incorrect: baby}
    lemmas: {de: {good: Siegel, bad: Robbe}}
  - source: Nothing to count <here>.
    cues: {correct: a, incorrect: b}
""",
        encoding="utf-8",
    )
    found = senses(capsys, "en", "de", words=name)
    assert [(one["name"], one["classes"]) for one in found["counts"]["de"]] == [
        ("starter", {"Vorspeise": 2, "Anlasser Starter": 1}),
        ("seal", {"Robbe": 1, "Siegel": 1}),
    ]


def test_a_suite_of_ones_own_is_counted_and_then_names_the_file(files, capsys):
    suite = files / "own.mt.yaml"
    suite.write_text(
        """\
mtprobe: 1
name: own
about: Are words translated in the right sense?
languages: {source: en, targets: de}
method: contrastive-conditioning
categories: [frequent, rare]
frequencies: made/frequencies.json
gates: {minimum_accuracy: ">= 0.6"}
samples:
  - source: A <starter>, please.
    cues: {correct: dinner, incorrect: motor}
    lemmas: {de: {good: Vorspeise, bad: [Anlasser, Starter]}}
  - source: The car's <Starter>.
    cues: {correct: motor, incorrect: dinner}
    lemmas: {de: {good: [Anlasser, Starter], bad: Vorspeise}}
  - source: The <seal> dived.
    category: rare
    cues: {correct: baby, incorrect: wax}
    lemmas: {de: {good: Robbe, bad: Siegel}}
""",
        encoding="utf-8",
    )
    assert main(["lint", "own.mt.yaml"]) == 1
    assert 'own.mt.yaml:7:1: there is no file "made/frequencies.json"' in capsys.readouterr().out
    senses(capsys, "en", "de", "-o", "made/frequencies.json", words="own.mt.yaml")
    loaded = load_suite(suite)
    assert [sample.category for sample in loaded.samples] == ["frequent", "rare", "rare"]
    digest = loaded.digest
    senses(capsys, "en", "student.de", "-o", "made/frequencies.json", words="own.mt.yaml")
    loaded = load_suite(suite)
    assert [sample.category for sample in loaded.samples] == ["rare", "frequent", "rare"]
    assert loaded.digest != digest


@pytest.mark.parametrize(
    ("old", "new", "place", "said"),
    [
        ("targets: de", "targets: any", "4:1", "needs one target language; give it in `targets`"),
        ("good: Vorspeise", "good: Entree", "7:5", '"starter" (Entree) is neither frequent nor rare in `frequencies`'),
        ("good: Vorspeise", "good: [Vorspeise, Starter]", "7:5", '"starter" (Vorspeise, Starter) is both frequent and rare'),
        ("lemmas: {de", "lemmas: {pt", "9:5", "category: is missing, and there are no `lemmas` for de to look it up"),
        ("targets: de", "targets: pt", "1", 'nothing for the language "pt"'),
    ],
)  # fmt: skip
def test_what_frequencies_cannot_tell_is_an_error_at_its_place(files, old, new, place, said):
    text = """\
mtprobe: 1
name: own
about: "?"
frequencies: frequencies.json
languages: {source: en, targets: de}
samples:
  - source: A <starter>, please.
    cues: {correct: dinner, incorrect: motor}
    lemmas: {de: {good: Vorspeise, bad: Anlasser}}
method: contrastive-conditioning
categories: [frequent, rare]
gates: {minimum_accuracy: ">= 0.6"}
"""
    held = {"frequent_word_senses": {"de": [["starter", "Vorspeise"]]}, "infrequent_word_senses": {"de": [["starter", "Starter"]]}}  # fmt: skip
    (files / "frequencies.json").write_text(json.dumps(held), encoding="utf-8")
    (files / "own.mt.yaml").write_text(text, encoding="utf-8")
    assert [sample.category for sample in load_suite(files / "own.mt.yaml").samples] == ["frequent"]
    (files / "own.mt.yaml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(SuiteError) as error:
        load_suite(files / "own.mt.yaml")
    (problem,) = error.value.problems
    assert said in problem.message
    assert str(problem.place).endswith(f":{place}")


@pytest.mark.usefixtures("files")
def test_inflected_source_words_count_when_they_are_asked_for(capsys):
    for name, line in (("en", "Two seals.\n"), ("de", "Zwei Robben.\n")):
        with Path(name).open("a", encoding="utf-8") as stream:
            stream.write(line)
    plain, inflected = (
        senses(capsys, "en", "de", *more)["counts"]["de"][1]["classes"]["animal"]
        for more in ([], ["--inflected"])
    )
    assert (plain, inflected) == (1, 2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--target", "nonsense"], '--target: "nonsense" is not a language tag'),
        (["--lemmatizer", "simplema"], 'there is no lemmatizer "simplema"; did you mean "simplemma"?'),
        (["--words", "none.yaml"], "none.yaml: cannot be read: No such file"),
        (["--words", "none.tsv"], "none.tsv: cannot be read: No such file"),
        (["--words", "de"], "de:1: not a line of MuCoW's key"),
        (["--words", "bad.yaml"], 'bad.yaml:2:3: words.seal: lemma "robbe" is in two senses'),
        (["--words", "suite.yaml"], "suite.yaml: a data file of a suite; name the suite (….mt.yaml) instead"),
        (["--words", "one.yaml"], "one.yaml:2:3: words.seal: a word needs at least two senses"),
        (["-o", "en/x.json"], "en/x.json: cannot be written"),
    ],
)
def test_a_mistake_is_reported(files, capsys, arguments, said):
    (files / "bad.yaml").write_text(
        "words:\n  seal: {animal: Robbe, stamp: [Siegel, robbe]}\n", encoding="utf-8"
    )
    sense = "{lemmas: {de: [Robbe]}, contexts: {ice: On the ice lay a <seal>.}}"
    (files / "suite.yaml").write_text(
        f"words:\n  seal:\n    animal: {sense}\n    other:\n      contexts: {{a: A <seal>.}}\n",
        encoding="utf-8",
    )
    (files / "one.yaml").write_text("words:\n  seal: {animal: Robbe}\n", encoding="utf-8")
    assert main(["senses", "--words", "words.yaml", "--target", "de", "en", "de", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_small_real_text_agrees_mostly_with_the_published_frequencies(folder, shared_data, capsys):
    """17,565 pairs of Tatoeba against the 44 million of WMT19 that the published categories were made from."""
    data = shared_data / "tatoeba"
    pairs = [str(data / "en-de.eng.gz"), str(data / "en-de.deu.gz")]
    senses(capsys, *pairs, "--sure", "-o", "made.json", words=str(shared_data / "mucow" / "en-de.key.tsv.gz"))
    made, published = (
        {tuple(pair) for pair in json.loads(path.read_text(encoding="utf-8"))["frequent_word_senses"]["de"]}
        for path in (folder / "made.json", shared_data / "mucow" / "frequency_categories.json")
    )
    words = {word for word, _ in made}
    same = {word for word in words if {pair for pair in made if pair[0] == word} <= published}
    assert len(words) >= 20
    assert len(same) / len(words) >= 0.9
