"""mtprobe pairs"""

from __future__ import annotations

import gzip
import json

import pytest

from mtprobe.cli import main
from mtprobe.suites import load_suite

ROWS = [
    ("I don't like cheese.", "Eu não gosto de queijo."),
    ("It's impossible.", "É impossível."),
    ("There is a cat on the table.", "Tem um gato na mesa."),
    ("I don't want anything.", "Eu não quero nada."),
    ("Tom's not <fat>.", "Tom não é gordo."),
    ("I'm not creative.", "Não sou criativo."),
]


@pytest.fixture
def corpus(folder):
    for number, name in enumerate(("en", "pt")):
        (folder / name).write_text("".join(row[number] + "\n" for row in ROWS), encoding="utf-8")
    return folder


def records(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_suite_and_its_data_are_written_and_counted(corpus, capsys):
    assert main(["pairs", "negation-particle", "en", "pt", "--target", "pt", "-o", "out"]) == 0
    out = capsys.readouterr().out
    assert "6 lines" in out
    assert "negation-particle, human: 3 pairs" in out
    assert "  2 skipped: the phenomenon is not in it" in out
    assert "  1 skipped: other words need the negation, or change its meaning" in out
    suite = load_suite(corpus / "out" / "negation-particle-pt.mt.yaml")
    assert [sample.source for sample in suite.samples] == [
        "I don't like cheese.",
        "Tom's not <fat>.",
        "I'm not creative.",
    ]
    assert suite.methods == ("minimal-pairs",)
    first = suite.samples[0]
    assert first.targets["pt"].incorrect == ("Eu gosto de queijo.",)
    assert first.category == "human"
    assert first.attributes["phenomenon"] == "negation-particle"
    assert first.attributes["line"] == 1
    assert main(["lint", "out"]) == 0
    assert "1 suite, 0 errors" in capsys.readouterr().out


def test_a_table_and_packed_files_give_the_same(corpus):
    with gzip.open("table.tsv.gz", "wt", encoding="utf-8") as stream:
        stream.writelines(f"{source}\t{target}\n" for source, target in ROWS)
    for files, out in ((["en", "pt"], "one"), (["table.tsv.gz"], "two")):
        assert main(["pairs", "all", *files, "--target", "pt-BR", "-o", out]) == 0
    one, two = (corpus / out / "minimal-pairs-pt-BR.jsonl" for out in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    assert {record["attributes"]["phenomenon"] for record in records(one)} >= {
        "polarity-affix",
        "placeholder-noun",
    }


def test_nothing_is_overwritten_and_nothing_half_done_is_left(corpus, capsys):
    arguments = ["pairs", "negation-particle", "en", "pt", "--target", "pt", "-o", "out"]
    assert main(arguments) == 0
    before = {path: path.read_bytes() for path in (corpus / "out").iterdir()}
    assert main([*arguments, "--seed", "3"]) == 2
    assert "already exists, and is not overwritten" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in (corpus / "out").iterdir()} == before
    (corpus / "pt").write_text("Eu não gosto de queijo.\n", encoding="utf-8")
    assert main([*arguments, "--name", "other"]) == 2
    assert "pt:2: the file has 1 lines, but en has more" in capsys.readouterr().err
    assert set((corpus / "out").iterdir()) == set(before)


def test_take_keeps_the_same_pairs_whatever_their_order(corpus):
    (corpus / "turned.tsv").write_text(
        "".join(f"{source}\t{target}\n" for source, target in reversed(ROWS)), encoding="utf-8"
    )
    for files, name in ((["en", "pt"], "one"), (["turned.tsv"], "two")):
        assert main(["pairs", "all", *files, "--target", "pt", "-o", ".", "--name", name, "--take", "2"]) == 0
    one, two = ({record["id"] for record in records(corpus / f"{name}.jsonl")} for name in ("one", "two"))
    assert len(one) == 2
    assert one == two


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["negation"], 'there is no kind "negation"; did you mean "negation-particle"?'),
        (["hypercorrect-genitive"], "hypercorrect-genitive: Portuguese nouns have no cases"),
        (["all", "--target", "fr"], "pairs can be made for de and pt, not for fr"),
        (["all", "--target", "nonsense"], '--target: "nonsense" is not a language tag'),
        (["all", "--tagger", "rule"], 'there is no tagger "rule"; did you mean "rules"?'),
        (["all", "--take", "0"], "--take: must be at least 1"),
        (["all", "--with-human"], "--with-human needs --from-model"),
        (["all", "--from-model", "demo", "--target", "de"], "the model translates into pt, not de"),
        (["all", "--from-model", "nosuch:x"], "nosuch"),
        (["clause-omission"], "no pair could be made from 6 lines, so no suite was written"),
    ],
)
def test_a_mistake_is_reported_and_leaves_no_file(corpus, capsys, arguments, said):
    kind, *more = arguments
    assert main(["pairs", kind, "en", "pt", "--target", "pt", "-o", "out", *more]) == 2
    assert said in capsys.readouterr().err
    assert not list(corpus.glob("out/*"))


@pytest.mark.usefixtures("corpus")
def test_missing_and_surplus_files_are_reported(capsys):
    assert main(["pairs", "all", "en", "nothing", "--target", "pt", "-o", "out"]) == 2
    assert "nothing: no such file" in capsys.readouterr().err
    assert main(["pairs", "all", "en", "pt", "en", "--target", "pt", "-o", "out"]) == 2
    assert "a corpus must be a source and a target file, or one table" in capsys.readouterr().err


def test_the_demo_models_own_translations_are_validated(corpus, capsys):
    arguments = ["pairs", "all", "en", "pt", "--target", "pt", "--from-model", "demo", "--with-human", "-o", "out"]  # fmt: skip
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "of them swapped" in out
    held = records(corpus / "out" / "minimal-pairs-pt.jsonl")
    machine = [record for record in held if record["category"] == "machine"]
    assert machine
    assert {record["attributes"]["validation"] for record in machine} <= {"kept", "swapped"}
    assert {record["category"] for record in held} == {"human", "machine"}
    suite = load_suite(corpus / "out" / "minimal-pairs-pt.mt.yaml")
    assert suite.categories == ("human", "machine")
    assert {gate.key for gate in suite.gates} >= {"accuracy[human]", "accuracy[machine]", "discrepancy"}
    assert (corpus / ".mtprobe" / "store.sqlite").is_file()  # what was translated is not translated again
