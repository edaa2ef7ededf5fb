"""Several methods make one verdict: the first that decides counts, and all are heard on a fixed set of samples."""

from __future__ import annotations

from dataclasses import replace

import pytest

import mtprobe
from mtprobe.backends.protocols import LanguagePair
from mtprobe.errors import SuiteError
from mtprobe.methods import METHODS, Ask, Evidence, Method, Outcome, Verdict, check_evidence, method_named
from mtprobe.methods.first_decided import ALSO_ASKED, FirstDecided
from mtprobe.methods.method import Translated
from mtprobe.suites import load_suite

SUITE = """\
mtprobe: 1
name: people
about: Is the gender kept?
languages: {source: en, targets: any}
methods: [gender-morphology, contrastive-conditioning]
combine: first-decided
categories: [male, female]
cues:
  male:   {correct: man,   incorrect: woman}
  female: {correct: woman, incorrect: man}
gates: {accuracy: ">= 0.5"}
generate:
  - id: late
    source: "The <{person}> said that {pronoun} was late."
    slots:
      person: [nurse, artist, dentist]
      pronoun: {she: {category: female}, he: {category: male}}
"""
# "A dentista", "O artista" show a gender by their articles; "Artista" alone does not.
PORTUGUESE = {
    "nurse": "A enfermeira disse que estava atrasada.",
    "artist": "Artista disse que era tarde.",
    "dentist": "O dentista disse que era tarde.",
}


class Fixed(Method):
    """Says of every sample what its table says; counts what it is asked."""

    def __init__(self, name, outcomes, *, scored_by=None):
        self.name, self.outcomes, self.scored_by = name, outcomes, scored_by
        self.asked = []

    def lacks(self, sample, target=None):  # noqa: ARG002
        return None if sample.id in self.outcomes else "has nothing to say"

    def judge(self, samples, ask):  # noqa: ARG002
        self.asked += [sample.id for sample, _ in samples]
        return [
            Verdict(self.outcomes[sample.id], f"{self.name} says so", evidence=(Evidence("x", self.name),))
            for sample, _ in samples
        ]


class Toy:
    """Translates the sentences above, and scores a translation by the word before the person."""

    languages = LanguagePair("en", "pt")
    fingerprint = "toy"

    def __init__(self):
        self.scored = []

    def translate(self, sources):
        return [self.translation(source) for source in sources]

    def translation(self, source):
        text = next(text for word, text in PORTUGUESE.items() if word in source)
        return text.replace(
            " disse", "".join(f" {word}" for word in source.split() if word.isdigit()) + " disse"
        )

    def score(self, pairs):
        self.scored += pairs
        return [(-0.5 if " woman " in f" {source} " else -1.0,) for source, _ in pairs]


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "people.mt.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return load_suite(path)


def verdicts(method, suite, ask=None):
    ask = ask or Ask(suite, LanguagePair("en", "pt"), lambda _: {})
    return dict(
        zip(
            (sample.id for sample in suite.samples),
            method.judge([Translated(sample, "…") for sample in suite.samples], ask),
            strict=True,
        )
    )


def outcomes(suite, outcome, **others):
    return {sample.id: others.get(sample.category, outcome) for sample in suite.samples}


def test_the_first_method_that_decides_gives_the_verdict(suite):
    first = Fixed("first", outcomes(suite, Outcome.CORRECT, male=Outcome.UNDECIDED))
    second = Fixed("second", outcomes(suite, Outcome.INCORRECT))
    for id, verdict in verdicts(FirstDecided([first, second]), suite).items():
        if id.endswith("/she"):
            assert (verdict.outcome, verdict.by) == (Outcome.CORRECT, "first")
            assert verdict.opinions == {"first": Outcome.CORRECT}
        else:
            assert (verdict.outcome, verdict.by) == (Outcome.INCORRECT, "second")
            assert verdict.opinions == {"first": Outcome.UNDECIDED, "second": Outcome.INCORRECT}
            assert verdict.evidence == (Evidence("x", "second"),)
    assert all(id.endswith("/he") for id in second.asked)


