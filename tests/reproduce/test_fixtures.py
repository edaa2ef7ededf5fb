"""Sets that are not public, and models: the published settings on small data of our own"""

from __future__ import annotations

import json

import pytest

from mtprobe.cli import main

from .conftest import GERMAN, mt_items


def scores(path, prefers):
    """A file of scores for each item's right and wrong translation, in the suite's order; higher is better."""
    lines = []
    for item in mt_items():
        right, wrong = (item[f"pronoun{number}"] for number in (item["answer"], 3 - item["answer"]))
        for pronoun in (right, wrong):
            lines.append("-1.0" if pronoun == prefers(right, wrong) else "-2.0")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_wino_x_has_accuracy_and_bias_as_published(reproduce, data, tmp_path):
    # It prefers the neuter, then the masculine: er, es, es / es, es / er, er.
    rank = {"es": 0, "er": 1, "sie": 2}
    scores(tmp_path / "scores.txt", lambda right, wrong: min(right, wrong, key=rank.__getitem__))
    cells, _ = reproduce(
        "wino-x", "--data", data, "--model", "toy=scores:scores.txt", "--source", "en", "--target", "de"
    )
    assert cells["MT part, en-de", "schemas"]["ours"] == 3
    assert cells["toy", "accuracy"]["ours"] == 0.5  # of each schema one sample
    # Preferred: 4 neuter, 2 masculine; rejected: 2 masculine, 4 feminine. With f = 1, m = 2, n = 3 a preferred one is
    # greater in 4·6 + 2·4 = 32 of 36 pairs, smaller in none.
    assert cells["toy", "gender bias"]["ours"] == pytest.approx(32 / 36)
    assert cells["toy", "position bias"]["ours"] == pytest.approx(abs(2 / 6 - 4 / 6))
    assert cells["BASE", "gender bias"]["printed"] == "0.33"
    assert cells["BASE", "gender bias"]["agrees"] is None


def test_a_tie_is_wrong_in_wino_x(reproduce, data, tmp_path):
    (tmp_path / "scores.txt").write_text("-1.0\n" * 12, encoding="utf-8")
    cells, _ = reproduce(
        "wino-x", "--data", data, "--model", "toy=scores:scores.txt", "--source", "en", "--target", "de"
    )
    assert cells["toy", "accuracy"]["ours"] == 0


def test_dibimt_has_its_measures_in_all_and_by_part_of_speech(reproduce, data, tmp_path):
    spec = f"toy=file:{tmp_path / 'de.txt'}"
    cells, _ = reproduce("dibimt", "--data", data, "--model", spec, "--source", "en", "--target", "de")
    ours = {place: cell["ours"] for place, cell in cells.items()}
    assert ours["toy, all", "accuracy"] == pytest.approx(100 * 2 / 3)  # GOOD, GOOD, BAD; one MISS
    assert ours["toy, all", "MISS"] == 25
    assert ours["toy, all", "MFS"] == 100  # Foto: the most frequent sense of shot
    assert ours["toy, all", "SFII"] == pytest.approx(50)  # rank 2: 0 of 2, rank 3: 1 of 1
    assert ours["toy, noun", "accuracy"] == 50
    assert ours["toy, verb", "MISS"] == 50
    assert cells["DeepL", "accuracy"]["printed"] == "74.60"


def test_several_models_have_a_mean_and_a_standard_deviation(reproduce, data, tmp_path):
    worse = "".join(f"{source} ||| Er machte ein Foto.\n" for source in GERMAN)
    (tmp_path / "worse.txt").write_text(worse, encoding="utf-8")
    models = [f"--model=a=file:{tmp_path / 'de.txt'}", f"--model=b=file:{tmp_path / 'worse.txt'}"]
    cells, _ = reproduce("dibimt", "--data", data, *models, "--source", "en", "--target", "de")
    accuracy = cells["mean of a, b, noun", "accuracy"]
    assert (accuracy["ours"], accuracy["spread"]) == (25, pytest.approx(2**0.5 * 25))


def test_the_settings_are_suites_that_can_be_kept(data, tmp_path, capsys):
    assert main(["reproduce", "dibimt", "--data", str(data), "--suites", "kept", "--model",
                 f"file:{tmp_path / 'de.txt'}", "--source", "en", "--target", "de", "--no-store"]) == 0  # fmt: skip
    out = capsys.readouterr().out
    assert "need the authors' systems" in out
    text = (tmp_path / "kept" / "dibimt.en-de.mt.yaml").read_text(encoding="utf-8")
    assert "degenerate: ignore" in text
    assert '"file": "dibimt/dibimt.json"' in text


def test_a_published_rule_that_does_not_look_for_copies_judges_them(data, tmp_path, reproduce):
    """The default rule would call these outputs degenerate, and SFII would count them as errors."""
    copied = "".join(f"{source} ||| {source}\n" for source in GERMAN)
    (tmp_path / "copied.txt").write_text(copied, encoding="utf-8")
    spec = f"toy=file:{tmp_path / 'copied.txt'}"
    cells, _ = reproduce("dibimt", "--data", data, "--model", spec, "--source", "en", "--target", "de")
    assert cells["toy, all", "MISS"]["ours"] == 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["winomd", "--data", "."], 'there are no tables of "winomd"; did you mean "winomt"?'),
        (["winomt", "--data", "nowhere"], "--data nowhere: is not a folder"),
        (["winomt", "--data", "."], "has no data of winomt, which is looked for in winomt/test.tsv"),
    ],
)
def test_a_mistake_is_reported(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", *arguments]) == 2
    assert message in capsys.readouterr().err


LM_ITEM = {
    "qID": "TOY-1", "sentence": "x", "answer": 1,
    "context_en": "The key did not fit the lock because the _ was too big.",
    "context_de": "Der Schlüssel passte nicht in das Schloss, weil _ zu groß war.",
    "option1_en": "key", "option2_en": "lock", "option1_de": "der Schlüssel", "option2_de": "das Schloss",
    "context_referent_of_option1_de": "Schlüssel", "context_referent_of_option2_de": "Schloss,",
}  # fmt: skip


def test_the_lm_part_of_wino_x_is_for_masked_language_models_in_both_languages(reproduce, data, tmp_path):
    """Accuracy over two samples of one schema, one of which has the other answer."""
    from transformers import BertConfig, BertForMaskedLM

    from tests.authoring.cues.tiny_mlm import make_tokenizer

    folder = data / "wino-x" / "lm_wino_x"
    folder.mkdir()
    items = [LM_ITEM, LM_ITEM | {"qID": "TOY-2", "answer": 2}]
    text = "".join(json.dumps(item) + "\n" for item in items)
    (folder / "en_de_test.jsonl").write_text(text, encoding="utf-8")
    tokenizer = make_tokenizer()
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    BertForMaskedLM(BertConfig(vocab_size=len(tokenizer), **shape)).save_pretrained(tmp_path / "mlm")
    tokenizer.save_pretrained(tmp_path / "mlm")
    cells, _ = reproduce("wino-x", "--data", data, "--model", f"toy=mlm:{tmp_path / 'mlm'}", "--target", "de")
    assert [cells["LM part, en-de", name]["ours"] for name in ("schemas", "samples")] == [1, 2]
    for language in ("de", "en"):
        cell = cells["toy", f"accuracy in {language}"]
        # The same two sentences with opposite answers: one is right, unless their scores are tied (both wrong).
        assert cell["ours"] in (0.5, 0.0)
        assert cell["n"] == 2
    assert ("toy", "accuracy") not in cells  # it cannot translate
    assert cells["XLM-R base", "accuracy in de"]["printed"] == "0.53"
