"""What verdicts show about themselves, without labels"""

from __future__ import annotations

from dataclasses import replace

from mtprobe.audit.diagnosis import diagnose
from mtprobe.methods.verdict import Evidence, Outcome, Result, Verdict
from mtprobe.suites import load_suite

SUITE = """\
mtprobe: 1
name: teachers
about: Is the teacher a woman?
languages: {source: en, targets: any}
method: contrastive-conditioning
gates: {accuracy: ">= 0.5"}
categories: [male, female]
cues:
  male:   {correct: man,   incorrect: woman}
  female: {correct: woman, incorrect: man}
generate:
  - source: "The <teacher> who came {day} has lost {possessive} way."
    slots:
      day: [today, late, early, again, alone, twice, first, last, soon, now, here, home]
      possessive: {her: {category: female}, his: {category: male}}
"""
WORDS = """\
mtprobe: 1
name: seals
about: Is the seal an animal?
languages: {source: en, targets: any}
method: contrastive-conditioning
gates: {accuracy: ">= 0.5"}
samples:
"""


def judged(suite, outcome, translation, p=0.9):
    """A result for each sample, by functions of the sample."""
    return [
        Result(
            id=sample.id,
            source=sample.source,
            focus=sample.focus,
            category=sample.category,
            attributes=sample.attributes,
            cluster=sample.cluster,
            path=str(suite.path),
            line=sample.place.line,
            translation=translation(sample),
            verdict=Verdict(Outcome.CORRECT if outcome(sample) else Outcome.INCORRECT, probability=p),
        )
        for sample in suite.samples
    ]


def teachers(tmp_path):
    path = tmp_path / "teachers.mt.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return load_suite(path)


def masculine(sample):
    day = sample.source.split()[4]
    return f"O professor que chegou {day} perdeu o caminho."


def findings(suite, results):
    return {finding.name: finding for finding in diagnose(suite, results)}


def is_male(sample):
    return sample.category == "male"


def test_verdicts_that_fit_together_are_not_serious(tmp_path):
    suite = teachers(tmp_path)
    found = findings(suite, judged(suite, is_male, masculine))
    assert {name: (one.measure.value, one.serious) for name, one in found.items()} == {
        "twins": (0.0, False),
        "same words": (0.0, False),
    }


def test_one_translation_cannot_be_right_for_both(tmp_path):
    suite = teachers(tmp_path)
    twins = findings(suite, judged(suite, lambda _: True, masculine))["twins"]
    assert (twins.measure.value, twins.measure.n, twins.serious) == (1.0, 12, True)
    assert twins.text.endswith("got the same verdict in 12 of 12 pairs")
    assert len(twins.samples) == 3


def test_one_word_cannot_be_a_man_today_and_a_woman_tomorrow(tmp_path):
    """Each pair of twins is consistent, but the reading changes with the sentence."""
    suite = teachers(tmp_path)
    early = {"today", "late", "early", "again", "alone"}
    results = judged(suite, lambda one: is_male(one) == (one.attributes["day"] in early), masculine)
    found = findings(suite, results)
    assert found["twins"].measure.value == 0.0
    assert found["same words"].measure.value == 10 / 24
    assert found["same words"].serious


def test_words_with_another_article_are_other_words(tmp_path):
    suite = teachers(tmp_path)

    def translation(sample):
        article = "O" if is_male(sample) else "A"
        return f"{article} colega que chegou {sample.attributes['day']} perdeu o caminho."

    found = findings(suite, judged(suite, lambda _: True, translation))
    assert "twins" not in found
    assert found["same words"].measure.value == 0.0


def test_probabilities_near_one_half_are_counted(tmp_path):
    suite = teachers(tmp_path)
    margins = findings(suite, judged(suite, is_male, masculine, p=0.51))["narrow margins"]
    assert margins.serious
    assert "24 of 24" in margins.text


def test_few_samples_are_never_serious(tmp_path):
    suite = teachers(tmp_path)
    suite = replace(suite, samples=suite.samples[:8])
    found = findings(suite, judged(suite, lambda _: True, masculine, p=0.5))
    assert not any(finding.serious for finding in found.values())


def seals(tmp_path, decide=""):
    samples = "".join(
        f"  - id: s{number}\n    source: The <seal> was number {number}.\n    cues:\n"
        "      correct: [<sea lion>, <walrus>]\n      incorrect: [<stamp>, <gasket>]\n"
        for number in range(20)
    )
    path = tmp_path / "seals.mt.yaml"
    path.write_text(WORDS.replace("samples:", f"{decide}samples:") + samples, encoding="utf-8")
    return load_suite(path)


def scored(suite, margin, spread):
    """Two scores of each side that differ by up to `spread`; the best of both sides differ by `margin`."""
    results = judged(suite, lambda _: True, lambda one: f"A foca número {one.id}.")
    made = []
    for number, result in enumerate(results):
        differences = {"correct": spread, "incorrect": spread * number / len(results)}
        evidence = tuple(
            Evidence(side, text, best - second * differences[side])
            for side, best in (("correct", -1.0), ("incorrect", -1.0 - margin))
            for second, text in enumerate(("one", "two"))
        )
        made.append(replace(result, verdict=replace(result.verdict, evidence=evidence, margin=margin)))
    return made


def test_margins_are_compared_with_the_spread_between_synonyms(tmp_path):
    suite = seals(tmp_path)
    assert findings(suite, scored(suite, margin=0.01, spread=0.5))["noise"].serious
    assert findings(suite, scored(suite, margin=0.9, spread=0.1))["noise"].measure.value == 0.0


def test_where_margins_decide_the_noise_is_no_finding(tmp_path):
    suite = seals(tmp_path, "decide: {margin: auto}\n")
    assert "noise" not in findings(suite, scored(suite, margin=0.1, spread=0.5))
