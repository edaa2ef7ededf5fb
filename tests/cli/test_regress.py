"""mtprobe regress"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import mtprobe
from mtprobe.cli import main
from mtprobe.methods.verdict import Outcome
from mtprobe.records import ModelFacts, read_run, write_run
from tests.metrics.results import result
from tests.report.factory import HOSTILE, a_run, a_suite
from tests.report.page import parse
from tests.studies.appendix_h import ROWS


@pytest.fixture
def table(folder):
    header = "name,line,bleu,distilled,mucow,winomt\n"
    rows = [
        f"{row.kind} {row.size} {row.number},{row.line},{row.bleu},{'yes' if row.distilled else 'no'},{row.mucow},{row.winomt}\n"
        for row in ROWS["en-de"]
    ]
    (folder / "models.csv").write_text(header + "".join(rows), encoding="utf-8")
    return "models.csv"


ON = ["--on", "bleu", "--on", "distilled"]


def test_a_table_is_regressed(table, capsys):
    assert main(["regress", table, "--outcome", "winomt", "--outcome", "mucow", *ON]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["winomt", "·", "30", "models", "·", "R²", "=", "0.83", "·", "p", "<", "0.001"] in lines
    coefficients = [line[:2] for line in lines if line and line[0] in ("bleu", "distilled")]
    assert coefficients == [
        ["bleu", "5.00"],
        ["distilled", "-7.56"],
        ["bleu", "1.78"],
        ["distilled", "-6.47"],
    ]


def test_json_carries_intervals_p_and_n(table, capsys):
    assert main(["regress", table, "--outcome", "winomt", *ON, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["n"] == 30
    bleu, distilled = found["coefficients"]
    assert bleu["low"] < 5.0 < bleu["high"]
    assert distilled["p"] < 0.05
    assert set(found["intercept"]) == {"name", "value", "low", "high", "p"}


def test_the_page_draws_every_model_and_the_fitted_lines(table, folder, capsys):
    assert main(["regress", table, "--outcome", "winomt", *ON, "--html", "new/study.html"]) == 0
    assert capsys.readouterr().err == ""
    page = parse((folder / "new" / "study.html").read_text(encoding="utf-8"))
    plot = page.one("figure", "plot").all("svg")[0]
    assert len(list(plot.all("circle"))) == 12
    assert len(list(plot.all("rect"))) == 18
    assert len(list(plot.all("path", "fitted"))) == 2
    assert (
        len(list(plot.all("path", "joined"))) == 9
    )  # students of a teacher, and the seeds of "from scratch"
    titles = [title.text for title in plot.all("title")]
    assert "SOTA Teacher big 1: bleu 40.6, winomt 66.3" in titles
    cells = [[cell.text for cell in row.all("td")] for row in page.all("tr")]
    assert any(row[:1] == ["5.00"] for row in cells)


def test_names_in_a_page_are_only_text(folder):
    rows = "".join(
        f'"{HOSTILE[number % len(HOSTILE)].replace(chr(34), chr(34) * 2)} {number}",{number},{number * number}\n'
        for number in range(6)
    )
    (folder / "models.csv").write_text("name,bleu,y\n" + rows, encoding="utf-8")
    assert main(["regress", "models.csv", "--outcome", "y", "--on", "bleu", "--html", "p.html"]) == 0
    page = parse((folder / "p.html").read_text(encoding="utf-8"))
    assert not list(page.all("script"))
    assert not list(page.all("img"))


STUDY = """\
study: 1
about: Do distilled models overgeneralise?
outcomes:
  gender: {suite: occupations, metric: accuracy}
