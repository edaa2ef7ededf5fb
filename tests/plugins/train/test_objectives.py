"""Objectives on numbers that were computed by hand, and what their gradients reach."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mtprobe_train.networks.batch import IGNORED, Batch, batch_of  # noqa: E402
from mtprobe_train.networks.encode import Encoded, Focus, foci_of  # noqa: E402
from mtprobe_train.objectives import Weights, objective_named  # noqa: E402
from mtprobe_train.objectives.penalty import penalties  # noqa: E402
from mtprobe_train.objectives.word_level import WordLevel  # noqa: E402

PAD, END = 0, 1


@dataclass
class Fixed:
    """A network whose logits are given, for targets and for rejected targets by their number of rows."""

    tables: list[Any]

    def logits(self, batch: Batch) -> Any:
        return next(table for table in self.tables if table.shape[:2] == batch.labels.shape)


def logs(*rows: tuple[float, ...]) -> Any:
    """Logits with these probabilities; each row is a token."""
    return torch.tensor([rows]).log().requires_grad_()


def example(target: tuple[int, ...], *rejected: tuple[int, ...], prefix: tuple[int, ...] = (PAD,)) -> Encoded:
    return Encoded("x", (2, END), prefix, target, rejected, tuple(foci_of(target, rejected)))


def test_the_penalty_of_the_paper():
    """P(r) = .2, P(a) = .5 and .1: N = .8, PP = 1 − .2/.8 + .5/.8 = 1.375."""
    batch = batch_of([example((2, END), (3, END), (4, END))], PAD)
    logits = logs((0.1, 0.1, 0.2, 0.5, 0.1), (0.1, 0.6, 0.1, 0.1, 0.1))
    assert batch.foci is not None
    assert penalties(logits, batch.foci).tolist() == pytest.approx([1.375])
    # L = CE + λ PP, CE = −ln .2 − ln .6
    loss = objective_named("penalty", Weights(smoothing=0.0, penalty=100.0)).loss(Fixed([logits]), batch)
    assert loss.item() == pytest.approx(-math.log(0.2) - math.log(0.6) + 137.5)


def test_the_penalty_is_zero_for_certainty_and_two_for_certain_error():
    batch = batch_of([example((2, END), (3, END)), example((2, END), (3, END))], PAD)
    sure = torch.full((2, 2, 5), -100.0)
    sure[0, 0, 2] = sure[1, 0, 3] = 100.0
    assert batch.foci is not None
    assert penalties(sure, batch.foci).tolist() == pytest.approx([0.0, 2.0])


def test_several_focus_tokens_add_up():
    """Two pronouns: 1 − .3/.4 + .1/.4 = .5, and 1 − .1/.4 + .3/.4 = 1.5."""
    batch = batch_of([example((2, 4, 2, END), (3, 4, 3, END))], PAD)
    logits = logs((0.2, 0.2, 0.3, 0.1, 0.2), (0.2,) * 5, (0.2, 0.2, 0.1, 0.3, 0.2), (0.2,) * 5)
    assert batch.foci is not None
    assert penalties(logits, batch.foci).tolist() == pytest.approx([0.5, 1.5])


def test_a_sentence_without_a_wrong_target_has_no_penalty():
    batch = batch_of([example((2, END))], PAD)
    logits = logs((0.2,) * 5, (0.2,) * 5)
    plain = objective_named("cross-entropy", Weights()).loss(Fixed([logits]), batch)
    assert objective_named("penalty", Weights()).loss(Fixed([logits]), batch).item() == plain.item()


def test_smoothed_labels_and_padding():
    """Of the shorter sentence, padding does not count: (1 − ε) nll + ε/V Σ nll, over 3 tokens in all."""
    batch = batch_of([example((2, END)), example((END,))], PAD)
    row = (0.1, 0.5, 0.2, 0.1, 0.1)
    logits = torch.cat([logs(row, row), logs(row, (0.9, 0.025, 0.025, 0.025, 0.025))])
    mean = -sum(map(math.log, row)) / 5
    expected = sum(-0.9 * math.log(p) + 0.1 * mean for p in (0.2, 0.5, 0.5))
    loss = objective_named("cross-entropy", Weights(smoothing=0.1)).loss(Fixed([logits]), batch)
    assert loss.item() == pytest.approx(expected, rel=1e-5)
    assert batch.tokens == 3


def test_the_margin():
    """log P(right) − log P(wrong) = ln(.4 · .5) − ln(.2 · .5) = ln 2; a margin of 2 leaves 2 − ln 2."""
    batch = batch_of([example((2, END), (3, END))], PAD)
    rejected_first = logs((0.1, 0.1, 0.4, 0.2, 0.2), (0.1, 0.5, 0.1, 0.1, 0.2))
    loss = objective_named("margin", Weights(smoothing=0.0, margin=2.0, contrast=3.0))
    expected = -math.log(0.4) - math.log(0.5) + 3 * (2 - math.log(2))
    assert loss.loss(Fixed([rejected_first]), batch).item() == pytest.approx(expected)
    inside = objective_named("margin", Weights(smoothing=0.0, margin=0.5))
    assert inside.loss(Fixed([rejected_first]), batch).item() == pytest.approx(-math.log(0.2))


def test_word_level_distillation():
    """KL of (.5, .5) from (.25, .75) is .5 ln 2 + .5 ln(2/3)."""
    batch = batch_of([example((END,))], PAD)
    student, teacher = logs((0.25, 0.75)), logs((0.5, 0.5))
    loss = WordLevel(0.5, 0.0, Fixed([teacher])).loss(Fixed([student]), batch)
    divergence = 0.5 * math.log(2) + 0.5 * math.log(2 / 3)
    assert loss.item() == pytest.approx(0.5 * -math.log(0.75) + 0.5 * divergence)
    loss.backward()
    assert teacher.grad is None


def test_gradients_reach_focus_tokens_and_no_padding():
    batch = batch_of([example((2, 4, END), (3, 4, END)), example((END,))], PAD)
    logits = torch.zeros(2, 3, 5, requires_grad=True)
    assert batch.foci is not None
    penalties(logits, batch.foci).sum().backward()
    reached = logits.grad.abs() > 0
    assert reached.nonzero().tolist() == [[0, 0, 2], [0, 0, 3]]
    assert (
        logits.grad[0, 0, 2] < 0 < logits.grad[0, 0, 3]
    )  # descent raises the right token, and lowers the wrong one

    logits = torch.zeros(2, 3, 5, requires_grad=True)
    objective_named("penalty", Weights()).loss(Fixed([logits]), batch).backward()
    assert (logits.grad.abs().sum(-1) > 0).tolist() == [[True, True, True], [True, False, False]]


def test_the_decoder_is_given_its_prefix_and_scored_after_it():
    batch = batch_of([example((7, 8, END), (9, 8, END), prefix=(PAD, 5))], PAD)
    assert batch.given.tolist() == [[PAD, 5, 7, 8]]
    assert batch.labels.tolist() == [[IGNORED, 7, 8, END]]
    assert batch.foci is not None
    assert batch.foci.columns.tolist() == [1]
    assert batch.foci.candidates.tolist() == [[7, 9]]


@pytest.mark.parametrize(
    ("target", "rejected", "foci"),
    [
        ((5, 6, 1), [(5, 7, 1)], [Focus(1, (7,))]),
        ((5, 6, 1), [(5, 7, 1), (5, 8, 1), (5, 7, 1)], [Focus(1, (7, 8))]),
        ((5, 6, 7, 1), [(8, 9, 6, 7, 1)], [Focus(0, (8,))]),
        ((5, 6, 1), [(5, 9, 6, 1)], [Focus(1, (9,))]),  # inserted
        ((5, 9, 6, 1), [(5, 6, 1)], [Focus(1, (6,))]),  # dropped
        ((5, 5, 1), [(5, 1)], [Focus(1, (1,))]),
        ((5, 6, 1), [], []),
    ],
)
def test_focus_tokens_are_where_targets_part(target, rejected, foci):
    assert list(foci_of(target, rejected)) == foci
