from __future__ import annotations

import gzip
import json

import pytest

from mtprobe.backends.file import open_file
from mtprobe.backends.protocols import OpenRequest
from mtprobe.errors import Failure, ModelError

REQUEST = OpenRequest(source="en", target="pt")
PAIRS = [("Good morning.", "Bom dia."), ("Good | night.", "Boa noite."), ("Thanks", "Obrigada")]


def written(tmp_path, kind):
    path = tmp_path / f"made.{kind}"
    if kind == "txt":
        path.write_text("".join(f"{source} ||| {target}\n" for source, target in PAIRS), encoding="utf-8")
    elif kind == "tsv":
        path.write_text("".join(f"{source}\t{target}\n" for source, target in PAIRS), encoding="utf-8")
    elif kind == "jsonl":
        lines = [json.dumps({"source": source, "translation": target}) for source, target in PAIRS]
        path.write_text("\n".join(lines), encoding="utf-8")
    elif kind == "txt.gz":
        with gzip.open(path, "wt", encoding="utf-8") as stream:
            stream.writelines(f"{source} ||| {target}\n" for source, target in PAIRS)
    elif kind == "parallel":
        (tmp_path / "made.en").write_text("".join(f"{source}\n" for source, _ in PAIRS), encoding="utf-8")
        (tmp_path / "made.pt").write_text("".join(f"{target}\n" for _, target in PAIRS), encoding="utf-8")
        return f"{tmp_path / 'made.en'},{tmp_path / 'made.pt'}"
    return str(path)


@pytest.mark.parametrize("kind", ["txt", "tsv", "jsonl", "txt.gz", "parallel"])
def test_every_layout_is_read(tmp_path, kind):
    backend = open_file(written(tmp_path, kind), REQUEST)
    assert backend.translate([source for source, _ in reversed(PAIRS)]) == [
        target for _, target in reversed(PAIRS)
    ]


def test_a_source_without_a_translation_fails_by_name_and_the_others_do_not(tmp_path):
    backend = open_file(written(tmp_path, "tsv"), REQUEST)
    missing, found = backend.translate(["Good evening.", "Thanks"])
    assert missing == Failure("made.tsv has no translation of “Good evening.”")
    assert found == "Obrigada"


def test_the_fingerprint_follows_the_content(tmp_path):
    path = tmp_path / "made.tsv"
    path.write_text("a\tb\n")
    first = open_file(str(path), REQUEST).fingerprint
    path.write_text("a\tc\n")
    assert open_file(str(path), REQUEST).fingerprint != first


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("made.txt", "no separator here\n", "made.txt:1: neither"),
        ("made.jsonl", '{"source": "a"}\n', "made.jsonl:1: not a line of the form"),
        ("made.jsonl", "<html>\n", "made.jsonl:1: not a line of the form"),
        (
            "made.tsv",
            "a\tb\na\tc\n",
            "made.tsv:2: a different translation of “a” than on line 1",
        ),
        ("made.txt.gz", "not gzip\n", "damaged gzip file"),
    ],
)
def test_a_damaged_file_is_reported_with_its_line(tmp_path, name, text, said):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ModelError) as error:
        open_file(str(path), REQUEST).translate(["a"])
    assert said in str(error.value)


def test_unequal_parallel_files_are_reported(tmp_path):
    (tmp_path / "a").write_text("x\ny\n")
    (tmp_path / "b").write_text("x\n")
    with pytest.raises(ModelError, match="has 2 lines"):
        open_file(f"{tmp_path / 'a'},{tmp_path / 'b'}", REQUEST).translate(["x"])


def test_a_missing_file_and_a_missing_target_are_reported(tmp_path):
    with pytest.raises(ModelError, match="there is no file"):
        open_file(str(tmp_path / "nothing"), REQUEST)
    with pytest.raises(ModelError, match="give `target`"):
        open_file(written(tmp_path, "tsv"), OpenRequest())
