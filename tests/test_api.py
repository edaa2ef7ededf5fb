"""The pipeline from Python"""

from __future__ import annotations

import pytest

import mtprobe
import mtprobe.progress
from mtprobe.backends.protocols import LanguagePair

SUITE = """\
mtprobe: 1
name: greetings
about: Is the world greeted?
languages: {source: en, targets: [pt]}
method: contrastive-conditioning
categories: [male, female]
cues:
  male: {correct: man, incorrect: woman}
  female: {correct: woman, incorrect: man}
gates: {minimum_accuracy: ">= 0.50"}
samples:
  - {id: a, source: "The <doctor> sold her old house.", category: female}
  - {id: b, source: "The <doctor> sold his old house.", category: male}
"""


class Model:
    """A backend and scorer that anybody could write: no base class is needed."""

    languages = LanguagePair("en", "pt")
    fingerprint = "model of this test"

    def translate(self, sources):
        return [
            f"{'A médica' if ' her ' in source else 'O médico'} vendeu a casa antiga." for source in sources
        ]

    def score(self, pairs):
        return [
            (-0.1 if (" woman " in source) == target.startswith("A ") else -2.0,) for source, target in pairs
        ]


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "suites" / "greetings.mt.yaml"
    path.parent.mkdir()
    path.write_text(SUITE, encoding="utf-8")
    return path


def test_a_suite_runs_on_an_object_of_ones_own(suite):
    run = mtprobe.run(suite, Model())
    assert run.passed
    assert [row["outcome"] for row in run.to_rows()] == ["correct", "correct"]
    assert run.suites[0].judges_itself


def test_a_folder_of_suites_is_searched(suite):
    assert len(mtprobe.run(suite.parent, Model()).suites) == 1


def test_the_number_format_may_be_chosen(suite):
    facts = [
        mtprobe.run(suite, "demo", device="cpu", dtype=dtype).suites[0].model for dtype in ("fp32", "int8")
    ]
    assert [one.dtype for one in facts] == ["fp32", "int8"]
    assert facts[0].fingerprint != facts[1].fingerprint
    with pytest.raises(mtprobe.MtprobeError, match="dtype: int4 is not fp32, fp16 or int8"):
        mtprobe.run(suite, "demo", dtype="int4")


def test_record_and_store_are_kept_only_when_asked_for(suite, tmp_path):
    mtprobe.run(suite, Model(), record=tmp_path / "run.jsonl", store=tmp_path / "store.sqlite")
    assert mtprobe.read_run(tmp_path / "run.jsonl").passed
    assert (tmp_path / "store.sqlite").exists()


def test_a_model_that_fits_no_suite_is_an_error(suite):
    class Other(Model):
        languages = LanguagePair("en", "de")

    with pytest.raises(mtprobe.MtprobeError, match="no suite fits"):
        mtprobe.run(suite, Other())


def test_a_broken_suite_is_a_suite_error(suite):
    suite.write_text(SUITE.replace("category: male", "category: mail"))
    with pytest.raises(mtprobe.SuiteError, match='did you mean "male"'):
        mtprobe.run(suite, Model())


def test_a_part_is_marked_as_partial(suite):
    run = mtprobe.run(suite, Model(), take=1)
    assert run.partial
    assert len(run.to_rows()) == 1


def test_a_suite_whose_data_is_not_here_is_left_out_and_alone_is_an_error(tmp_path):
    missing = tmp_path / "missing.mt.yaml"
    missing.write_text(
        "mtprobe: 1\nname: missing\nabout: Is it here?\nlanguages: {source: en}\nmethod: contrastive-conditioning\n"
        "gates: {accuracy: '>= 0.5'}\ndata: {file: nowhere.jsonl, missing: skip}\n"
    )
    with pytest.raises(mtprobe.MtprobeError, match=r'there is no file "nowhere\.jsonl"'):
        mtprobe.run(missing, Model())
    (tmp_path / "greetings.mt.yaml").write_text(SUITE, encoding="utf-8")
    assert [suite.suite for suite in mtprobe.run(tmp_path, Model()).suites] == ["greetings"]


PAIRS = """\
audit:
  LANGUAGE:
    - {source: The <doctor> left., targets: {male: O médico saiu., female: A médica saiu.}}
    - {source: The <writer> left., targets: {male: O escritor saiu., female: A escritora saiu.}}
"""


def test_the_run_holds_the_audit_of_its_evaluator(suite):
    suite.write_text(SUITE + PAIRS.replace("LANGUAGE", "pt"), encoding="utf-8")
    (done,) = mtprobe.run(suite, Model()).suites
    assert (done.audit.fitness, done.audit.accuracy.value, done.audit.accuracy.n) == ("fit", 1.0, 4)


