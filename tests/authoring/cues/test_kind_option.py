"""`mtprobe cues` with WordNet: cues in place of the word, both kinds side by side, and what is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mtprobe.cli import main
from mtprobe.language import wordnet as wordnet_module
from mtprobe.methods import check_evidence
from mtprobe.suites import load_suite
from tests.authoring.cues.conftest import HEAD
from tests.language.wordnet_files import write_wordnet
from tests.system_packages import require_files

SENTENCES = {
    "river": [
        "the <bank> of the stream flooded",
        "<Banks> of a stream flood",
        "an old <bank> had reeds and frogs",
    ],
    "money": ["the <bank> gave us a loan", "<Banks> raise interest rates", "the <bank> closed our account"],
}
EVALUATOR = """\
WORTH = {"margem": ("riverside", "slope", "muddy", "grassy"), "banco": ("lender", "institution", "savings", "central")}


class Evaluator:
    fingerprint = "replaced"

    def __call__(self, sources):
        return list(sources)

    def score(self, pairs):
        return [self.one(source.lower(), target.lower()) for source, target in pairs]

    def one(self, source, target):
        own = next(words for name, words in WORTH.items() if name in target)
        others = [word for words in WORTH.values() if words is not own for word in words]
        return (-1 + 0.3 * any(word in source for word in own) - 0.3 * any(word in source for word in others),)


