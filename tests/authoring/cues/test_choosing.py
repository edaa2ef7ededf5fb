"""Proposals and selection, by laws that hold for any model and any scores."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.authoring.cues.material import AmbiguousWord, FocusContext
from mtprobe.authoring.cues.propose import Limits, Proposals, propose
from mtprobe.authoring.cues.select import Evaluator, Judged, select
from mtprobe.backends.scorer import ScorePair

WORDS = tuple(f"{first}{second}" for first in "abcdef" for second in "uvwxyz")


class Dice:
    """Expects whatever its seed says of a context."""

    fingerprint = "dice"
    words = WORDS

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def before_focus(self, contexts):
        rows = [
            np.random.default_rng([self.seed, *context.id.encode()]).dirichlet(np.ones(len(WORDS)))
            for context in contexts
        ]
        return np.array(rows)


class Judge:
    """Scores by a hash of cue and target, so that every pair has its own score."""

    fingerprint = "judge"

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def score(self, pairs):
        return [(self.one(*pair),) for pair in pairs]

    def one(self, source, target):
        return -float(np.random.default_rng([self.seed, *source.encode(), 0, *target.encode()]).random())


def word(senses: int, contexts: int, wrong: int = 0) -> AmbiguousWord:
    def one(sense: int, number: int) -> FocusContext:
        return FocusContext(
            f"{sense}/{number}",
            f"see thing {sense}{number}",
            (4, 9),
            right=(f"right {sense} {number}",),
            wrong=tuple(f"wrong {sense} {number} {at}" for at in range(wrong)),
        )

    return AmbiguousWord(
        "thing", {f"s{sense}": tuple(one(sense, at) for at in range(contexts)) for sense in range(senses)}
    )


@given(st.integers(0, 1000), st.integers(2, 4), st.integers(1, 5), st.integers(1, 20), st.integers(1, 10))
@settings(max_examples=50, deadline=None)
def test_no_proposal_speaks_for_two_senses(seed, senses, contexts, pool, count):
    found = propose(word(senses, contexts), Dice(seed), Limits(pool, count, 3))
    for sense, proposals in found.items():
        assert not {*proposals.correct} & {*proposals.incorrect}
        assert len({*proposals.correct}) == len(proposals.correct) <= count
        assert len({*proposals.incorrect}) == len(proposals.incorrect) <= count
        for other in found:
            if other != sense:
                assert not {*proposals.correct} & {*found[other].correct}


@given(st.integers(0, 1000), st.permutations(range(5)))
@settings(max_examples=30, deadline=None)
def test_the_order_of_contexts_changes_nothing(seed, order):
    straight = word(2, 5, wrong=2)
    mixed = AmbiguousWord(
        "thing", {name: tuple(held[at] for at in order) for name, held in straight.senses.items()}
    )
    limits, evaluator = Limits(12, 6, 2), Evaluator(Judge(seed), None, "en")
    one, other = propose(straight, Dice(seed), limits), propose(mixed, Dice(seed), limits)
    assert one == other
    for a, b in zip(
        select(straight, one, evaluator, limits), select(mixed, other, evaluator, limits), strict=True
    ):
        assert [cue.word for cue in a.correct] == [cue.word for cue in b.correct]
        assert [cue.word for cue in a.incorrect] == [cue.word for cue in b.incorrect]
        assert (a.references, a.held_out, a.wrong) == (b.references, b.held_out, b.wrong)


def test_two_senses_mirror_each_other():
    found = propose(word(2, 3), Dice(1), Limits(12, 6, 3))
    assert found["s0"].correct == found["s1"].incorrect
    assert found["s1"].correct == found["s0"].incorrect


def test_with_three_senses_the_others_take_turns():
    found = propose(word(3, 2), Dice(4), Limits(10, 4, 3))
    others = {*found["s1"].correct, *found["s2"].correct}
    assert {*found["s0"].incorrect[:2]} & others


def test_a_word_is_no_cue_for_itself():
    known = AmbiguousWord("au", {sense: tuple(contexts) for sense, contexts in word(2, 2).senses.items()})
    for proposals in propose(known, Dice(2), Limits(36, 36, 3)).values():
        assert "au" not in (*proposals.correct, *proposals.incorrect)


def test_cues_are_those_with_the_best_and_the_worst_mean_score():
    made, judge = word(2, 4), Judge(7)
    proposals = {name: Proposals(("aa", "bb", "cc", "dd"), ("ee", "ff", "gg")) for name in made.senses}
    (found, _) = select(made, proposals, Evaluator(judge, None, "en"), Limits(cues=2))

    def score(cue: str) -> float:
        contexts = made.senses["s0"]
        return float(
            np.mean([np.exp(judge.one(f"see {cue} {one.source[4:]}", one.right[0])) for one in contexts])
        )

    correct = sorted(proposals["s0"].correct, key=score, reverse=True)[:2]
    incorrect = sorted(proposals["s0"].incorrect, key=score)[:2]
    assert [cue.word for cue in found.correct] == correct
    assert [cue.word for cue in found.incorrect] == incorrect
    np.testing.assert_allclose([cue.score for cue in found.correct], [score(cue) for cue in correct])
    right = sum(
        max(judge.one(f"see {cue} {one.source[4:]}", one.right[0]) for cue in correct)
        > max(judge.one(f"see {cue} {one.source[4:]}", one.right[0]) for cue in incorrect)
        for one in made.senses["s0"]
    )
    assert found.references == Judged(right, 4)


def test_both_sides_have_equally_many_cues():
    made = word(2, 2)
    proposals = {name: Proposals(("aa", "bb", "cc"), ("ee",)) for name in made.senses}
    for found in select(made, proposals, Evaluator(Judge(3), None, "en"), Limits()):
        assert len(found.correct) == len(found.incorrect) == 1


def test_one_reference_can_not_be_held_out():
    made = word(2, 1)
    proposals = {name: Proposals(("aa",), ("ee",)) for name in made.senses}
    for found in select(made, proposals, Evaluator(Judge(3), None, "en"), Limits()):
        assert found.references.n == 1
        assert found.held_out == Judged()


def test_a_tie_is_not_correct():
    class Indifferent(Judge):
        def one(self, source, target):  # noqa: ARG002
            return -1.0

    made = word(2, 3, wrong=1)
    proposals = {name: Proposals(("aa",), ("ee",)) for name in made.senses}
    for found in select(made, proposals, Evaluator(Indifferent(0), None, "en"), Limits()):
        assert found.references == Judged(0, 3)
        assert found.wrong == Judged(0, 3)


def test_a_sense_without_proposals_says_so():
    made = word(2, 2)
    proposals = {"s0": Proposals((), ("ee",)), "s1": Proposals(("ee",), ())}
    first, second = select(made, proposals, Evaluator(Judge(0), None, "en"), Limits())
    assert first.problem == "no word is expected only for this sense"
    assert second.problem == "no word is expected only for the other senses"


def test_article_and_capital_are_repaired_as_in_a_run():
    seen: list[ScorePair] = []

    class Watching(Judge):
        def score(self, pairs):
            seen.extend(pairs)
            return super().score(pairs)

    made = AmbiguousWord(
        "apple",
        {
            "s0": (FocusContext("a", "I ate an apple.", (9, 14), right=("x",)),),
            "s1": (FocusContext("b", "Apple fell.", (0, 5), right=("y",)),),
        },
    )
    proposals = {name: Proposals(("red",), ("tech",)) for name in made.senses}
    select(made, proposals, Evaluator(Watching(0), None, "en"), Limits())
    assert {pair.source for pair in seen} == {
        "I ate a red apple.", "I ate a tech apple.", "Red apple fell.", "Tech apple fell.",
    }  # fmt: skip
