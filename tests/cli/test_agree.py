"""mtprobe agree"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from mtprobe.cli import main
from mtprobe.methods.verdict import Outcome
from mtprobe.records import ModelFacts, write_run
from tests.metrics.results import result
from tests.report.factory import MODEL, a_run, a_sample, a_suite
from tests.studies.winomt import as_run, predictions


@pytest.fixture
def record(folder):
    """Four men and four women; the fourth of each is undecided, degenerate or not judged."""
    results = [
        result(1, "correct", category="male", p=0.9),
        result(2, "incorrect", category="male", p=0.4),
        result(3, "correct", category="male", p=0.55),
        result(4, "undecided", category="male"),
        result(5, "correct", category="female", p=0.6),
        result(6, "incorrect", category="female", p=0.2),
        result(7, "degenerate", category="female"),
        result(8, "error", category="female"),
    ]
    write_run(folder / "run.jsonl", a_run(a_suite(*results)))
    return "run.jsonl"


@pytest.fixture
def labels(folder):
    def labels(name, **by_id):
        text = "id\tlabel\n" + "".join(f"{id}\t{label}\n" for id, label in by_id.items())
        (folder / f"{name}.tsv").write_text(text, encoding="utf-8")
        return ["--labels", f"{name}.tsv"]

    return labels


def agree(capsys, *arguments):
    code = main(["agree", *arguments, "--json"])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return json.loads(out)


def test_verdicts_are_matched_with_labels_by_id(record, labels, capsys):
    given = labels("anna", s1="male", s2="male", s3="Male", s5="female", s6="male", nobody="male")
    (found,) = agree(capsys, record, *given)["agreement"]
    assert found["plain"]["value"] == pytest.approx(4 / 5)  # s2: judged as female
    # weights of the whole run: male 3, 2, 1; female 5 is the least sure of three and 6 the second
    assert found["weighted"]["value"] == pytest.approx((3 + 1 + 1 + 2) / (3 + 2 + 1 + 1 + 2))
    assert found["plain"]["n"] == 5
    assert [one["name"] for one in found["classes"]] == ["male", "female"]
    male, female = found["classes"]
    assert (male["precision"]["value"], male["recall"]["value"]) == (1, pytest.approx(3 / 4))
    assert (female["precision"]["value"], female["recall"]["value"]) == (0.5, 1)
    assert found["kappa"]["value"] == pytest.approx((0.8 - 14 / 25) / (1 - 14 / 25))
    assert found["left"] == {
        "labels_without_sample": ["nobody"],
        "samples_without_label": 3,
        "other_translations": 0,
        "skipped_labels": 0,
        "undecided": 0,
        "open": 0,
        "errors": 0,
    }


def test_labels_may_say_right_and_wrong(record, labels, capsys):
    given = labels("anna", s1="correct", s2="incorrect", s6="CORRECT")
    (found,) = agree(capsys, record, *given)["agreement"]
    assert found["plain"]["value"] == pytest.approx(2 / 3)
    assert [one["name"] for one in found["classes"]] == ["correct", "incorrect"]


def test_a_degenerate_output_is_wrong_and_an_unjudged_one_is_excluded(record, labels, capsys):
    given = labels("anna", s4="male", s7="male", s8="female")
    (found,) = agree(capsys, record, *given)["agreement"]
    assert (found["plain"]["value"], found["plain"]["n"]) == (1, 1)
    assert (found["left"]["undecided"], found["left"]["errors"]) == (1, 1)


def test_a_sample_for_which_no_answer_is_right_is_excluded(folder, labels, capsys):
    free = replace(result(2, "open", category="neutral"), choices=("male", "female"))
    empty = replace(result(3, "degenerate", category="neutral"), choices=("male", "female"))
    write_run(folder / "run.jsonl", a_run(a_suite(result(1), free, empty)))
    (found,) = agree(capsys, "run.jsonl", *labels("anna", s1="male", s2="male", s3="male"))["agreement"]
    assert (found["plain"]["n"], found["left"]["open"]) == (1, 2)


@pytest.mark.parametrize(("counts_as", "value"), [("correct", 1), ("incorrect", 0)])
def test_an_undecided_verdict_may_count(record, labels, capsys, counts_as, value):
    (found,) = agree(capsys, record, *labels("anna", s4="male"), "--undecided", counts_as)["agreement"]
    assert (found["plain"]["value"], found["plain"]["n"]) == (value, 1)


def test_other_labels_get_their_meaning_on_the_command_line(record, labels, capsys):
    given = labels("anna", s1="a=b", s2="Too bad", s3="unclear", s5="feminine")
    meanings = ["a=b=correct", "too BAD=incorrect", "unclear=skip", "feminine=female"]
    (found,) = agree(capsys, record, *given, *(part for one in meanings for part in ("--label", one)))[
        "agreement"
    ]
    assert (found["plain"]["value"], found["plain"]["n"]) == (1, 3)
    assert found["left"]["skipped_labels"] == 1


def test_annotators_are_compared_over_what_both_have_seen(labels, capsys):
    anna = labels("anna", a="male", b="female", c="male", d="both")
    ben = labels("ben", a="male", b="male", c="male", e="female", f="female")
    (found,) = agree(capsys, *anna, *ben)["annotators"]
    assert (found["one"], found["other"]) == ("anna", "ben")
    assert (found["plain"]["value"], found["plain"]["n"]) == (pytest.approx(2 / 3), 3)
    assert found["kappa"]["value"] == pytest.approx(0)
    assert (found["only_one"], found["only_other"]) == (1, 2)


def test_shared_keeps_the_samples_that_all_have_seen(record, labels, capsys):
    given = [*labels("anna", s1="male", s2="male"), *labels("ben", s1="female", s3="male")]
    (everything,) = agree(capsys, record, *given)["agreement"]
    (shared,) = agree(capsys, record, *given, "--shared")["agreement"]
    assert (everything["plain"]["n"], shared["plain"]["n"], shared["samples"]) == (4, 2, 1)


def test_the_table_says_what_could_not_be_matched(record, labels, capsys):
    given = labels("anna", s1="male", s4="male", s8="male", x="male", y="male")
    assert main(["agree", record, *given]) == 0
    out = capsys.readouterr().out
    assert "occupations · demo · opus · 1 sample, 1 annotator" in out
    assert "not matched: 2 labelled ids not in the record (x, y)" in out
    assert "not matched: 5 samples of the record without a label" in out
    assert "excluded: 1 label of samples whose verdict is undecided (--undecided)" in out
    assert "excluded: 1 label of samples that were not judged" in out


@pytest.fixture
def judged(folder):
    """Writes records: under each evaluator, models that have this many of ten right."""

    def judged(evaluator, **right):
        suites = [
            a_suite(
                *(result(number, "correct" if number < count else "incorrect") for number in range(10)),
                model=ModelFacts(name, f"file:{name}"),
                evaluator=ModelFacts(evaluator, f"hf:{evaluator}") if evaluator else None,
                judges_itself=evaluator is None,
                categories=("male",),
            )
            for name, count in right.items()
        ]
        path = folder / f"{evaluator}.jsonl"
        write_run(path, a_run(*suites))
        return path.name

    return judged


def test_evaluators_rankings_of_models_are_compared(judged, capsys):
    records = [
        judged("one", a=1, b=2, c=3, d=4),
        judged("two", a=2, b=1, c=5, d=9),
        judged("three", d=1, c=2, b=3),
    ]
    (found,) = agree(capsys, *records, judged(None, a=9), "--metric", "accuracy")["rankings"]
    rho = {(pair["one"], pair["other"]): (pair["rho"]["value"], pair["rho"]["n"]) for pair in found["pairs"]}
    assert rho == {
        ("one", "two"): (pytest.approx(0.8), 4),
        ("one", "three"): (pytest.approx(-1), 3),
        ("two", "three"): (pytest.approx(-1), 3),
    }
    assert found["mean"]["value"] == pytest.approx(-0.4)
    assert found["judged_themselves"] == 1
    assert main(["agree", *records, "--metric", "accuracy"]) == 0
    out = capsys.readouterr().out
    assert "occupations en→pt · 4 models ranked by accuracy" in out
    assert "mean of 3 pairs" in out


def test_suites_that_differ_are_not_ranked_together(judged, folder, capsys):
    one = judged("one", a=1, b=2)
    write_run(folder / "other.jsonl", a_run(a_suite(digest="another", evaluator=ModelFacts("two", "x"))))
    assert main(["agree", one, "other.jsonl"]) == 2
    assert capsys.readouterr().err.startswith("nothing to compare: give a record and labels")


@pytest.mark.usefixtures("record")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "nothing to compare"),
        (["run.jsonl"], "nothing to compare"),
        (["run.jsonl", "--labels", "anna.tsv", "--suite", "ocupations"], 'no suite "ocupations"; did you mean "occupations"?'),
        (["run.jsonl", "--labels", "anna.tsv", "--metric", "acuracy"], 'no metric "acuracy"; did you mean "accuracy"?'),
        (["run.jsonl", "--labels", "anna.tsv"], 'anna.tsv:3: label "odd" is not one of correct, incorrect, male, female; give it a meaning, for example --label "odd=skip"'),
        (["run.jsonl", "--labels", "anna.tsv", "--label", "odd=mail"], '--label "odd=mail": there is no meaning "mail"; did you mean "male"?'),
        (["run.jsonl", "--labels", "anna.tsv", "--label", "odd"], 'write LABEL=MEANING'),
        (["run.jsonl", "--labels", "anna.tsv", "--id-key", "label"], 'no label has the id of a sample: a label\'s id is "male", a sample\'s "s1"'),
        (["run.jsonl", "--labels", "anna.tsv", "--labels", "anna.tsv"], 'anna.tsv:2: a second label by "anna" for "s1"; the first is at anna.tsv:2'),
        (["none.jsonl"], "none.jsonl: cannot be read"),
    ],
)  # fmt: skip
def test_a_mistake_is_reported(labels, capsys, arguments, said):
    labels("anna", s1="male", s2="odd")
    assert main(["agree", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err


def test_one_model_twice_under_one_evaluator_is_reported(judged, capsys):
    one = judged("one", a=1, b=2)
    assert main(["agree", one, one, judged("two", a=1, b=2), "--metric", "accuracy"]) == 2
    assert 'model "a" was judged by "one" in two of the records' in capsys.readouterr().err


def test_two_evaluators_of_one_name_are_distinguished(folder, capsys):
    one = a_run(*[replace(a_suite(result(0)), model=ModelFacts(name, name)) for name in "ab"])
    write_run(folder / "one.jsonl", one)
    other = [replace(suite, evaluator=ModelFacts("opus", "hf:other")) for suite in one.suites]
    write_run(folder / "other.jsonl", a_run(*other))
    (found,) = agree(capsys, "one.jsonl", "other.jsonl", "--metric", "accuracy")["rankings"]
    assert found["judges"] == ["opus [hf:77aa]", "opus [hf:other]"]
    assert found["pairs"][0]["rho"]["value"] is None  # both models are equally good


def test_the_published_agreement_of_pattern_matching_with_humans(folder, shared_data, capsys):
    """Vamvas and Sennrich (2021), table 2 and their published evaluation: WinoMT, English–German."""
    data = shared_data / "winomt"
    write_run(folder / "aws.jsonl", as_run(predictions(data, "aws")))
    humans = [data / "human" / f"en-de.annotator{number}.jsonl" for number in (1, 2)]
    found = agree(
        capsys, "aws.jsonl", *(part for path in humans for part in ("--labels", str(path))), "--id-key", "Index",
        "--shared", "--undecided", "correct",
        "--label", "Both / Neutral / Ambiguous=correct", "--label", "Translation too bad to tell=incorrect",
    )  # fmt: skip
    (with_humans,), (annotators,) = found["agreement"], found["annotators"]
    assert (with_humans["plain"]["value"], with_humans["plain"]["n"]) == (0.8625, 400)
    assert with_humans["weighted"] is None
    rounded = {
        one["name"]: (round(one["precision"]["value"], 3), round(one["recall"]["value"], 3))
        for one in with_humans["classes"]
    }
    assert rounded == {"male": (0.962, 0.863), "female": (0.607, 0.861)}
    assert (round(annotators["kappa"]["value"], 4), annotators["kappa"]["n"]) == (0.9525, 200)
    binary = annotators["binary_kappa"]  # table A3: 0.95 for the raw labels, and 0.95 for the binarised ones
    assert (round(binary["value"], 4), binary["n"]) == (0.9527, 200)
    assert annotators["only_other"] == 20


def test_annotators_are_compared_by_what_their_labels_mean_too(record, labels, capsys):
    """By words they agree on one of four; by meaning on all that neither skips."""
    anna = labels("anna", s1="male", s2="neutral", s5="odd", s6="female", x="neutral")
    ben = labels("ben", s1="male", s2="male", s5="female", s6="both", x="correct")
    given = [*anna, *ben, "--label", "neutral=correct", "--label", "both=correct", "--label", "odd=skip"]
    (pair,) = agree(capsys, record, *given)["annotators"]
    assert (pair["plain"]["value"], pair["plain"]["n"]) == (1 / 5, 5)
    assert (pair["binary"]["value"], pair["binary"]["n"]) == (1.0, 4)
    (alone,) = agree(capsys, *anna, *ben)["annotators"]
    assert alone["binary"] is alone["binary_kappa"] is None


def test_models_are_ranked_by_any_figure_of_a_gate(judged, capsys):
    one, two = judged("one", a=1, b=2, c=3), judged("two", a=1, b=2, c=3)
    for metric in ("accuracy[male]", "accuracy@contrastive-conditioning"):
        (found,) = agree(capsys, one, two, "--metric", metric)["rankings"]
        assert found["metric"] == metric
        assert found["pairs"][0]["rho"]["value"] == 1.0
    for arguments, said in (
        (
            ["--metric", "accuracy[mael]"],
            'has no accuracy[mael]: there is no category "mael"; did you mean "male"?',
        ),
        (["--metric", "gap[a"], '--metric: there is no metric "gap[a"'),
        (["--metric", "minimum_accuracy[male]"], "minimum_accuracy is of the whole suite and has no [male]"),
        (
            ["--method", "lexicon"],
            '--method: no suite was judged by "lexicon"; available: contrastive-conditioning',
        ),
    ):
        assert main(["agree", one, two, "--metric", "accuracy", *arguments]) == 2
        assert said in capsys.readouterr().err


METHODS = ("gender-morphology", "lexicon")


def two_methods(tmp_path, *, fingerprints=("demo", "demo")):
    """On ten samples: the second decides one of them otherwise, and leaves one undecided."""
    outcomes = ([Outcome.CORRECT] * 10, [Outcome.INCORRECT, Outcome.UNDECIDED, *[Outcome.CORRECT] * 8])
    suites = [
        a_suite(
            *(a_sample(f"s{number}", outcome) for number, outcome in enumerate(judged)),
            method=method,
            model=replace(MODEL, fingerprint=fingerprint),
        )
        for method, judged, fingerprint in zip(METHODS, outcomes, fingerprints, strict=True)
    ]
    for suite in suites:
        write_run(tmp_path / f"{suite.method}.jsonl", a_run(suite))
    write_run(tmp_path / "both.jsonl", a_run(*suites))
    return [str(tmp_path / f"{name}.jsonl") for name in ("both", *METHODS)]


def test_two_methods_that_judged_the_same_translations_are_compared(tmp_path, capsys):
    both, *alone = two_methods(tmp_path)
    for records in ([both], alone):
        assert main(["agree", *records]) == 0
        text = capsys.readouterr().out
        assert "occupations en→pt · demo: gender-morphology and lexicon" in text
        assert [line.split()[1] for line in text.splitlines() if "agreement" in line] == ["0.889"]
        assert "1 sample: correct by gender-morphology, incorrect by lexicon" in text
        assert "1 sample: correct by gender-morphology, undecided by lexicon" in text
    assert main(["agree", both, "--json"]) == 0
    [pair] = json.loads(capsys.readouterr().out)["methods"]
    assert (pair["methods"], pair["agreement"]["n"]) == (list(METHODS), 9)


def test_methods_on_translations_of_different_models_are_not_compared(tmp_path, capsys):
    _, *alone = two_methods(tmp_path, fingerprints=("demo:1", "demo:2"))
    assert main(["agree", *alone]) == 2
    assert "nothing to compare" in capsys.readouterr().err
