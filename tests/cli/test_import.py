"""mtprobe import: a public test set becomes a suite that can be edited, and that asks the same questions."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mtprobe.cli import main
from mtprobe.suite.parsing.tree import read_tree
from mtprobe.suites import load_suite
from tests.datasets import test_contrastive as contrastive
from tests.datasets.test_mucow import FILES as MUCOW
from tests.datasets.test_winomt import LINES as WINOMT


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in MUCOW.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "test.tsv").write_text("\n".join([*WINOMT, WINOMT[0]]), encoding="utf-8")
    return tmp_path


MUCOW_KEYS = [
    "text=text.txt",
    "key=key.txt",
    "references=ref.txt",
    "cues=cues.jsonl",
    "frequencies=frequencies.json",
]


def imported(*args: str) -> int:
    return main(["import", *args])


def samples(path):
    return [replace(sample, place=None) for sample in load_suite(path).samples]


@pytest.mark.parametrize(
    ("args", "name", "data"),
    [
        (["winomt", "test.tsv"], "winomt", "{format: winomt, file: ../test.tsv}"),
        (
            ["mucow", *MUCOW_KEYS, "target=de"],
            "mucow-de",
            "{format: mucow, text: text.txt, key: key.txt, references: ref.txt, cues: cues.jsonl, "
            "frequencies: frequencies.json}",
        ),
    ],
)
def test_the_suite_has_the_samples_that_the_files_have(folder, args, name, data, capsys):
    assert imported(*args, "-o", "out") == 0
    suite = folder / "out" / f"{name}.mt.yaml"
    text = suite.read_text(encoding="utf-8")
    direct = folder / "direct.mt.yaml"
    direct.write_text(text.rpartition("data:")[0] + f"data: {data.replace('../', '')}\n", encoding="utf-8")
    assert samples(suite) == samples(direct)
    capsys.readouterr()
    assert main(["lint", str(suite)]) == 0
    *warnings, summary = capsys.readouterr().out.splitlines()
    assert summary == f"1 suite, 0 errors, {len(warnings)} warnings"
    known = ("prove nothing", "is also listed for")  # few samples; cues that a published set gives two senses
    assert all(any(text in warning for text in known) for warning in warnings)


@pytest.mark.usefixtures("folder")
def test_it_tells_what_was_left_out_and_why(capsys):
    assert imported("winomt", "test.tsv", "-o", "out") == 0
    out = capsys.readouterr().out
    assert "5 samples (female 3, male 2)" in out
    assert "1 repeated, with the attribute `copy`" in out
    assert "1 skipped: the sentence shows no gender (`neutral: keep` keeps it)" in out


def test_nothing_is_overwritten(folder, capsys):
    assert imported("winomt", "test.tsv", "-o", "out") == 0
    before = (folder / "out/winomt.mt.yaml").read_bytes()
    assert imported("winomt", "test.tsv", "-o", "out") == 2
    assert "already exists, and is not overwritten" in capsys.readouterr().err
    assert (folder / "out/winomt.mt.yaml").read_bytes() == before
    assert imported("winomt", "test.tsv", "--name", "again", "-o", "out") == 0


def test_a_malformed_line_stops_it_unless_it_is_told_to_keep_going(folder, capsys):
    (folder / "test.tsv").write_text("\n".join([*WINOMT, "female\tx"]), encoding="utf-8")
    assert imported("winomt", "test.tsv", "-o", "out") == 2
    err = capsys.readouterr().err
    assert "test.tsv:6: a line has a gender" in err
    assert "1 malformed item, so no suite was written; --keep-going skips and lists malformed items" in err
    assert not (folder / "out").exists()
    assert imported("winomt", "test.tsv", "-o", "out", "--keep-going") == 0
    out = capsys.readouterr().out
    assert "1 malformed, and skipped:\n  test.tsv:6: a line has a gender" in out
    assert len(load_suite(folder / "out/winomt.mt.yaml").samples) == 4


def test_a_file_without_stereotypes_gets_no_gate_on_them(folder):
    four = "\n".join(line.rpartition("\t")[0] for line in WINOMT)
    (folder / "en.txt").write_text(four, encoding="utf-8")
    assert imported("winomt", "en.txt", "-o", "out") == 0
    assert "gap[stereotype]" not in read_tree(folder / "out/winomt.mt.yaml").value["gates"]


def test_several_files_make_one_suite(folder):
    for half in (0, 1):
        (folder / f"{half}.tsv").write_text(WINOMT[half], encoding="utf-8")
    assert imported("winomt", "0.tsv", "1.tsv", "-o", "out") == 0
    assert len(load_suite(folder / "out/winomt.mt.yaml").samples) == 2


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["winomtt", "test.tsv"], 'unknown format "winomtt"; did you mean "winomt"?'),
        (["jsonl", "test.tsv"], 'unknown format "jsonl"'),
        (["winomt", "nowhere.tsv"], "there is no file nowhere.tsv"),
        (["winomt", "test.tsv", "sterotype=pro"], 'unknown key "sterotype"; did you mean "stereotype"?'),
        (["winomt", "test.tsv", "stereotype=por"], "stereotype: must be 'pro' or 'anti'"),
        (["mucow", "text.txt"], "say what text.txt is, as KEY=FILE; keys: text, key, references"),
        (["mucow", "text=text.txt"], "key: is missing"),
        (["mucow", *MUCOW_KEYS], "say which language the translations are in: `target=de`"),
        (["mucow", *MUCOW_KEYS, "target=germanic"], "is not a language tag"),
    ],
)
def test_a_mistake_is_told_without_a_traceback(folder, args, message, capsys):
    assert imported(*args, "-o", "out") == 2
    assert message in capsys.readouterr().err
    assert not (folder / "out").exists()


def test_an_empty_file_makes_no_suite(folder, capsys):
    (folder / "test.tsv").write_text("")
    assert imported("winomt", "test.tsv", "-o", "out") == 2
    assert "the files have no samples" in capsys.readouterr().err


def test_a_published_set_becomes_a_suite_that_lints_clean(tmp_path, shared_data):
    published = shared_data
    assert imported("winomt", str(published / "winomt/test.tsv"), "-o", str(tmp_path)) == 0
    assert main(["lint", "--strict", str(tmp_path)]) == 0
    ready = Path(__file__).parents[2] / "suites/public/winomt.mt.yaml"
    direct = [replace(sample, place=None) for sample in load_suite(ready, published).samples]
    assert samples(tmp_path / "winomt.mt.yaml") == direct


def test_sentences_without_a_gender_become_an_open_category(folder):
    assert imported("winomt", "test.tsv", "neutral=keep", "-o", "out") == 0
    suite = load_suite(folder / "out/winomt.mt.yaml")
    assert suite.categories == ("male", "female", "neutral")
    assert suite.answered == ("male", "female")
    (neutral,) = [sample for sample in suite.samples if sample.category == "neutral"]
    assert neutral.choices == ("male", "female")


@pytest.mark.parametrize(
    ("args", "files", "data"),
    [
        (
            ["lingeval97", "l.json", "target=de", "category=type"],
            {"l.json": json.dumps(contrastive.LINGEVAL)},
            "{format: lingeval97, file: l.json, category: type}",
        ),
        (
            ["distil-lingeval", "clause_omission.human", "target=de"],
            contrastive.DISTIL,
            "{format: distil-lingeval, folder: clause_omission.human}",
        ),
        (
            ["wino-x", "x.jsonl", "target=de"],
            {"x.jsonl": json.dumps(contrastive.WINO_MT)},
            "{format: wino-x, file: x.jsonl}",
        ),
        (
            ["gate", "es.tsv", "target=es"],
            {
                "es.tsv": contrastive.HEADER
                + "SUBJ\tThe boss left.\tLa jefa\tEl jefe\tboss\tjefa\tjefe\tdev\n"
            },
            "{format: gate, file: es.tsv}",
        ),
    ],
)
def test_contrastive_sets_become_suites_with_the_same_samples(folder, args, files, data):
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    assert imported(*args, "--name", "it", "-o", "out") == 0
    text = (folder / "out/it.mt.yaml").read_text(encoding="utf-8")
    (folder / "direct.mt.yaml").write_text(text.rpartition("data:")[0] + f"data: {data}\n", encoding="utf-8")
    assert samples(folder / "out/it.mt.yaml") == samples(folder / "direct.mt.yaml")
    assert main(["expand", str(folder / "out/it.mt.yaml")]) == 0


PARADIGM = [
    {
        "sentence_good": f"Katherine can help herself {number} times.",
        "sentence_bad": f"Katherine can help himself {number} times.",
        "field": "morphology", "linguistics_term": "anaphor_agreement", "UID": "anaphor_gender_agreement",
        "pairID": str(number),
    }
    for number in range(30)
]  # fmt: skip
PRONOUNS = [
    {
        "source": f"It is {number} years old.", "reference": f"Sie ist {number} Jahre alt.",
        "src pronoun": "it", "ref pronoun": "sie", "errors": [{"contrastive": f"Er ist {number} Jahre alt."}],
    }
    for number in range(30)
]  # fmt: skip
CLAUSES = {
    f"clause_omission.human/{name}": "".join(f"{text} {number}.\n" for number in range(30))
    for name, text in (("src.en", "Stay"), ("tgt.correct.de", "Bleib"), ("tgt.incorrect.de", "Bleibe"))
}


@pytest.mark.parametrize(
    ("args", "files"),
    [
        (["distil-lingeval", "clause_omission.human", "target=de"], CLAUSES),
        (["blimp", "a.jsonl"], {"a.jsonl": "\n".join(map(json.dumps, PARADIGM))}),
        (["contrapro", "c.json", "target=de"], {"c.json": json.dumps(PRONOUNS)}),
    ],
)
def test_samples_of_one_phenomenon_are_not_one_cluster(folder, args, files, capsys):
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    assert imported(*args, "--name", "it", "-o", "out") == 0
    suite = load_suite(folder / "out/it.mt.yaml")
    assert len({sample.cluster for sample in suite.samples}) == len(suite.samples) == 30
    assert main(["lint", "--strict", "out"]) == 0, capsys.readouterr().out


def test_the_parts_of_wino_x_are_for_translation_models_and_for_language_models(folder, capsys):
    (folder / "mt.jsonl").write_text(json.dumps(contrastive.WINO_MT), encoding="utf-8")
    (folder / "lm.jsonl").write_text(json.dumps(contrastive.WINO_LM), encoding="utf-8")
    assert imported("wino-x", "mt.jsonl", "target=de", "order=stated", "--name", "mt", "-o", "out") == 0
    assert imported("wino-x", "lm.jsonl", "target=de", "--name", "lm", "-o", "out") == 0
    translating, reading = (load_suite(folder / f"out/{name}.mt.yaml") for name in ("mt", "lm"))
    assert (translating.methods, reading.methods) == (("minimal-pairs",), ("masked-lm",))
    assert translating.variants == {"gender": ("masculine", "feminine", "neuter")}
    (sample,) = translating.samples
    assert sample.source[slice(*sample.focus)] == "it"
    assert imported("wino-x", "mt.jsonl", "lm.jsonl", "target=de", "--name", "both", "-o", "out") == 2
    assert "import one at a time" in capsys.readouterr().err


def test_a_blank_source_line_of_a_published_file_is_skipped_where_that_is_asked_for(folder, capsys):
    for name, text in CLAUSES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        lines = text.splitlines(keepends=True)
        (folder / name).write_text(
            "".join(["\n" if "src" in name else lines[0], *lines[1:]]), encoding="utf-8"
        )
    assert imported("distil-lingeval", "clause_omission.human", "target=de", "-o", "out") == 2
    err = capsys.readouterr().err
    assert "clause_omission.human/src.en:1: an empty line" in err
    assert "--keep-going" in err
    assert imported("distil-lingeval", "clause_omission.human", "target=de", "--keep-going", "-o", "out") == 0
    assert "29 samples" in capsys.readouterr().out


def test_an_empty_file_beside_a_full_one_is_an_error(folder, capsys):
    (folder / "empty.tsv").write_text("")
    assert imported("winomt", "test.tsv", "empty.tsv", "-o", "out") == 2
    assert "empty.tsv: is empty, so no suite was written" in capsys.readouterr().err
    for name, text in CLAUSES.items():
        for folder_name, content in (("clause_omission.human", text), ("clause_omission.mt", "")):
            path = folder / name.replace("clause_omission.human", folder_name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(content, encoding="utf-8")
    both = ("distil-lingeval", "clause_omission.human", "clause_omission.mt", "target=de", "category=origin")
    assert imported(*both, "-o", "out") == 2
    assert "clause_omission.mt: is empty" in capsys.readouterr().err
    (folder / "direct.mt.yaml").write_text(
        """mtprobe: 1
name: x
about: x?
languages: {source: en, targets: [de]}
method: minimal-pairs
gates: {accuracy: ">= 0.5"}
data:
  - {format: distil-lingeval, folder: clause_omission.human}
  - {format: distil-lingeval, folder: clause_omission.mt}
""",
        encoding="utf-8",
    )
    assert main(["lint", "direct.mt.yaml"]) == 1
    assert "direct.mt.yaml:9:5: data: clause_omission.mt has no samples" in capsys.readouterr().out
