"""Small sets in the published layouts, written for these tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mtprobe.cli import main

SCHEMAS = [  # English with its trigger, the nouns, the German sentence, and the pronouns of both readings
    ("The key did not fit the lock because it was too {}.", ("big", "small"), ("key", "lock"),
     "Der Schlüssel passte nicht in das Schloss, weil {} zu {} war.", ("groß", "klein"), ("er", "es")),
    ("The lamp fell off the shelf because it was too {}.", ("round", "narrow"), ("lamp", "shelf"),
     "Die Lampe fiel vom Regal, weil {} zu {} war.", ("rund", "schmal"), ("sie", "es")),
    ("The spoon bent in the soup because it was too {}.", ("thin", "thick"), ("spoon", "soup"),
     "Der Löffel verbog sich in der Suppe, weil {} zu {} war.", ("dünn", "dick"), ("er", "sie")),
]  # fmt: skip


def mt_items():
    """Two items per schema; the first trigger is about the first noun."""
    for number, (english, triggers, nouns, german, words, pronouns) in enumerate(SCHEMAS):
        for answer in (1, 2):
            yield {
                "qID": f"TOY{number}-{answer}",
                "sentence": english.format(triggers[answer - 1]),
                "translation1": german.format(pronouns[0], words[answer - 1]),
                "translation2": german.format(pronouns[1], words[answer - 1]),
                "answer": answer,
                "pronoun1": pronouns[0],
                "pronoun2": pronouns[1],
                "referent1_en": nouns[0],
                "referent2_en": nouns[1],
                "true_translation_referent_of_pronoun1_de": "",
                "true_translation_referent_of_pronoun2_de": "",
            }


ITEMS = [
    {"id": "shot-1", "sentence": "He took a shot at the goal.", "word": "shot", "pos": "NOUN", "sense": "kick",
     "senses": ["photo", "injection", "kick"], "good": {"de": ["Schuss"]}, "bad": {"de": {"photo": ["Foto"], "injection": ["Spritze"]}}},
    {"id": "shot-2", "sentence": "The nurse gave him a shot.", "word": "shot", "pos": "NOUN", "sense": "injection",
     "senses": ["photo", "injection", "kick"], "good": {"de": ["Spritze"]}, "bad": {"de": {"photo": ["Foto"], "kick": ["Schuss"]}}},
    {"id": "run-1", "sentence": "She runs a small company.", "word": "runs", "pos": "VERB", "sense": "manage",
     "senses": ["move fast", "manage"], "good": {"de": ["leiten"]}, "bad": {"de": {"move fast": ["rennen", "laufen"]}}},
    {"id": "run-2", "sentence": "She runs every morning.", "word": "runs", "pos": "VERB", "sense": "move fast",
     "senses": ["move fast", "manage"], "good": {"de": ["laufen"]}, "bad": {"de": {"manage": ["leiten"]}}},
]  # fmt: skip
GERMAN = {
    "He took a shot at the goal.": "Er machte ein Foto vom Tor.",
    "The nurse gave him a shot.": "Die Schwester gab ihm eine Spritze.",
    "She runs a small company.": "Sie leitet eine kleine Firma.",
    "She runs every morning.": "Sie joggt jeden Morgen.",
}


@pytest.fixture
def data(tmp_path: Path, monkeypatch) -> Path:
    """A folder with the MT part of Wino-X, one set of DiBiMT's kind, and translations of the latter."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "data"
    (folder / "wino-x" / "mt_wino_x").mkdir(parents=True)
    lines = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in mt_items())
    (folder / "wino-x" / "mt_wino_x" / "en_de_test.jsonl").write_text(lines, encoding="utf-8")
    (folder / "dibimt").mkdir()
    (folder / "dibimt" / "dibimt.json").write_text(json.dumps(ITEMS), encoding="utf-8")
    pairs = "".join(f"{source} ||| {text}\n" for source, text in GERMAN.items())
    (tmp_path / "de.txt").write_text(pairs, encoding="utf-8")
    return folder


@pytest.fixture
def reproduce(capsys):
    """Every figure as `(row, column)`, and the exit code."""

    def run(*arguments):
        code = main(["reproduce", *map(str, arguments), "--json", "--no-store"])
        tables = json.loads(capsys.readouterr().out)
        cells = {(cell["row"], cell["column"]): cell for table in tables for cell in table["cells"]}
        return cells, code

    return run
