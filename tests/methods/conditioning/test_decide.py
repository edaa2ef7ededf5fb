"""decide: {margin: …}: a sample whose margin is within the noise is undecided"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mtprobe
from mtprobe.backends.model import Model as OpenedModel
from mtprobe.backends.protocols import LanguagePair
from mtprobe.methods.conditioning.noise import noise_samples, quantile
from mtprobe.methods.verdict import Outcome
from mtprobe.progress import Silent
from mtprobe.rescoring import Options, rescore
from mtprobe.suites import load_suite

HEAD = """\
mtprobe: 1
name: pronouns
about: Does the translation keep the gender?
languages: {{source: {source}, targets: pt}}
method: contrastive-conditioning
categories: [male, female, neutral]
decide: {decide}
cues:
  male:   {{correct: {man},   incorrect: {woman}}}
  female: {{correct: {woman}, incorrect: {man}}}
  neutral: {{male: {man}, female: {woman}}}
gates:
  minimum_accuracy: ">= 0.5"
  chosen[male]: "<= 0.9"
samples:
"""
SAMPLE = '  - {{id: s{number}, source: "The <{noun}> number {number} sold {form} old house.", category: {category}}}\n'
FORMS = {"male": "his", "female": "her", "neutral": "the"}


def text(
    n: int = 30, decide: str = "{margin: auto}", cues: tuple[str, str] = ("man", "woman"), source="en"
) -> str:
    man, woman = cues
    lines = [
        SAMPLE.format(number=number, noun="doctor", form=FORMS[category], category=category)
        for number in range(n)
        for category in [list(FORMS)[number % 3]]
    ]
    return HEAD.format(decide=decide, man=man, woman=woman, source=source) + "".join(lines)


def noise(text: str) -> float:
    """0 to 1, by hash."""
    return hashlib.blake2b(text.encode(), digest_size=1).digest()[0] / 255


class Model:
    """Translates rightly, and scores a fitting cue higher by `effect`; every word adds noise of its own."""

    languages = LanguagePair("en", "pt")

    def __init__(self, effect: float, spread: float = 0.1, fail: str = "\0") -> None:
        self.effect, self.spread, self.fail = effect, spread, fail
        self.asked: list[tuple[str, str]] = []
        self.fingerprint = f"noisy {effect} {spread} {fail}"

    def translate(self, sources):
        return [
            f"{'A médica' if ' her ' in source else 'O médico'} número {source.split()[3]} vendeu a casa antiga ontem."
            for source in sources
        ]

    def score(self, pairs):
        self.asked += pairs
        return [
            mtprobe.Failure("no luck")
            if self.fail in source
            else (-1 - self.spread * noise(source + target) + self.effect * self.fits(source, target),)
            for source, target in pairs
        ]

    @staticmethod
    def fits(source: str, target: str) -> bool:
        female = any(word in source for word in ("woman", "lady", "girl"))
        male = any(word in source for word in (" man", "gentleman", "boy"))
        return female if target.startswith("A ") else male


@pytest.fixture
def write(tmp_path):
    def write(content: str, name: str = "pronouns.mt.yaml") -> Path:
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return write


def verdicts(run):
    return {result.id: result.verdict for result in run.suites[0].results}


def outcomes(run):
    return [verdict.outcome for verdict in verdicts(run).values()]


def test_margins_that_exceed_the_noise_decide(write):
    run = mtprobe.run(write(text()), Model(effect=1.0))
    assert set(outcomes(run)) == {Outcome.CORRECT, Outcome.OPEN}
    (floor,) = run.suites[0].noise
    assert floor.source == "placebos"
    assert floor.samples == 20
    assert 0 < floor.margin < 0.1
    assert (
        run.suites[0].details
        == f"noise floor {floor.margin:.4f} nats per token (placebo words on 20 samples)"
    )
    assert run.suites[0].procedure.endswith("margin auto")


def test_margins_within_the_noise_do_not(write):
    run = mtprobe.run(write(text()), Model(effect=0.0))
    suite = run.suites[0]
    (floor,) = suite.noise
    for verdict in verdicts(run).values():
        assert verdict.margin is None or (abs(verdict.margin) > floor.margin) == (
            verdict.outcome is not Outcome.UNDECIDED
        )
    undecided = [verdict for verdict in verdicts(run).values() if verdict.outcome is Outcome.UNDECIDED]
    assert undecided
    assert all(verdict.withheld and verdict.choice is None for verdict in undecided)
    assert undecided[0].reason == "the two sides differ by less than the difference caused by a placebo word"


def test_a_scorer_that_knows_nothing_passes_nothing(write):
    run = mtprobe.run(write(text()), Model(effect=0.0, spread=0.0))
    assert set(outcomes(run)) == {Outcome.UNDECIDED}
    assert not any(gate.decision.value == "passed" for gate in run.suites[0].gates)


def test_a_number_is_the_floor_itself(write):
    run = mtprobe.run(write(text(decide="{margin: 0.5}")), Model(effect=1.0))
    assert set(outcomes(run)) == {Outcome.CORRECT, Outcome.OPEN}
    run = mtprobe.run(write(text(decide="{margin: 1.2}")), Model(effect=1.0))
    assert set(outcomes(run)) == {Outcome.UNDECIDED}
    assert run.suites[0].procedure.endswith("margin 1.2")


def test_without_it_every_margin_decides(write):
    run = mtprobe.run(write(text().replace("decide: {margin: auto}\n", "")), Model(effect=0.0))
    assert Outcome.UNDECIDED not in outcomes(run)
    assert run.suites[0].noise == ()


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.randoms(use_true_random=False), st.integers(1, 40))
def test_verdicts_depend_neither_on_order_nor_on_take(write, random, take):
    model = Model(effect=0.05)
    complete = verdicts(mtprobe.run(write(text(80)), model))
    head, _, samples = text(80).partition("samples:\n")
    lines = samples.splitlines(keepends=True)
    random.shuffle(lines)
    shuffled = write(head + "samples:\n" + "".join(lines), "shuffled.mt.yaml")
    assert verdicts(mtprobe.run(shuffled, model)) == complete
    taken = verdicts(mtprobe.run(shuffled, model, take=take))
    assert len(taken) == take
    assert taken == {name: complete[name] for name in taken}


def test_translations_of_samples_that_were_not_taken_are_planned_and_paid(write):
    model = Model(effect=1.0)
    taken = mtprobe.run(write(text(80)), model, take=3)
    assert len(taken.suites[0].results) == 3
    assert taken.suites[0].noise[0].samples == 20


@pytest.mark.parametrize(("n", "most"), [(30, 20), (300, 22), (1500, 60)])
def test_placebos_cost_at_most_15_percent_of_the_scores_but_for_small_suites(write, n, most):
    suite = load_suite(write(text(n)))
    (chosen,) = noise_samples(suite).values()
    assert len(chosen) == most
    assert most == 20 or 4 * len(chosen) <= 0.15 * 2 * n


def test_scores_are_made_once(write):
    model = Model(effect=1.0)
    mtprobe.run(write(text(cues=("[<boy>, <gentleman>]", "[<lady>, <girl>]"))), model, counterfactuals=0)
    assert len(model.asked) == len(set(model.asked)) == 4 * 30


def test_replacements_are_compared_with_others_of_their_side(write):
    run = mtprobe.run(write(text(cues=("[<boy>, <gentleman>]", "[<lady>, <girl>]"))), Model(effect=1.0))
    (floor,) = run.suites[0].noise
    assert (floor.source, floor.samples) == ("synonyms", 30)
    assert 0 < floor.margin < 0.1
    assert set(outcomes(run)) == {Outcome.CORRECT, Outcome.OPEN}


def test_each_kind_of_cue_has_its_own_floor(write):
    own = '  - {id: own, source: "The <doctor> number 99 sold her old house.", category: female, cues: {correct: [<lady>, <girl>], incorrect: [<boy>, <gentleman>]}}\n'
    run = mtprobe.run(write(text() + own), Model(effect=1.0))
    assert [floor.source for floor in run.suites[0].noise] == ["placebos", "synonyms"]
    assert verdicts(run)["own"].outcome is Outcome.CORRECT


def test_a_floor_that_cannot_be_measured_decides_nothing(write):
    run = mtprobe.run(write(text()), Model(effect=1.0, fail="tall"))
    assert set(outcomes(run)) == {Outcome.UNDECIDED}
    assert run.suites[0].noise[0].margin is None
    assert next(iter(verdicts(run).values())).reason == "noise floor unknown (no luck)"


def test_degenerate_is_never_correct(write):
    class Echo(Model):
        def translate(self, sources):
            return list(sources)

    run = mtprobe.run(write(text()), Echo(effect=1.0))
    assert set(outcomes(run)) == {Outcome.DEGENERATE}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            text(source="de"),
            "7:1: decide: the noise floor cannot be measured: there are no placebo words for sources in de; give a number",
        ),
        (text(cues=("<boy>", "<girl>")), "no sample has two cues or sources on one side"),
        (text(decide="auto"), "decide: must be a mapping"),
        (
            text(decide="{margin: high}"),
            "decide.margin: must be auto, or a number of nats per token, as in 0.05",
        ),
        (text(decide="{margin: -1}"), "decide.margin: must be auto, or a number"),
        (text(decide="{margin: true}"), "decide.margin: must be auto, or a number"),
    ],
)
def test_what_cannot_be_measured_or_read_is_an_error(write, content, message):
    with pytest.raises(mtprobe.SuiteError) as error:
        load_suite(write(content))
    assert message in str(error.value)


def test_where_nothing_is_measured_a_number_serves_every_language(write):
    suite = load_suite(write(text(decide="{margin: 0.1}", source="de")))
    assert suite.options["decide"].margin == 0.1


def test_other_methods_do_not_take_it(write):
    content = text().replace("contrastive-conditioning", "lexicon")
    with pytest.raises(mtprobe.SuiteError, match="decide: only contrastive-conditioning needs it"):
        load_suite(write(content))


def test_every_sample_weighs_the_same_in_a_quantile():
    assert quantile([[1.0] * 99, [-2.0]], 0.5) == 1.0
    assert quantile([[1.0] * 99, [-2.0]], 0.51) == 2.0
    assert quantile([[3.0, 1.0, 2.0, 4.0]], 0.25) == 1.0


def test_rescoring_a_part_of_a_run_finds_the_same_floor(write):
    model = Model(effect=0.05)
    run = mtprobe.run(write(text(80)), model, take=40)
    again = rescore(run, {None: OpenedModel("noisy", model)}, Options(), None, Silent())
    assert again.suites[0].noise == run.suites[0].noise
    assert verdicts(again) == verdicts(run)
