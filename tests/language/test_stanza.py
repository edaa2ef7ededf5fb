"""Stanza really runs: a tokenizer, an expander of contractions and a dictionary of lemmas, trained here on a few lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mtprobe.errors import MtprobeError
from mtprobe.language.lemmatizers import open_lemmatizer
from mtprobe.language.match import Matcher

# Words with their lemmas; a contraction has several.
SENTENCES = [
    [("Zwei", "zwei"), ("Schlucke", "Schluck"), ("reichten", "reichen")],
    [("Er", "er"), ("ging", "gehen"), ("zum", "zu der"), ("Ufer", "Ufer")],
    [("Sie", "sie"), ("kam", "kommen"), ("zum", "zu der"), ("Haus", "Haus")],
    [("Zwei", "zwei"), ("Kinder", "Kind"), ("kamen", "kommen")],
] * 8
PARTS = {"zum": ["zu", "dem"]}


def conllu() -> str:
    blocks = []
    for sentence in SENTENCES:
        lines: list[str] = []
        number = 0
        for text, lemmas in [*sentence, (".", ".")]:
            parts = PARTS.get(text, [text])
            if len(parts) > 1:
                lines.append(f"{number + 1}-{number + len(parts)}\t{text}" + "\t_" * 8)
            for part, lemma in zip(parts, lemmas.split(), strict=True):
                number += 1
                space = "SpaceAfter=No" if text == sentence[-1][0] else "_"
                root = "0\troot" if number == 1 else "1\tdep"
                lines.append(f"{number}\t{part}\t{lemma}\tX\t_\t_\t{root}\t_\t{space}")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n\n"


def labels() -> tuple[str, str]:
    """The text, and for each letter whether it ends a word (1), a sentence (2) or a contraction (3)."""
    texts, marks = [], []
    for sentence in SENTENCES:
        texts.append(" ".join(text for text, _ in sentence) + ".")
        ends = ["0" * (len(text) - 1) + ("3" if text in PARTS else "1") for text, _ in sentence]
        marks.append("0".join(ends) + "2")
    return "\n\n".join(texts) + "\n\n", "\n\n".join(marks) + "\n\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Models of each kind, as a download would leave them."""
    pytest.importorskip("stanza", reason="stanza is an extra of its own")
    import torch
    from stanza.models import lemmatizer, mwt_expander, tokenizer

    torch.set_num_threads(1)
    models = tmp_path_factory.mktemp("stanza")
    data = tmp_path_factory.mktemp("data")
    text, marks = labels()
    for name, content in {"a.conllu": conllu(), "a.txt": text, "a.labels": marks}.items():
        (data / name).write_text(content, encoding="utf-8")
    (data / "mwt.json").write_text(json.dumps([[["zum", PARTS["zum"]], 16]]), encoding="utf-8")
    file = {name: str(data / f"a.{name}") for name in ("conllu", "txt", "labels")}
    common = ["--shorthand", "de_tiny", "--cpu", "--save_name", "tiny.pt", "--mode", "train"]

    def place(part: str) -> list[str]:
        (models / "de" / part).mkdir(parents=True)
        return ["--save_dir", str(models / "de" / part)]

    trained = ["--train_file", file["conllu"], "--eval_file", file["conllu"], "--dict_only"]
    lemmatizer.main([*trained, *common, *place("lemma")])
    mwt_expander.main([*trained, "--gold_file", file["conllu"], "--lang", "de", *common, *place("mwt")])
    tokenizer.main(
        [
            *("--txt_file", file["txt"], "--label_file", file["labels"]),
            *("--dev_txt_file", file["txt"], "--dev_label_file", file["labels"]),
            *("--dev_conll_gold", file["conllu"], "--conll_file", str(data / "out.conllu")),
            *("--mwt_json_file", str(data / "mwt.json"), "--steps", "75", "--eval_steps", "75"),
            *("--max_seqlen", "100", "--batch_size", "8", "--lang", "de", *common, *place("tokenize")),
        ]
    )
    index(models, "tokenize", "mwt", "lemma")
    return models


def index(models: Path, *parts: str) -> None:
    known = {part: {"tiny": {}} for part in parts}
    default = {"default": dict.fromkeys(parts, "tiny")}
    known = {"de": {"lang_name": "German", "packages": default, **known}, "deu": {"alias": "de"}}
    (models / "resources.json").write_text(json.dumps(known), encoding="utf-8")


def test_words_contractions_and_lemmas_come_from_the_models(folder):
    stanza = open_lemmatizer(f"stanza:{folder}", "de-AT")
    assert stanza.name.startswith("stanza ")
    assert stanza.name.endswith("(tokenize=tiny, mwt=tiny, lemma=tiny)")
    first, empty, last = stanza.lemmatize(["Er ging zum Haus.", " ", "Zwei Schlucke reichten."])
    assert [(token.text, token.lemma, token.written) for token in first] == [
        ("Er", "er", None),
        ("ging", "gehen", None),
        ("zu", "zu", "zum"),
        ("dem", "der", ""),
        ("Haus", "Haus", None),
    ]
    assert empty == []
    assert [token.lemma for token in last] == ["zwei", "Schluck", "reichen"]


def test_lexemes_are_found_by_what_a_contraction_stands_for(folder):
    matcher = Matcher(open_lemmatizer(f"stanza:{folder}", "de"), "de")
    matcher.learn(["der Haus", "gehen * Haus"])
    (sentence,) = matcher.sentences(["Er ging zum Haus."])
    (found,) = matcher.find(sentence, ["der Haus", "gehen * Haus"])
    assert [sentence.text[one.start : one.end] for one in found] == ["zum Haus", "ging zum Haus"]


def test_a_folder_with_lemmas_alone_is_fed_our_own_words(folder, tmp_path):
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "lemma").symlink_to(folder / "de" / "lemma")
    index(tmp_path, "lemma")
    stanza = open_lemmatizer(f"stanza:{tmp_path}", "de")
    one, empty, other = stanza.lemmatize(["Zwei Schlucke!", "", "Kinder kamen."])
    assert [token.lemma for token in one] == ["zwei", "Schluck"]
    assert empty == []
    assert [token.lemma for token in other] == ["Kind", "kommen"]


def test_a_folder_without_models_for_the_language_says_how_to_get_them(folder):
    with pytest.raises(MtprobeError) as error:
        open_lemmatizer(f"stanza:{folder}", "es")
    assert str(error.value).startswith(f"stanza has no models for es in {folder}; get them with python -c")
    assert f"model_dir='{folder}'" in str(error.value)


@pytest.mark.usefixtures("folder")
def test_a_broken_model_is_told_without_a_traceback(tmp_path):
    (tmp_path / "de" / "lemma").mkdir(parents=True)
    (tmp_path / "de" / "lemma" / "tiny.pt").write_bytes(b"not a model")
    index(tmp_path, "lemma")
    with pytest.raises(MtprobeError, match="stanza cannot open its models for de"):
        open_lemmatizer(f"stanza:{tmp_path}", "de")