def test_calibrating_for_a_language_without_pairs_is_an_error_at_its_place(suite):
    suite.write_text(SUITE + PAIRS.replace("LANGUAGE", "pt-PT") + "calibrate: true\n", encoding="utf-8")
    brazilian = Model()
    brazilian.languages = LanguagePair("en", "pt-BR")
    with pytest.raises(mtprobe.MtprobeError) as raised:
        mtprobe.run(suite, brazilian)
    assert str(raised.value) == (
        f"{suite}: the suite calibrates its evaluator but has no audit pairs for pt-BR"
    )


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"take": -3}, "take: -3 is not a number of samples"),
        ({"take": True}, "take: True is not a number of samples"),
        ({"salience": "many"}, "salience: many is not a number of samples"),
        ({"budget": float("nan")}, "budget: nan is not an amount of US dollars"),
        ({"dtype": "int4"}, "dtype: int4 is not fp32, fp16 or int8"),
        ({"target": "Portuguese"}, 'target: "Portuguese" is not a language tag'),
        ({"method": "guessing"}, 'method: unknown method "guessing"; available: contrastive-conditioning'),
        ({"lemmatizer": "simplema"}, 'lemmatizer: there is no lemmatizer "simplema"; did you mean "simplemma"?'),
        ({"executor": "rai"}, 'executor: there is no executor "rai"'),
        ({"targt": "pt"}, 'targt: unknown setting; did you mean "target"?'),
        ({"overrides": ["gap"]}, "set: cannot read 'gap'"),
        ({"overrides": {"greeting:gap": "<= 1"}}, 'set: there is no suite "greeting"; did you mean "greetings"?'),
    ],
)  # fmt: skip
def test_settings_are_checked_as_pytest_checks_its_options(suite, settings, said):
    with pytest.raises(mtprobe.MtprobeError) as error:
        mtprobe.run(suite, Model(), **settings)
    assert str(error.value).startswith(said)
    assert "--mt-" not in str(error.value)


def test_a_bound_may_be_overridden(suite):
    run = mtprobe.run(suite, Model(), overrides={"greetings:minimum_accuracy": "> 1"})
    (gate,) = run.suites[0].gates
    assert (gate.bound, gate.decision) == ("> 1.00", "failed")


def test_the_old_spelling_of_the_lemmatizer_still_works(suite):
    assert mtprobe.run(suite, Model(), lemmatiser="surface").passed


def test_an_opened_model_can_be_run(suite):
    model = mtprobe.open_model("demo")
    run = mtprobe.run(suite, model)
    assert run.suites[0].model.name == "demo"
    assert run.suites[0].model.fingerprint == model.fingerprint


def test_what_a_message_asks_for_is_no_option_of_pytest(suite, tmp_path):
    (tmp_path / "sources.txt").write_text("a\tb\n", encoding="utf-8")
    with pytest.raises(mtprobe.ModelError) as error:
        mtprobe.run(suite, f"file:{tmp_path / 'sources.txt'}")
    assert "`target`" in str(error.value)
    with pytest.raises(mtprobe.ModelError) as error:
        mtprobe.run(suite, f"file:{tmp_path / 'sources.txt'}", target="pt")
    assert "set `evaluator`" in str(error.value)


def test_paths_may_be_text(suite, tmp_path):
    loaded = mtprobe.load_suite(str(suite), data_root=str(tmp_path))
    assert [sample.id for sample in loaded.samples] == ["a", "b"]
    mtprobe.run(str(suite), Model(), record=str(tmp_path / "run.jsonl"))
    assert mtprobe.read_run(str(tmp_path / "run.jsonl")).passed


def test_two_runs_are_compared_by_themselves_or_by_their_records(suite, tmp_path):
    record = tmp_path / "run.jsonl"
    run = mtprobe.run(suite, Model(), record=record)
    for first, second in ((run, run), (record, str(record)), (run, record)):
        compared = mtprobe.compare_runs(first, second)
        assert compared.n == 2
        assert repr(compared).startswith("<Comparison: ")
        assert repr(compared).endswith(f"regressed 0, fixed 0; n {compared.n}>")
    with pytest.raises(mtprobe.MtprobeError, match=r"none\.jsonl: cannot be read"):
        mtprobe.compare_runs(record, "none.jsonl")


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_a_run_that_ends_in_the_middle_leaves_the_last_record_alone(suite, tmp_path, error):
    second = SUITE.replace("name: greetings", "name: second").replace("old house", "new house")
    (suite.parent / "second.mt.yaml").write_text(second, encoding="utf-8")
    record = tmp_path / "run.jsonl"
    mtprobe.run(suite.parent, Model(), record=record)
    before = record.read_bytes()

    class Progress(mtprobe.progress.Silent):
        """Raises when the second suite is about to be translated."""

        started = 0

        def start(self, stage, _total):
            self.started += stage == "translating"
            if self.started == 2:
                raise error("enough")

    with pytest.raises(error):
        mtprobe.run(suite.parent, Model(), record=record, progress=Progress())
    assert record.read_bytes() == before
    with pytest.raises(error):
        mtprobe.run(suite.parent, Model(), record=tmp_path / "other.jsonl", progress=Progress())
    assert not (tmp_path / "other.jsonl").exists()


class Translating:
    fingerprint = "mine"
    languages = ("en", "pt")

    def translate(self, sources):
        return ["" for _ in sources]


class Nameless(Model):
    fingerprint = None


@pytest.mark.parametrize(
    "model, said",
    [
        (5, "the model is neither a spec nor an object with a method `translate` or `score`, but a int"),
        (len, "the model is neither a spec nor an object with a method"),
        (Translating(), r"Translating: `languages` is \('en', 'pt'\); a model needs a LanguagePair"),
        (Nameless(), "Nameless has no `fingerprint`"),
    ],
)
def test_what_is_no_model_is_named(suite, model, said):
    with pytest.raises(mtprobe.ModelError, match=said):
        mtprobe.run(suite, model)


@pytest.mark.parametrize("evaluator", [5, 0, Translating()])
def test_what_is_no_evaluator_is_named(suite, evaluator):
    with pytest.raises(
        mtprobe.ModelError, match="the evaluator is neither a spec nor an object with a method `score`"
    ):
        mtprobe.run(suite, Model(), evaluator=evaluator)


def test_csv_goes_to_standard_output(suite, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    mtprobe.run(suite, Model()).to_csv("-")
    assert capsys.readouterr().out.startswith("model,suite,")
    assert not (tmp_path / "-").exists()
