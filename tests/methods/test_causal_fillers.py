"""BLiMP and LM-Wino-X in their published layouts, with a causal model: every score is torch's.

The sentences are ours; the keys and file names are those of the published files.
"""

from __future__ import annotations

import json

import pytest

import mtprobe
from tests.engine.lm.models import START, SmallLm, make

pytest.importorskip("torch")
pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")

PARADIGMS = {
    "anaphor_gender_agreement": ("morphology", "anaphor_agreement", [
        ("The nurse can't help herself.", "The nurse can't help itself."),
        ("Some doctor did praise himself.", "Some doctor did praise themselves."),
    ]),
    "regular_plural_subject_verb_agreement_1": ("morphology", "subject_verb_agreement", [
        ("These nurses finish early.", "These nurses finishes early."),
        ("The doctors have translated it.", "The doctors has translated it."),
    ]),
    "adjunct_island": ("syntax", "island_effects", [
        ("Who has the nurse asked before leaving?", "Who has the nurse asked the doctor before leaving?"),
    ]),
}  # fmt: skip
BLIMP = """\
mtprobe: 1
name: blimp
about: Does the language model score a grammatical sentence above an ungrammatical one?
languages: {source: en, targets: en}
method: masked-lm
sentence_score: SCORE
gates:
  accuracy: ">= 0"
  accuracy[phenomenon=island_effects]: ">= 0"
data:
"""
SCHEMA = {
    "qID": "3XYZ",
    "sentence": "The nurse put the letter into the bag because the _ was small.",
    "context_en": "The nurse put the letter into the bag because the _ was small.",
    "context_de": "Die Krankenschwester steckte den Brief in die Tasche, weil _ klein war.",
    "option1_en": "letter",
    "option2_en": "bag",
    "option1_de": "der Brief",
    "option2_de": "die Tasche",
    "context_referent_of_option1_de": "den Brief",
    "context_referent_of_option2_de": "die Tasche,",
}
WINO_X = """\
mtprobe: 1
name: lm-wino-x
about: Does the language model know what fills the gap?
languages: {source: en, targets: de}
method: masked-lm
gates: {accuracy: ">= 0", pair_accuracy: ">= 0"}
cluster: schema
data: {format: wino-x, file: lm_en_de.jsonl}
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> SmallLm:
    return make(tmp_path_factory.mktemp("lm") / "causal", "grouped queries")


def lines_of(paradigm):
    """As `data/PARADIGM.jsonl` of the published set has them."""
    field, term, pairs = PARADIGMS[paradigm]
    return "".join(
        json.dumps(
            {
                "sentence_good": good, "sentence_bad": bad, "field": field, "linguistics_term": term,
                "UID": paradigm, "simple_LM_method": True, "one_prefix_method": False,
                "two_prefix_method": False, "lexically_identical": False, "pairID": str(number),
            }
        ) + "\n"
        for number, (good, bad) in enumerate(pairs)
    )  # fmt: skip


def run_with(model, suite, target):
    (run,) = mtprobe.run(suite, f"lm:{model.folder}?prompt=none", target=target, threads=1).suites
    return run


def check_scores(model, run, way):
    """Against transformers, sentence by sentence."""
    tokenizer = tokenizers.Tokenizer.from_file(str(model.folder / "tokenizer.json"))
    for result in run.results:
        scores = {}
        for item in result.verdict.evidence:
            logprobs = model.logprobs((START,), tokenizer.encode(item.text).ids)
            scores[item.side] = getattr(logprobs, way)()
            assert item.score == pytest.approx(scores[item.side], abs=1e-4 * len(logprobs))
        expected = "correct" if scores["correct"] > scores["incorrect"] else "incorrect"
        assert result.verdict.outcome.value == expected


@pytest.mark.parametrize("way", ["mean", "sum"])
def test_blimp_is_scored_as_by_torch(model, tmp_path, way):
    entries = ""
    for paradigm in PARADIGMS:
        (tmp_path / f"{paradigm}.jsonl").write_text(lines_of(paradigm), encoding="utf-8")
        entries += f"  - {{format: blimp, file: {paradigm}.jsonl}}\n"
    path = tmp_path / "blimp.mt.yaml"
    path.write_text(BLIMP.replace("SCORE", way) + entries, encoding="utf-8")
    run = run_with(model, path, "en")
    assert [result.id for result in run.results] == [
        f"{paradigm}/{number}"
        for paradigm, (_, _, pairs) in PARADIGMS.items()
        for number in range(len(pairs))
    ]
    assert {result.attributes["field"] for result in run.results} == {"morphology", "syntax"}
    check_scores(model, run, way)
    right = [result.verdict.outcome.value == "correct" for result in run.results]
    overall, island = run.gates
    assert overall.measure.value == pytest.approx(sum(right) / len(right))
    assert (island.measure.value, island.measure.n) == (float(right[-1]), 1)


def test_the_sum_prefers_fewer_tokens(model, tmp_path):
    (tmp_path / "adjunct_island.jsonl").write_text(lines_of("adjunct_island"), encoding="utf-8")
    path = tmp_path / "blimp.mt.yaml"
    suite = BLIMP.replace("SCORE", "sum") + "  - {format: blimp, file: adjunct_island.jsonl}\n"
    path.write_text(suite, encoding="utf-8")
    (result,) = run_with(model, path, "en").results
    assert result.verdict.outcome.value == "correct"  # two words fewer, by a model that knows nothing


def test_lm_wino_x_is_scored_as_by_torch(model, tmp_path):
    other = {
        **SCHEMA,
        "sentence": SCHEMA["sentence"].replace("small", "large"),
        "context_en": SCHEMA["context_en"].replace("small", "large"),
        "context_de": SCHEMA["context_de"].replace("klein", "groß"),
    }
    lines = [
        json.dumps({**SCHEMA, "qID": "3XYZ-1", "answer": 1}, ensure_ascii=False),
        json.dumps({**other, "qID": "3XYZ-2", "answer": 2}, ensure_ascii=False),
    ]
    (tmp_path / "lm_en_de.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    path = tmp_path / "wino.mt.yaml"
    path.write_text(WINO_X, encoding="utf-8")
    run = run_with(model, path, "de")
    first, second = run.results
    assert {item.text for item in first.verdict.evidence} == {
        f"Die Krankenschwester steckte den Brief in die Tasche, weil {filler} klein war."
        for filler in ("der Brief", "die Tasche")
    }
    assert first.attributes["schema"] == second.attributes["schema"]
    check_scores(model, run, "mean")
    right = [result.verdict.outcome.value == "correct" for result in run.results]
    assert [gate.measure.value for gate in run.gates] == [sum(right) / 2, float(all(right))]
