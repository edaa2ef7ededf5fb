"""`mtprobe cues`: what a trained masked model proposes and references select; resuming; mistakes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mtprobe.cli import main
from mtprobe.methods import check_evidence
from mtprobe.suites import load_suite
from tests.authoring.cues.conftest import HEAD, samples
from tests.authoring.cues.tiny_mlm import EVERYWHERE, LANGUAGE

SMALL = ["--pool", "8", "--kind", "before"]  # the small language has few words


def cues(mlm: Path, *args: str, evaluator: str | None = "toy") -> int:
    scoring = ["--evaluator", f"python:toy_cues:{evaluator}", "--target", "pt"] if evaluator else []
    return main(["cues", "words.mt.yaml", "--mlm", str(mlm), "--device", "cpu", *scoring, *SMALL, *args])


def found(path: str = "cues.jsonl") -> dict[tuple[str, str], dict]:
    lines = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    return {(line["word"], line["sense"]): line for line in lines}


@pytest.mark.slow
@pytest.mark.usefixtures("project")
def test_the_cues_that_pull_most_are_found_for_every_sense(mlm):
    assert cues(mlm) == 0
    by_sense = found()
    assert set(by_sense) == {("bank", "river"), ("bank", "money"), ("bat", "animal"), ("bat", "club")}
    assert by_sense["bank", "river"]["correct"] == ["muddy", "grassy", "steep"]
    assert by_sense["bank", "river"]["incorrect"] == ["savings", "central", "private"]
    assert by_sense["bank", "money"]["correct"] == ["savings", "central", "private"]
    assert by_sense["bat", "club"]["correct"] == ["wooden", "cricket", "broken"]
    assert by_sense["bat", "club"]["incorrect"] == ["furry", "flying", "sleepy"]
    assert by_sense["bat", "club"]["about"]["references"] == {"right": 3, "n": 3}
    assert by_sense["bat", "club"]["about"]["held_out"] == {"right": 3, "n": 3}


@pytest.mark.usefixtures("project")
def test_the_suite_takes_the_cues_from_the_file_that_it_names(mlm):
    assert cues(mlm) == 0
    suite = load_suite(Path("words.mt.yaml"))
    check_evidence(suite)
    sample = next(one for one in suite.samples if one.id == "bank-river-1")
    assert sample.source == "Bank of the stream flooded."
    assert sample.cues.correct == ("muddy", "grassy", "steep")


@pytest.mark.usefixtures("project")
def test_the_masked_model_proposes_what_belongs_to_one_sense_only(mlm, capsys):
    assert cues(mlm, "--dry-run", evaluator=None) == 0
    out = capsys.readouterr().out
    for word, senses in LANGUAGE.items():
        for sense, (own, _) in senses.items():
            paragraph = out.partition(f"{word}, {sense}\n")[2].partition("\n\n")[0]
            correct, incorrect = paragraph.splitlines()
            assert {*correct.replace(",", "").split()} - {"correct"} == {*own}
            assert not {*EVERYWHERE} & {*incorrect.replace(",", "").split()}
    assert not Path("cues.jsonl").exists()
    assert not Path(".mtprobe").exists()


@pytest.mark.usefixtures("project")
def test_a_dry_run_shows_cues_and_how_well_they_tell_and_writes_nothing(mlm, capsys):
    assert cues(mlm, "--dry-run") == 0
    out = capsys.readouterr().out
    assert (
        "1.00         references judged correctly, with cues selected on them (95% 0.29–1.00, n = 3)" in out
    )
    assert "1.00         with cues selected on the other half of the references (95% 0.29–1.00, n = 3)" in out
    river = out.partition("bank, river\n")[2].partition("\n\n")[0]
    assert "correct      muddy (0.549), grassy (0.497), steep (0.449) | sandy" in river
    assert "4 of 4 senses of 2 words have cues" in out
    assert "n = 12)" in out
    assert [path.name for path in Path().glob("cues*")] == []


@pytest.mark.usefixtures("project")
def test_twice_gives_the_same_bytes(mlm):
    assert cues(mlm, "--no-store") == 0
    first = Path("cues.jsonl").read_bytes()
    assert cues(mlm, "--no-store", "--force") == 0
    assert Path("cues.jsonl").read_bytes() == first


@pytest.mark.usefixtures("project")
def test_an_interrupted_run_goes_on_where_it_was(mlm, capsys):
    assert cues(mlm, "--no-store", "-o", "whole.jsonl") == 0
    evaluator = sys.modules["toy_cues"].toy
    everything = type(evaluator).scored
    evaluator.stop_after = everything + 1  # after the first word
    assert cues(mlm, "--no-store") == 130
    assert "1 of 2 words are finished and saved in cues.jsonl.part" in capsys.readouterr().err
    assert not Path("cues.jsonl").exists()
    evaluator.stop_after = None
    type(evaluator).scored = 0
    assert cues(mlm, "--no-store") == 0
    assert 0 < type(evaluator).scored < everything  # only the second word
    assert Path("cues.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()
    assert not Path("cues.jsonl.part").exists()
    assert "bank, river" in capsys.readouterr().out  # a word from before is shown, too


@pytest.mark.usefixtures("project")
def test_a_line_that_was_being_written_is_made_again(mlm):
    assert cues(mlm, "-o", "whole.jsonl") == 0
    evaluator = sys.modules["toy_cues"].toy
    evaluator.stop_after = 1
    assert cues(mlm, "--no-store") == 130
    with Path("cues.jsonl.part").open("a") as part:
        part.write('{"word": "bat", "sen')
    evaluator.stop_after = None
    assert cues(mlm, "--no-store") == 0
    assert Path("cues.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()


@pytest.mark.usefixtures("project")
def test_what_was_begun_with_other_settings_is_not_mixed_in(mlm, capsys):
    evaluator = __import__("toy_cues").toy
    evaluator.stop_after = 1
    assert cues(mlm, "--no-store") == 130
    evaluator.stop_after = None
    capsys.readouterr()
    assert cues(mlm, "--no-store", "--cues", "2") == 2
    err = capsys.readouterr().err
    assert "cues.jsonl.part: the interrupted run had other settings (cues)" in err
    assert cues(mlm, "--no-store", "--cues", "2", "--restart") == 0
    assert all(len(line["correct"]) == 2 for line in found().values())


@pytest.mark.usefixtures("project")
def test_a_part_file_of_somebody_else_is_left_alone(mlm, capsys):
    Path("cues.jsonl.part").write_text("shopping list\n")
    assert cues(mlm) == 2
    assert "cues.jsonl.part: not a file of an interrupted run" in capsys.readouterr().err
    assert Path("cues.jsonl.part").read_text() == "shopping list\n"


@pytest.mark.usefixtures("project")
def test_an_output_that_is_there_is_not_overwritten(mlm, capsys):
    Path("cues.jsonl").write_text("mine\n")
    assert cues(mlm) == 2
    assert capsys.readouterr().err == "cues.jsonl: already exists; --force overwrites it\n"
    assert Path("cues.jsonl").read_text() == "mine\n"
    assert cues(mlm, "--force") == 0
    assert len(found()) == 4


def test_scores_are_kept_so_that_a_second_run_scores_nothing(project, mlm):
    assert cues(mlm) == 0
    scored = type(sys.modules["toy_cues"].toy).scored
    assert cues(mlm, "--force") == 0
    assert type(sys.modules["toy_cues"].toy).scored == scored
    assert (project / ".mtprobe" / ".gitignore").exists()


def test_attributes_may_have_other_names(project, mlm, capsys):
    path = project / "words.mt.yaml"
    text = HEAD.replace("cues: {file: cues.jsonl}\n", "").replace("cluster: word\n", "") + samples("lemma")
    path.write_text(text, encoding="utf-8")
    assert cues(mlm, "-o", "cues.jsonl") == 0
    err = capsys.readouterr().err
    assert "to use them, write `cues: {file: cues.jsonl, by: [lemma, sense]}` into the suite" in err
    path.write_text(text + "cues: {file: cues.jsonl, by: [lemma, sense]}\n", encoding="utf-8")
    suite = load_suite(path)
    assert all(sample.cues is not None for sample in suite.samples)


def test_audit_pairs_are_references_and_wrong_translations_too(project, mlm, capsys):
    text = HEAD + samples()
    kept = "\n".join(line for line in text.splitlines() if "references:" not in line)
    pairs = "".join(
        f"    - {{sample: bank-{sense}-{number}, targets: {{correct: O {right}., incorrect: O {wrong}.}}}}\n"
        for sense, right, wrong in (("river", "margem", "banco"), ("money", "banco", "margem"))
        for number in range(3)
    )
    (project / "words.mt.yaml").write_text(f"{kept}\naudit:\n  pt:\n{pairs}", encoding="utf-8")
    assert cues(mlm) == 0
    out = capsys.readouterr().out
    assert "1.00         translations in another sense recognised as such (95% 0.29–1.00, n = 3)" in out
    assert out.count("no cues      no reference to select cues with") == 2  # of the two senses of bat
    assert set(found()) == {("bank", "river"), ("bank", "money")}
    assert found()["bank", "money"]["about"]["wrong"] == {"right": 3, "n": 3}


@pytest.mark.usefixtures("project")
def test_translations_that_cannot_be_scored_are_counted(mlm, capsys):
    assert cues(mlm, evaluator="picky") == 0
    assert "skipped      translations that could not be scored: 1" in capsys.readouterr().out
    assert found()["bank", "river"]["about"]["references"] == {"right": 2, "n": 2}


@pytest.mark.usefixtures("project")
def test_senses_of_a_data_file_get_their_cues(mlm, project):
    lines = ["words:"]
    for word, senses in LANGUAGE.items():
        lines.append(f"  {word}:")
        for sense, (_, endings) in senses.items():
            lines += [f"    {sense}:", "      contexts:"]
            lines += [f"        c{number}: the <{word}> {ending}." for number, ending in enumerate(endings)]
    pairs = "".join(
        f"    - {{sample: {word}/{sense}/c{number}, targets: {{correct: O {right}.}}}}\n"
        for word, sense, right in (
            ("bank", "river", "margem"),
            ("bank", "money", "banco"),
            ("bat", "animal", "morcego"),
            ("bat", "club", "taco"),
        )
        for number in range(3)
    )
    (project / "nouns.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (project / "words.mt.yaml").write_text(
        f"{HEAD}data: {{file: nouns.yaml, format: senses}}\naudit:\n  pt:\n{pairs}", encoding="utf-8"
    )
    assert cues(mlm) == 0
    suite = load_suite(project / "words.mt.yaml")
    animal = next(one for one in suite.samples if one.id == "bat/animal/c0")
    assert animal.cues.correct == ("furry", "flying", "sleepy")


@pytest.mark.parametrize(
    ("change", "args", "said"),
    [
        ("references:", [], "no sample has a translation into pt that is known to be correct"),
        ("sense: ", [], 'no sample has the attribute "sense"'),
        ("<", [], "no word has two senses (12 samples: no <focus> in the source)"),
        ("", ["--word", "wrod"], 'no sample has the attribute "wrod"; did you mean "word"?'),
        ("", ["--target", "de"], "python-toy_cues-toy (into de) does not fit the suite, which is for en→pt"),
    ],
)
def test_what_a_suite_lacks_is_reported(project, mlm, capsys, change, args, said):
    path = project / "words.mt.yaml"
    lines = path.read_text(encoding="utf-8").splitlines()
    if change == "references:":
        lines = [line for line in lines if change not in line]
    elif change == "<":
        lines = [line.replace("<", "").replace(">", "") if "source:" in line else line for line in lines]
    elif change:
        lines = [line.replace(change, f"not_{change}") for line in lines]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert cues(mlm, *args) == 2
    assert said in capsys.readouterr().err
    assert not list(project.glob("*.part"))


@pytest.mark.usefixtures("project")
def test_samples_that_cannot_take_part_are_counted(mlm, capsys, project):
    path = project / "words.mt.yaml"
    more = "  - {source: No focus here., attributes: {word: bat, sense: club}}\n"
    more += "  - {source: The <crane> flew., attributes: {word: crane, sense: bird}}\n"
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    assert cues(mlm, "--dry-run") == 0
    err = capsys.readouterr().err
    assert "skipped: 1 sample: no <focus> in the source" in err
    assert "skipped: 1 sample: the only sense of its word" in err


@pytest.mark.usefixtures("project")
def test_without_an_evaluator_only_a_dry_run_is_possible(mlm, capsys):
    assert cues(mlm, evaluator=None) == 2
    assert "--evaluator is needed to select from the proposals" in capsys.readouterr().err


@pytest.mark.usefixtures("project")
def test_a_model_that_cannot_score_selects_nothing(mlm, capsys):
    assert cues(mlm, evaluator="mute") == 2
    assert "cannot score, so it cannot be an evaluator" in capsys.readouterr().err


@pytest.mark.usefixtures("project")
def test_without_torch_the_extra_is_named(mlm, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert cues(mlm) == 2
    assert 'pip install "mtprobe[torch]"' in capsys.readouterr().err
    assert not list(Path().glob("cues*"))


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("count", ["0", "-1", "many"])
def test_a_count_is_at_least_one(mlm, count, capsys):
    with pytest.raises(SystemExit) as stopped:
        cues(mlm, f"--pool={count}")
    assert stopped.value.code == 2
    assert "argument --pool: must be at least 1" in capsys.readouterr().err


@pytest.mark.slow
def test_the_demo_model_selects_by_portuguese_references(project, mlm):
    """A real evaluator: each sense gets its own cues, and they judge its references correctly."""
    references = {
        "river": [
            "a margem estava molhada de água.",
            "a margem do riacho inundou.",
            "a margem tinha juncos e rãs.",
        ],
        "money": [
            "o banco deu-nos um empréstimo.",
            "o banco aumentou as taxas de juro.",
            "o banco fechou a nossa conta.",
        ],
    }
    lines = ["samples:"]
    for sense, texts in references.items():
        for ending, text in zip(LANGUAGE["bank"][sense][1], texts, strict=True):
            lines += [
                f"  - source: the <bank> {ending}.",
                f"    attributes: {{word: bank, sense: {sense}}}",
                f"    references: {{pt: {text}}}",
            ]
    (project / "words.mt.yaml").write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    assert main(["cues", "words.mt.yaml", "--mlm", str(mlm), "--evaluator", "demo", *SMALL]) == 0
    for sense, other in (("river", "money"), ("money", "river")):
        line = found()["bank", sense]
        assert len(line["correct"]) == len(line["incorrect"]) == 3
        assert {*line["correct"]} <= {*LANGUAGE["bank"][sense][0]}
        assert {*line["incorrect"]} <= {*LANGUAGE["bank"][other][0]}
        assert line["about"]["references"] == {"right": 3, "n": 3}
