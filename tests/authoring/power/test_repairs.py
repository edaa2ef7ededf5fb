"""Repairs: gates that fail already start from translations without their errors."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mtprobe.authoring.power.preference import preferring, preferring_right, preferring_wrong
from mtprobe.authoring.power.repairs.restored import restored
from mtprobe.backends.protocols import LanguagePair
from mtprobe.methods.checks.preserve import Preserve
from mtprobe.methods.method import Ask, Translated
from mtprobe.methods.verdict import Evidence, Outcome, Verdict

from .rows import a_row
from .test_mutators import PRESERVE, a_sample

PAIR = LanguagePair("en", "pt")
ASK = Ask(PRESERVE, PAIR, lambda _: {})


@pytest.mark.parametrize(
    ("kind", "source", "translation"),
    [
        ("numbers", "The company sold 2,200,112 cars.", "A empresa vendeu 2.200,112 carros."),
        ("urls", "See www.x.test/about now.", "Veja agora."),
        ("emails", "Write to a.b@x.test.", "Escreva para a.b-x.test."),
        ("placeholders", "Hello {name}, welcome.", "Olá, bem-vindo."),
        ("tags", "Click <b>here</b> now.", 'Clique em "b>here/b>" agora.'),
        ("emoji", "We won 🎉", "Ganhamos"),
        ("quotes", "She reads “The Door” now.", "Ela lê A Porta agora."),
        ("casing", "DO NOT TOUCH IT.", "Não toque."),
        ("punctuation", "Do you come?", "Você vem."),
    ],
)
def test_what_was_lost_is_put_back(kind, source, translation):
    sample = a_sample(source, preserve=(kind,))
    [verdict] = Preserve().judge([Translated(sample, translation)], ASK)
    assert verdict.outcome is Outcome.INCORRECT
    row = a_row(1)
    result = type(row)(**{**_fields(row), "source": source, "translation": translation, "verdict": verdict})
    texts = [text for _, text in restored([result], SimpleNamespace(languages=PAIR))]
    again = Preserve().judge([Translated(sample, text) for text in texts], ASK)
    assert Outcome.CORRECT in [one.outcome for one in again]


def _fields(row):
    return {name: getattr(row, name) for name in row.__dataclass_fields__}


def scored(*items: tuple[str, float, str]):
    """A verdict on targets: side, score and gender."""
    evidence = tuple(
        Evidence(side, gender, score, attributes={"gender": gender}) for side, score, gender in items
    )
    right, wrong = (
        max(score for side, score, _ in items if side == wanted) for wanted in ("correct", "incorrect")
    )
    outcome = Outcome.CORRECT if right > wrong else Outcome.INCORRECT
    row = a_row(1)
    return type(row)(**{**_fields(row), "verdict": Verdict(outcome, evidence=evidence, margin=right - wrong)})


def test_a_wrong_preference_exchanges_scores_and_is_repaired_by_exchanging_them_back():
    row = scored(("correct", -1.0, "f"), ("incorrect", -1.5, "m"))
    wrong = preferring_wrong(row)
    assert wrong.verdict.outcome is Outcome.INCORRECT
    assert wrong.verdict.margin == -0.5
    assert preferring_wrong(wrong) is None
    assert preferring_right(wrong).verdict == row.verdict


def test_a_model_may_prefer_one_kind_of_target_whatever_is_right():
    row = scored(("correct", -1.0, "f"), ("incorrect", -1.5, "m"), ("incorrect", -2.0, "n"))
    assert preferring(row, "gender", "f") is None
    neuter = preferring(row, "gender", "n")
    assert [item.score for item in neuter.verdict.evidence] == [-2.0, -1.5, -1.0]
    assert neuter.verdict.outcome is Outcome.INCORRECT
    assert preferring(row, "gender", "x") is None