def test_a_sample_that_a_method_cannot_judge_goes_to_the_next(suite):
    first = Fixed("first", {})
    second = Fixed("second", outcomes(suite, Outcome.CORRECT))
    combined = FirstDecided([first, second])
    assert all(not combined.lacks(sample) for sample in suite.samples)
    assert {verdict.by for verdict in verdicts(combined, suite).values()} == {"second"}
    assert first.asked == []
    assert "first has nothing to say; third has nothing to say" in str(
        FirstDecided([first, Fixed("third", {})]).lacks(suite.samples[0])
    )


def test_a_translation_without_a_gender_is_not_given_to_the_evaluator(suite):
    class Neutral(Fixed):
        def judge(self, samples, ask):
            return [replace(verdict, reading="neutral") for verdict in super().judge(samples, ask)]

    first, second = (
        Neutral("first", outcomes(suite, Outcome.UNDECIDED)),
        Fixed("second", outcomes(suite, Outcome.CORRECT)),
    )
    for verdict in verdicts(FirstDecided([first, second]), suite).values():
        assert (verdict.outcome, verdict.by, verdict.reason) == (Outcome.UNDECIDED, "first", "first says so")
    assert second.asked == []


def test_where_nobody_decides_the_verdict_has_all_reasons(suite):
    first = Fixed("first", outcomes(suite, Outcome.UNDECIDED))
    second = Fixed("second", outcomes(suite, Outcome.UNDECIDED, female=Outcome.ERROR))
    for id, verdict in verdicts(FirstDecided([first, second]), suite).items():
        assert verdict.outcome is (Outcome.ERROR if id.endswith("/she") else Outcome.UNDECIDED)
        assert verdict.reason == "first: first says so; second: second says so"
        assert [item.text for item in verdict.evidence] == ["first", "second"]
        assert verdict.by == ""


def test_an_error_of_one_method_leaves_the_decision_to_the_next(suite):
    first = Fixed("first", outcomes(suite, Outcome.ERROR))
    second = Fixed("second", outcomes(suite, Outcome.CORRECT))
    for verdict in verdicts(FirstDecided([first, second]), suite).values():
        assert (verdict.outcome, verdict.by) == (Outcome.CORRECT, "second")
        assert verdict.opinions["first"] is Outcome.ERROR


def test_only_methods_that_an_evaluator_scores_get_its_scores(suite):
    seen = {}

    class Curious(Fixed):
        def judge(self, samples, ask):
            seen[self.name] = ask.scores(["pair"])
            return super().judge(samples, ask)

    methods = [
        Curious("first", outcomes(suite, Outcome.UNDECIDED)),
        Curious("second", outcomes(suite, Outcome.CORRECT), scored_by="evaluator"),
    ]
    ask = Ask(suite, LanguagePair("en", "pt"), lambda pairs: dict.fromkeys(pairs, (-1.0,)))
    verdicts(FirstDecided(methods), suite, ask)
    assert seen == {"first": {}, "second": {"pair": (-1.0,)}}


def test_grammar_decides_where_it_can_and_the_evaluator_the_rest(suite):
    toy = Toy()
    (run,) = mtprobe.run(suite.path, toy).suites
    assert run.method == "gender-morphology, contrastive-conditioning"
    grammar, evaluator = run.procedure.removeprefix("first-decided: ").split("; ")
    assert grammar.startswith(f"gender-morphology {METHODS['gender-morphology'].version}, rules grammar pt ")
    assert evaluator == f"contrastive-conditioning {METHODS['contrastive-conditioning'].version}"
    assert run.judges_itself
    assert run.details == "gender-morphology: alignment ibm1"
    by = {result.id: result.verdict.by for result in run.results}
    assert by == {
        result.id: "contrastive-conditioning" if "artist" in result.id else "gender-morphology"
        for result in run.results
    }
    note = "decided by gender-morphology 4; by contrastive-conditioning 2 of 6 samples"
    assert note in run.notes
    right = {result.id for result in run.results if result.verdict.outcome is Outcome.CORRECT}
    assert right == {"late/nurse/she", "late/artist/she", "late/dentist/he"}
    # The suite is small: the evaluator is asked about all samples, and its opinion is kept.
    assert all(len(result.verdict.opinions) == 2 for result in run.results)


