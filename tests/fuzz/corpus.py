"""What is mutated: the shipped suites with their data files, thinned and whole, and a small suite of each format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from mtprobe.suite.parsing.tree import read_tree
from tests.conftest import ROOT
from tests.suite.test_properties import GOOD

SUITE = "fuzz.mt.yaml"  # what every seed calls its suite


@dataclass(frozen=True)
class Seed:
    """A suite and the files that it names, by their paths below its folder."""

    name: str
    files: dict[str, bytes]

    @property
    def size(self) -> int:
        return sum(map(len, self.files.values()))


HEAD = {
    "mtprobe": 1,
    "name": "fuzzed",
    "about": "Does the loader survive?",
    "languages": {"source": "en", "targets": ["de"]},
    "method": "minimal-pairs",
    "gates": {"accuracy": ">= 0.60"},
}
PAIR = {"source": "It is old.", "reference": "Sie ist alt.", "errors": [{"contrastive": "Er ist alt."}]}
LINGEVAL = PAIR | {"origin": "news.1", "errors": [{"type": "verb", "contrastive": "Sie alt.", "distance": 1}]}
SENSE = {"ambig word": "Bank", "sense": "bench|seat", "origin": "europarl", "original translation": "bench"}
RATIO = {"frequency of sense/ambig word in wmt16": "50/200"}
CONTRAPRO = PAIR | {"src pronoun": "It", "ref pronoun": "Sie", "ante distance": 2, "intrasegmental": False}
BLIMP = {
    "sentence_good": "He sees himself.",
    "sentence_bad": "He sees herself.",
    "UID": "anaphor",
    "pairID": "0",
}
BLIMP |= {"linguistics_term": "agreement", "field": "morphology"}
WINO_MT = {
    "qID": "3XYZ-1", "sentence": "The trophy did not fit into the suitcase because it was too big.",
    "translation1": "Die Trophäe passte nicht in den Koffer, weil sie zu groß war.",
    "translation2": "Die Trophäe passte nicht in den Koffer, weil er zu groß war.",
    "answer": 1, "pronoun1": "sie", "pronoun2": "er", "referent1_en": "trophy", "referent2_en": "suitcase",
}  # fmt: skip
WINO_LM = {
    "qID": "3XYZ-2", "context_en": "The trophy did not fit because the _ was small.", "answer": "2",
    "context_de": "Die Trophäe passte nicht, weil _ zu klein war.", "option1_en": "trophy", "option2_en": "case",
    "option1_de": "die Trophäe", "option2_de": "der Koffer", "context_referent_of_option1_de": "Trophäe",
}  # fmt: skip
DIBIMT = {
    "id": "1", "sentence": "He took a shot.", "word": "shot", "pos": "NOUN", "sense": "bn:1", "sense_rank": 3,
    "polysemy": 9, "good": {"de": ["Schluck|noun"]}, "bad": {"de": {"bn:2": ["Spritze", "Foto * Kamera"]}},
}  # fmt: skip
MUCOW_CUES = {"src_word": "accelerator", "correct_insertions": ["gear"], "incorrect_insertions": ["beam"]}
FREQUENCIES = {
    "frequent_word_senses": {"de": [["accelerator", "beschleuniger"]]},
    "infrequent_word_senses": {"de": [["accelerator", "gaspedal"]]},
}
SAMPLE = {
    "id": "one", "source": "We have avocados as a <starter>.", "category": "rare",
    "attributes": {"word": "starter", "sense": "food", "pos": "noun"}, "senses": ["motor", "food"],
    "cues": {"correct": ["dinner"], "incorrect": "motor"}, "references": {"de": "Vorspeise."},
    "lemmas": {"de": {"good": "Vorspeise", "bad": {"motor": ["Anlasser"]}}}, "triggers": ["avocados"],
    "targets": {"de": {"correct": "Als Vorspeise.", "incorrect": "Als Anlasser.",
                       "variants": {"gender": {"correct": "feminine", "incorrect": "masculine"}}}},
}  # fmt: skip


def _lines(*values: object) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


# Each format's entry, its files, and what the suite says besides HEAD.
FORMATS: dict[str, tuple[dict[str, Any], dict[str, str], dict[str, Any]]] = {
    "jsonl": (
        {"file": "a.jsonl", "attributes": ["pos", "sense_rank"]},
        {"a.jsonl": _lines(SAMPLE, SAMPLE | {"id": "two", "category": "frequent"})},
        {
            "methods": ["contrastive-conditioning", "lexicon", "minimal-pairs"],
            "categories": ["frequent", "rare"],
            "variants": {"gender": ["masculine", "feminine"]},
            "attributes": {"easy": {"true": "pos == 'noun' and sense_rank <= 1"}},
            "gates": {"minimum_accuracy": ">= 60 % @95%", "bias[gender]": "<= 0.1", "sfii": "<= 1"},
        },
    ),
    "cue file": (
        {"file": "a.jsonl"},
        {
            "a.jsonl": _lines({k: v for k, v in SAMPLE.items() if k not in ("cues", "category")}),
            "cues.jsonl": _lines({"word": "starter", "sense": "food", "correct": ["dinner"], "incorrect": "motor"}),
        },
        {
            "method": "contrastive-conditioning",
            "cues": {"file": "cues.jsonl", "by": ["word", "sense"], "without": "omit"},
            "variants": {"gender": ["masculine", "feminine"]},
        },
    ),
    "frequencies": (
        {"file": "a.jsonl"},
        {
            "a.jsonl": _lines({"source": "The <accelerator>.", "lemmas": {"de": {"good": "gaspedal", "bad": "x"}}}),
            "frequencies.json": json.dumps(FREQUENCIES),
        },
        {"method": "lexicon", "frequencies": "frequencies.json", "categories": ["frequent", "rare"]},
    ),
    "winomt": (
        {"format": "winomt", "file": "en.tsv"},
        {
            "en.tsv": "female\t1\tThe developer argued because she was tired.\tdeveloper\tanti\n"
            "male\t4\tThe editor called the construction worker because he knew it.\tconstruction worker\tpro\n"
        },
        {
            "methods": ["contrastive-conditioning", "gender-morphology"],
            "categories": ["male", "female"],
            "cues": {"male": {"correct": "man", "incorrect": "woman"}, "female": {"correct": "woman", "incorrect": "man"}},
            "gates": {"delta_g": "<= 0.1", "delta_s": "<= 0.1", "f1[female]@gender-morphology": ">= 0.5"},
        },
    ),
    "mucow": (
        {"format": "mucow", "text": "text.txt", "key": "key.tsv", "references": "ref.txt", "cues": "cues.jsonl",
         "frequencies": "frequencies.json", "target": "de"},
        {
            "text.txt": "He hit the accelerator.\nAn accelerator was built.\n",
            "key.tsv": "11\tted\taccelerator\tgaspedal\tbeschleuniger teilchenbeschleuniger\n"
            "12\tbooks\taccelerator\tbeschleuniger teilchenbeschleuniger\tgaspedal\n",
            "ref.txt": "Er trat aufs Gaspedal.\nEin Beschleuniger wurde gebaut.\n",
            "cues.jsonl": _lines(MUCOW_CUES, MUCOW_CUES),
            "frequencies.json": json.dumps(FREQUENCIES),
        },
        {"methods": ["lexicon", "contrastive-conditioning"], "categories": ["frequent", "rare"]},
    ),
    "distil-lingeval": (
        {"format": "distil-lingeval", "folder": "clause_omission.human", "category": "origin"},
        {
            "clause_omission.human/src.en": "It rains, and I stay.\nI was unhappy.\n",
            "clause_omission.human/tgt.correct.de": "Es regnet, und ich bleibe.\nIch war unglücklich.\n",
            "clause_omission.human/tgt.incorrect.de": "Ich bleibe.\nIch war glücklich.\n",
        },
        {"categories": ["human"]},
    ),
    "lingeval97": ({"format": "lingeval97", "file": "a.json"}, {"a.json": json.dumps([LINGEVAL], indent=1)}, {}),
    "mucow-scoring": (
        {"format": "mucow-scoring", "file": "a.json"}, {"a.json": json.dumps([PAIR | SENSE | RATIO], indent=1)}, {},
    ),
    "contrawsd": ({"format": "contrawsd", "file": "a.json"}, {"a.json": json.dumps([PAIR | SENSE | RATIO])}, {}),
    "contrapro": ({"format": "contrapro", "file": "a.json"}, {"a.json": json.dumps([CONTRAPRO], indent=1)}, {}),
    "wino-x": (
        {"format": "wino-x", "file": "a.jsonl"},
        {"a.jsonl": _lines(WINO_MT, WINO_LM)},
        {"gates": {"bias[position]": "<= 0.1", "accuracy": ">= 0.6"}},
    ),
    "blimp": (
        {"format": "blimp", "file": "a.jsonl", "target": "en"},
        {"a.jsonl": _lines(BLIMP, BLIMP)},
        {"method": "masked-lm", "languages": {"source": "en", "targets": "en"}},
    ),
    "mt-geneval": (
        {"format": "mt-geneval", "folder": "geneval"},
        {
            f"geneval/geneval-sentences-{gender}-test.en_de.{language}": f"{text}\n"
            for gender, texts in {
                "masculine": {"en": "He is an actor.", "de": "Er ist Schauspieler."},
                "feminine": {"en": "She is an actor.", "de": "Sie ist Schauspielerin."},
            }.items()
            for language, text in texts.items()
        },
        {"categories": ["male", "female"], "gates": {"gap": "<= 0.2"}},
    ),
    "gate": (
        {"format": "gate", "file": "a.tsv"},
        {
            "a.tsv": "labels\tsource\tf\tm\tkw_s\tkw_f\tkw_m\tdata_split\n"
            "1,2\tThe actor left.\tDie Schauspielerin ging.\tDer Schauspieler ging.\tactor\tSchauspielerin\tSchauspieler\tdev\n"
        },
        {
            "method": "contrastive-conditioning",
            "categories": ["person", "people", "male", "female"],
            "cues": {
                "person": {"male": "man", "female": "woman"},
                "people": {"male": "men", "female": "women"},
            },
            "gates": {"chosen[male]": "<= 0.6"},
        },
    ),
    "dibimt": (
        {"format": "dibimt", "file": "a.json"},
        {"a.json": json.dumps([DIBIMT], indent=1)},
        {"method": "lexicon", "gates": {"accuracy": ">= 0.6", "group_error[pos]": "<= 0.4"}},
    ),
}  # fmt: skip


def _of_format(name: str) -> Seed:
    entry, files, more = FORMATS[name]
    head = {key: value for key, value in HEAD.items() if not (key == "method" and "methods" in more)}
    suite = {**head, **more, "data": entry}
    return Seed(name, {SUITE: _dump(suite)} | {path: text.encode() for path, text in files.items()})


def _dump(value: Any) -> bytes:
    return yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=200).encode()


def thinned(value: Any, keep: int) -> Any:
    """A tree without most of the entries of its long lists and mappings."""
    if isinstance(value, dict):
        held = list(value.items())
        most = (
            held
            if len(held) <= 25 and not all(isinstance(one, dict) for one in value.values())
            else held[:keep]
        )
        return {key: thinned(one, keep) for key, one in most}
    return [thinned(one, keep) for one in value[:keep]] if isinstance(value, list) else value


def _thin(path: Path, keep: int) -> bytes:
    if path.suffix == ".tsv":
        return b"".join(path.read_bytes().splitlines(keepends=True)[: keep + 1])
    tree = thinned(read_tree(path).value, keep)
    if "gates" in tree:  # what one is asked of may have gone
        tree["gates"] = {key: bound for key, bound in tree["gates"].items() if _can_be_asked(key, tree)}
    if "generate" in tree:
        for template in tree["generate"]:  # `except` names values of slots
            template.pop("except", None)
    if "either" in tree:  # it names words
        tree["either"] = {word: lists for word, lists in tree["either"].items() if word in tree["words"]}
    return _dump(tree)


def _can_be_asked(gate: str, suite: dict[str, Any]) -> bool:
    group = gate.partition("[")[2].rstrip("]")
    named = [str(category) for category in suite.get("categories", [])]
    if gate.startswith("false_alarms") and not any(one.get("control") for one in suite.get("generate", ())):
        return False
    return "=" not in gate and (
        gate.partition("[")[0] != "accuracy" or not group or "," in group or group in named
    )


def _shipped(path: Path, keep: int | None) -> Seed:
    """A shipped suite with the YAML and label files beside it, `keep` entries of each collection, or all of them."""
    files = {SUITE: path.read_bytes()}
    text = path.read_text(encoding="utf-8")
    for other in sorted([*path.parent.rglob("*.yaml"), *path.parent.rglob("*.tsv")]):
        name = other.relative_to(path.parent).as_posix()
        if not other.name.endswith(".mt.yaml") and name in text:
            files[name] = other.read_bytes()
    if keep is not None:
        files = {name: _thin(path if name == SUITE else path.parent / name, keep) for name in files}
    return Seed(path.name, files)


def _all() -> Iterator[Seed]:
    yield Seed("everything", {SUITE: GOOD.encode()})
    yield from map(_of_format, FORMATS)
    for path in sorted((ROOT / "suites").rglob("*.mt.yaml")):
        yield _shipped(path, 3)


@cache
def small() -> tuple[Seed, ...]:
    """Seeds that load in milliseconds."""
    return tuple(_all())


@cache
def whole() -> tuple[Seed, ...]:
    """The shipped suites as they are."""
    return tuple(_shipped(path, None) for path in sorted((ROOT / "suites").rglob("*.mt.yaml")))