on: [bleu, distilled]
test_set: {references: ref.pt}
models:
"""


@pytest.fixture
def study(folder):
    """Six models with records and translations of a test set of four lines."""
    reference = ["O gato dorme na casa velha hoje .", "Ela leu o livro todo ontem .", "Nós vamos ao mercado agora mesmo .", "O sol brilha sobre a cidade grande ."]  # fmt: skip
    (folder / "ref.pt").write_text("\n".join(reference) + "\n", encoding="utf-8")
    text = STUDY
    for number in range(6):
        wrong = [
            " ".join(word if (at + 1) % (number + 2) else "x" for at, word in enumerate(line.split())) for line in reference
        ]  # fmt: skip
        (folder / f"m{number}.pt").write_text("\n".join(wrong) + "\n", encoding="utf-8")
        results = [result(at, "correct" if at < number + number % 2 else "incorrect") for at in range(10)]
        suite = a_suite(*results, model=ModelFacts(f"m{number}", "x"), categories=("male",))
        write_run(folder / f"m{number}.jsonl", a_run(suite))
        text += f"  - name: m{number}\n    record: m{number}.jsonl\n    translations: m{number}.pt\n"
        text += f"    values: {{distilled: {'true' if number % 2 else 'false'}}}\n"
    (folder / "study.yaml").write_text(text, encoding="utf-8")
    return folder / "study.yaml"


def test_a_study_reads_records_and_has_bleu_computed(study, capsys):
    assert main(["regress", "study.yaml", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["outcome"], found["n"]) == ("gender", 6)
    assert [one["name"] for one in found["coefficients"]] == ["bleu", "distilled"]
    assert found["coefficients"][0]["value"] > 0
    assert main(["regress", "study.yaml", "--on", "chrf", "--html", "s.html"]) == 0
    out = capsys.readouterr().out
    assert "chrf" in out
    assert "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp" in out
    assert "m5" in (study.parent / "s.html").read_text(encoding="utf-8")


def test_bleu_is_sacrebleus(study):
    from sacrebleu import corpus_bleu

    from mtprobe.studies.study_file import read_study

    read = read_study(study)
    lines = (study.parent / "m3.pt").read_text(encoding="utf-8").splitlines()
    wanted = (study.parent / "ref.pt").read_text(encoding="utf-8").splitlines()
    assert read.models[3].values["bleu"] == pytest.approx(corpus_bleu(lines, [wanted]).score)
    assert read.models[3].values["gender"] == pytest.approx(40.0)  # percent, as BLEU is


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("outcomes:", "outcome:", 'study.yaml:3:1: outcome: unknown key; did you mean "outcomes"?'),
        ("metric: accuracy", "metric: acuracy", 'study.yaml:4:32: there is no metric "acuracy"; did you mean "accuracy"?'),
        ("suite: occupations", "suite: ocupations", 'study.yaml:9:5: the record has no suite "ocupations"; did you mean "occupations"?'),
        ("on: [bleu, distilled]", "on: [bleu, distiled]", 'study.yaml:8:5: model "m0" has no "distiled"; did you mean "distilled"?'),
        ("test_set: {references: ref.pt}\n", "", "study.yaml:9:5: translations need a `test_set`"),
        ("name: m1", "name: m0", 'study.yaml:12:5: a second model "m0"'),
        ("record: m3.jsonl", "record: none.jsonl", "none.jsonl: cannot be read"),
        ("translations: m3.pt", "translations: none.pt", "none.pt: cannot be read: No such file"),
        ("distilled: true", "distilled: perhaps", "study.yaml:15:14: models[1].values.distilled: "),
        ("distilled: true", "distilled: .nan", "study.yaml:15:14: models[1].values.distilled: "),
        ("study: 1", "study: 2", "study.yaml:1:1: study: must be 1"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_study_names_its_line(study, capsys, old, new, said):
    text = study.read_text(encoding="utf-8")
    assert old in text
    study.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert main(["regress", "study.yaml"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err


def test_translations_of_another_length_are_reported(study, capsys):
    with (study.parent / "m3.pt").open("a", encoding="utf-8") as stream:
        stream.write("one more\n")
    assert main(["regress", "study.yaml"]) == 2
    assert "m3.pt: 5 lines, but 4 in" in capsys.readouterr().err


def test_records_of_different_samples_do_not_compare(study, capsys):
    suite = a_suite(*(result(at) for at in range(9)), model=ModelFacts("m3", "x"), categories=("male",))
    write_run(study.parent / "m3.jsonl", a_run(suite))
    assert main(["regress", "study.yaml"]) == 2
    assert (
        'study.yaml:21:5: the samples of "occupations" are not those of model "m0"' in capsys.readouterr().err
    )


def test_a_record_with_samples_that_were_not_judged_gives_no_number(study, capsys):
    results = [result(at, "error" if at == 3 else "correct") for at in range(10)]
    suite = a_suite(*results, model=ModelFacts("m3", "x"), categories=("male",))
    write_run(study.parent / "m3.jsonl", a_run(suite))
    assert main(["regress", "study.yaml"]) == 2
    assert '"occupations" of model "m3": 1 of 10 samples were not judged' in capsys.readouterr().err


def test_models_that_judged_themselves_are_noted(study, capsys):
    results = [result(at) for at in range(10)]
    suite = a_suite(
        *results, model=ModelFacts("m3", "x"), categories=("male",), evaluator=None, judges_itself=True
    )
    write_run(study.parent / "m3.jsonl", a_run(suite))
    assert main(["regress", "study.yaml"]) == 0
    assert (
        "gender: models were judged by different evaluators (opus, contrastive-conditioning, by itself)"
        in (capsys.readouterr().out)
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,bleu,y\na,1,2\na,3,4\n", 'models.csv:3: a second model "a"; the first is on line 2'),
        ("name,bleu,y\na,high,2\n", 'models.csv:2: "bleu" must be a number, true or false, not "high"'),
        ("name,bleu,y\na,inf,2\n", 'models.csv:2: "bleu" must be a number'),
        ("name,bleu,y\na,,2\n", 'models.csv:2: model "a" has no "bleu"'),
        ("name,bleu,y\na,1\n", "models.csv:2: 2 fields, but 3 in the header"),
        ("name,bleu,bleu,y\na,1,2,3\n", "models.csv:1: duplicate column in the header"),
        ("model,bleu,y\na,1,2\n", "models.csv:2: no name"),
        ("name,bleu,y\n", "models.csv: has no models"),
        ("name,bleu,y\na,1,2\nb,2,3\n", "y: 2 models are too few to fit 2 coefficients"),
    ],
)
def test_a_mistake_in_a_table_names_its_line(folder, capsys, text, said):
    (folder / "models.csv").write_text(text, encoding="utf-8")
    assert main(["regress", "models.csv", "--outcome", "y", "--on", "bleu"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--on", "bleu"], "a regression needs an outcome"),
        (["--outcome", "bleu", "--on", "bleu"], '"bleu" cannot be explained by itself'),
        (["--outcome", "winomtt", "--on", "bleu"], 'models.csv:1: there is no column "winomtt"; did you mean "winomt"?'),
        (["--outcome", "winomt", "--on", "bleu", "--html", "models.csv/x.html"], "models.csv/x.html: cannot be written"),
    ],
)  # fmt: skip
def test_a_mistake_on_the_command_line_is_reported(table, capsys, arguments, said):
    assert main(["regress", table, *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_study_of_another_kind_is_reported(folder, capsys):
    (folder / "study.txt").write_text("x")
    assert main(["regress", "study.txt"]) == 2
    assert capsys.readouterr().err == "study.txt: a study file ends in .yaml, .csv or .tsv\n"


def the_study_of_the_docs():
    text = (Path(__file__).parents[2] / "docs" / "howto" / "studies.md").read_text(encoding="utf-8")
    return (
        text.partition("```yaml\nstudy: 1")[1].removeprefix("```yaml\n")
        + text.partition("```yaml\nstudy: 1")[2].partition("```")[0]
    )


@pytest.mark.slow
def test_the_study_in_the_docs_runs_as_printed(folder, capsys):
    """Records of all gender suites, as `pytest --mt-record` writes them; models of which more and more is wrong."""
    (folder / "study.yaml").write_text(the_study_of_the_docs(), encoding="utf-8")
    (folder / "newstest19.de").write_text("Das Haus ist alt und groß .\n", encoding="utf-8")
    (folder / "newstest19.teacher.de").write_text("Das Haus ist alt und klein .\n", encoding="utf-8")
    suites = Path(__file__).parents[2] / "suites" / "gender"
    run = mtprobe.run(suites, "demo", take=12)
    assert len(run.suites) > 1
    (folder / "runs").mkdir()
    for spoiled, name in enumerate(("teacher", "student", "small-student", "base", "small")):
        changed = [
            replace(
                suite,
                model=replace(suite.model, name=name),
                results=tuple(
                    replace(one, verdict=replace(one.verdict, outcome=Outcome.INCORRECT))
                    if number % 7 < spoiled and one.verdict.outcome is Outcome.CORRECT
                    else one
                    for number, one in enumerate(suite.results)
                ),
            )
            for suite in run.suites
        ]
        write_run(folder / "runs" / f"{name}.jsonl", replace(run, suites=tuple(changed)))
    assert main(["regress", "study.yaml", "--json"]) == 0, capsys.readouterr().err
    fits = json.loads(capsys.readouterr().out)
    assert [(fit["outcome"], fit["n"]) for fit in fits] == [("gender", 5), ("women", 5)]


def test_an_outcome_may_be_of_a_category_and_by_a_method(study, capsys):
    text = study.read_text(encoding="utf-8")
    two = text.replace("metric: accuracy", "metric: 'accuracy[male]'")
    study.write_text(two, encoding="utf-8")
    assert main(["regress", "study.yaml", "--json"]) == 0
    of_category = json.loads(capsys.readouterr().out)
    for number in range(6):  # a second method judges too, and finds everything wrong
        path = study.parent / f"m{number}.jsonl"
        run = read_run(path)
        wrong = tuple(result(at, "incorrect") for at in range(10))
        write_run(
            path, replace(run, suites=(*run.suites, replace(run.suites[0], method="lexicon", results=wrong)))
        )
    assert main(["regress", "study.yaml"]) == 2
    assert (
        '"occupations" is judged by contrastive-conditioning, lexicon; name one with `method`'
        in capsys.readouterr().err
    )
    study.write_text(two.replace("[male]'", "[male]', method: contrastive-conditioning"), encoding="utf-8")
    assert main(["regress", "study.yaml", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == of_category
    study.write_text(two.replace("[male]'", "[male]@lexikon'"), encoding="utf-8")
    assert main(["regress", "study.yaml"]) == 2
    assert 'not judged by "lexikon"; did you mean "lexicon"?' in capsys.readouterr().err