evaluator = Evaluator()
"""


@pytest.fixture
def words(project: Path) -> Path:
    """The suite has *bank* in both numbers, with references."""
    lines = ["samples:"]
    for sense, texts in SENTENCES.items():
        for number, text in enumerate(texts):
            translation = f"{'margem' if sense == 'river' else 'banco'} {number}"
            lines += [
                f"  - id: {sense}-{number}",
                f"    source: {text}.",
                f"    attributes: {{word: bank, sense: {sense}, pos: noun}}",
                f"    references: {{pt: {translation}}}",
            ]
    (project / "words.mt.yaml").write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    (project / "toy_cues.py").write_text(EVALUATOR, encoding="utf-8")
    write_wordnet(project / "wordnet")
    return project


@pytest.fixture
def no_wordnet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    monkeypatch.delenv("WNHOME", raising=False)
    monkeypatch.setattr(wordnet_module, "_USUAL", ())


def cues(*args: str) -> int:
    scoring = ["--evaluator", "python:toy_cues:evaluator", "--target", "pt"]
    return main(["cues", "words.mt.yaml", "--device", "cpu", *scoring, *args])


def written() -> dict[tuple[str, str], dict]:
    lines = [json.loads(line) for line in Path("cues.jsonl").read_text(encoding="utf-8").splitlines()]
    return {(line["sense"], line.get("form", "")): line for line in lines}


@pytest.mark.usefixtures("words")
def test_wordnet_alone_gives_cues_in_every_form_of_the_word():
    assert cues("--wordnet", "wordnet", "--cues", "2") == 0
    lines = written()
    assert set(lines) == {("river", "bank"), ("river", "banks"), ("money", "bank"), ("money", "banks")}
    assert lines["river", "bank"]["correct"] == ["<riverside>", "<slope>"]
    assert lines["river", "banks"]["correct"] == ["<riversides>", "<slopes>"]
    assert lines["river", "banks"]["incorrect"] == lines["money", "banks"]["correct"]
    assert lines["money", "bank"]["about"]["held_out"] == {"right": 3, "n": 3}
    assert lines["money", "bank"]["about"]["wordnet"].startswith("wordnet:")


@pytest.mark.usefixtures("words")
def test_a_sample_takes_the_cues_in_its_own_form():
    assert cues("--wordnet", "wordnet", "--cues", "2") == 0
    suite = load_suite(Path("words.mt.yaml"))
    check_evidence(suite)
    by_id = {sample.id: sample for sample in suite.samples}
    assert by_id["river-0"].cues.correct == ("<riverside>", "<slope>")
    assert by_id["river-1"].cues.correct == ("<riversides>", "<slopes>")
    assert main(["expand", "words.mt.yaml", "--grep", "river-2"]) == 0


def test_a_form_without_cues_is_an_error_that_names_the_others(words, capsys):
    assert cues("--wordnet", "wordnet") == 0
    path = words / "cues.jsonl"
    kept = [line for line in path.read_text().splitlines() if '"form": "bank"' in line]
    path.write_text("\n".join(kept) + "\n")
    capsys.readouterr()
    assert main(["lint", "words.mt.yaml"]) == 1
    said = 'cues.jsonl has cues for "bank" in the sense "river" only in the form bank, not "banks"'
    assert said in capsys.readouterr().out


@pytest.mark.usefixtures("words")
def test_both_kinds_are_shown_side_by_side(mlm, capsys):
    assert cues("--wordnet", "wordnet", "--mlm", str(mlm), "--pool", "8") == 0
    out, err = capsys.readouterr()
    river = out.partition("bank, river\n")[2].partition("\n\n")[0]
    before, _, instead = river.partition("  in its place\n")
    assert before.startswith("  before the focus\n")
    assert "muddy" in before
    assert "riverside" in instead
    assert "2 of 2 senses of 1 word have cues before the focus" in out
    assert "2 of 2 senses of 1 word have cues in its place" in out
    assert "cues.jsonl: cues in its place for 2 senses" in err  # both judge all references rightly


@pytest.mark.usefixtures("words")
def test_one_kind_can_be_wanted(mlm, capsys):
    assert cues("--wordnet", "wordnet", "--mlm", str(mlm), "--kind", "before", "--pool", "8") == 0
    assert "in its place" not in capsys.readouterr().out
    assert set(written()) == {("river", ""), ("money", "")}


@pytest.mark.usefixtures("words")
def test_a_dry_run_without_an_evaluator_shows_what_wordnet_proposes(capsys):
    assert main(["cues", "words.mt.yaml", "--wordnet", "wordnet", "--dry-run"]) == 0
    out = capsys.readouterr().out
    river = out.partition("bank, river\n")[2].partition("\n\n")[0]
    assert "correct      riverside, slope, incline" in river
    assert not Path("cues.jsonl").exists()


@pytest.mark.usefixtures("words", "no_wordnet")
def test_without_wordnet_and_without_a_masked_model_both_are_named(capsys):
    assert cues() == 2
    err = capsys.readouterr().err
    assert "nothing proposes cues: WordNet is not installed (apt-get install wordnet-base" in err
    assert "--mlm" in err
    assert cues("--kind", "before") == 2
    assert "--kind before needs --mlm" in capsys.readouterr().err


@pytest.mark.usefixtures("words")
def test_a_folder_that_is_not_wordnet_is_an_error(capsys, tmp_path):
    assert cues("--wordnet", str(tmp_path)) == 2
    assert "not a WordNet database: it has no index.noun" in capsys.readouterr().err


@pytest.mark.usefixtures("words", "no_wordnet")
def test_the_environment_says_where_wordnet_is(monkeypatch):
    monkeypatch.setenv("WNSEARCHDIR", "wordnet")
    assert cues() == 0
    assert ("river", "banks") in written()


def test_labels_are_references_except_those_of_the_reporting_half(words):
    path = words / "words.mt.yaml"
    text = "\n".join(line for line in path.read_text().splitlines() if "references:" not in line)
    path.write_text(f"{text}\nlabels: {{pt: labels.tsv}}\n")
    lines = ["id\tsource\ttranslation\tlabel\tprobability\thalf\tlabelled_by"]
    for sense, texts in SENTENCES.items():
        for number, source in enumerate(texts):
            plain = source.replace("<", "").replace(">", "") + "."
            target = "margem" if sense == "river" else "banco"
            wrong = "banco" if sense == "river" else "margem"
            half = "reporting" if number == 2 else "tuning"
            lines.append(f"{sense}-{number}\t{plain}\t{target} {number}\tcorrect\t1\t{half}\tme")
            lines.append(f"{sense}-{number}\t{plain}\t{wrong} {number}\tincorrect\t1\t{half}\tme")
    (words / "labels.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert cues("--wordnet", "wordnet") == 0
    about = written()["river", "bank"]["about"]
    assert about["references"] == {"right": 2, "n": 2}
    assert about["wrong"] == {"right": 2, "n": 2}


def test_the_demo_model_and_the_wordnet_of_debian(project):
    """Real parts: WordNet proposes, a real evaluator tells the senses apart by Portuguese references."""
    require_files("/usr/share/wordnet/data.noun", package="wordnet-base")
    references = {
        "clothes": ("He wore a dark <suit> to the wedding.", "Ele usou um terno escuro no casamento."),
        "law": (
            "The company settled the <suit> out of court.",
            "A empresa resolveu o processo fora do tribunal.",
        ),
    }
    lines = ["samples:"]
    for sense, (source, reference) in references.items():
        lines += [
            f"  - source: {source}",
            f"    attributes: {{word: suit, sense: {sense}, pos: noun}}",
            f"    references: {{pt: {reference}}}",
        ]
    (project / "words.mt.yaml").write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    assert main(["cues", "words.mt.yaml", "--wordnet", "/usr/share/wordnet", "--evaluator", "demo"]) == 0
    lines = written()
    assert "<lawsuit>" in lines["law", "suit"]["correct"]
    assert "<garment>" in lines["clothes", "suit"]["correct"]
    assert lines["law", "suit"]["about"]["references"] == {"right": 1, "n": 1}