def test_further_opinions_are_asked_about_the_same_few_samples_each_time(tmp_path):
    path = tmp_path / "many.mt.yaml"
    people = ", ".join(f"nurse {number}" for number in range(150))
    path.write_text(SUITE.replace("nurse, artist, dentist", people), encoding="utf-8")
    toy = Toy()
    (run,) = mtprobe.run(path, toy, counterfactuals=0).suites
    assert {result.verdict.by for result in run.results} == {"gender-morphology"}
    heard = {result.id for result in run.results if len(result.verdict.opinions) == 2}
    assert len(heard) == ALSO_ASKED
    assert len(toy.scored) == 2 * ALSO_ASKED
    (part,) = mtprobe.run(path, Toy(), take=250).suites
    assert {result.id for result in part.results if len(result.verdict.opinions) == 2} == heard


def test_where_only_one_of_the_methods_can_judge_it_judges_alone(suite):
    class Silent(Toy):
        score = None

    (run,) = mtprobe.run(suite.path, Silent()).suites
    assert run.method == "gender-morphology"
    assert all(not result.verdict.opinions for result in run.results)
    assert any("contrastive-conditioning was skipped" in note for note in run.notes)

    class Finnish(Toy):
        languages = LanguagePair("en", "fi")

    (run,) = mtprobe.run(suite.path, Finnish()).suites
    assert run.method == "contrastive-conditioning"


def test_one_method_of_a_combination_can_be_asked_for_alone(suite):
    (run,) = mtprobe.run(suite.path, Toy(), method="contrastive-conditioning").suites
    assert run.method == "contrastive-conditioning"
    assert all(result.verdict.by == "" for result in run.results)


def test_a_recorded_combination_is_found_by_its_name():
    combined = method_named("lexicon, contrastive-conditioning")
    assert isinstance(combined, FirstDecided)
    assert combined.scored_by == "evaluator"
    assert combined.reads_senses
    assert not combined.is_witness
    assert method_named("lexicon") is METHODS["lexicon"]
    assert method_named("lexicon, unheard-of") is None
    assert [name for name in METHODS if METHODS[name].is_witness] == ["lexicon", "gender-morphology"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "methods: [gender-morphology, contrastive-conditioning]",
            "method: gender-morphology",
            "combine: needs at least two `methods`",
        ),
        ("first-decided", "majority", "combine"),
        (
            'accuracy: ">= 0.5"',
            'accuracy@gender-morphology: ">= 0.5"',
            "the suite combines its methods: write it without @gender-morphology",
        ),
        (
            "gender-morphology, contrastive",
            "minimal-pairs, contrastive",
            "combine: minimal-pairs judges given targets",
        ),
    ],
)
def test_mistakes_name_what_would_be_right(tmp_path, old, new, message):
    path = tmp_path / "wrong.mt.yaml"
    path.write_text(SUITE.replace(old, new), encoding="utf-8")
    with pytest.raises(SuiteError) as raised:
        mtprobe.run(path, Toy())
    assert message in str(raised.value)
    assert "wrong.mt.yaml:" in str(raised.value)


def test_the_record_keeps_who_decided(suite, tmp_path):
    path = tmp_path / "run.jsonl"
    run = mtprobe.run(suite.path, Toy(), record=path)
    read = mtprobe.read_run(path)
    assert read.suites[0].results == run.suites[0].results
    assert read.suites[0].procedure == run.suites[0].procedure
    assert {row["decided_by"] for row in read.to_rows()} == {"gender-morphology", "contrastive-conditioning"}


def test_a_combination_needs_evidence_for_each_of_its_methods(suite):
    check_evidence(suite)
    with pytest.raises(SuiteError, match="contrastive-conditioning: every sample needs `cues`"):
        check_evidence(replace(suite, samples=tuple(replace(one, cues=None) for one in suite.samples)))


def test_an_undecided_verdict_keeps_what_was_compared(suite, monkeypatch):
    undecided = {sample.id: Outcome.UNDECIDED for sample in suite.samples}
    grammar, evaluator = Fixed("grammar", undecided), Fixed("evaluator", undecided, scored_by="evaluator")
    withheld = Verdict(Outcome.UNDECIDED, "noise", compared=((0, 7),), margin=0.1)
    monkeypatch.setattr(evaluator, "judge", lambda samples, _: [withheld] * len(samples))
    for verdict in verdicts(FirstDecided([grammar, evaluator]), suite).values():
        assert (verdict.outcome, verdict.compared, verdict.margin) == ("undecided", ((0, 7),), 0.1)
