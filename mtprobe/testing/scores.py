"""Requirements for backends that score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import pytest

from mtprobe.backends import Failure, ScorePair, Scorer, TokenLogProbs, can_translate, reads_sources
from mtprobe.testing.answers import expect, fail, scored, scoring, shown, translated
from mtprobe.testing.sentences import AWKWARD, LONE_SURROGATE, SOURCES, VERY_LONG

_EVERY = 3  # one pair in so many is also scored alone


class ScoreChecks:
    """A backend without `score` skips all of them."""

    sources: ClassVar[Sequence[str]] = SOURCES
    targets: ClassVar[Sequence[str] | None] = None
    tolerance: ClassVar[float] = 1e-5

    def test_ordinary_pairs_are_scored(self, backend: object) -> None:
        self._scores(scoring(backend), self._pairs(backend))

    def test_no_pairs_have_no_scores(self, backend: object) -> None:
        expect(scored(scoring(backend), []) == [], "no pairs must give no scores")

    def test_log_probabilities_are_at_most_zero(self, backend: object) -> None:
        pairs = self._pairs(backend)
        for pair, values in zip(pairs, self._scores(scoring(backend), pairs), strict=True):
            expect(
                max(values) <= self.tolerance,
                f"{shown(pair.target)}: {max(values):g} is above 0, so it is not a log-probability",
            )

    def test_the_end_of_the_sentence_is_counted(self, backend: object) -> None:
        scorer = scoring(backend)
        for target in ("", "a"):
            (values,) = self._scores(scorer, [ScorePair(self.sources[0], target)])
            if len(values) <= len(target):
                fail(
                    f"the target {shown(target)} has {len(values)} log-probabilities; the end of the sentence must have one too"
                )

    def test_a_score_does_not_depend_on_its_batch(self, backend: object) -> None:
        scorer, pairs = scoring(backend), self._pairs(backend)
        together = self._scores(scorer, pairs)
        for pair, values in list(zip(pairs, together, strict=True))[::_EVERY]:
            (by_itself,) = self._scores(scorer, [pair])
            self._expect_equal(pair, by_itself, values, f"in a batch of {len(pairs)}")

    def test_the_same_pairs_have_the_same_scores_again(self, backend: object) -> None:
        scorer, pairs = scoring(backend), self._pairs(backend)
        first, second = self._scores(scorer, pairs), self._scores(scorer, pairs)
        for pair, before, after in zip(pairs, first, second, strict=True):
            self._expect_equal(pair, before, after, "the second time")

    def test_all_targets_of_a_source_share_one_probability(self, backend: object) -> None:
        scorer = scoring(backend)
        targets = list(dict.fromkeys(["", *(pair.target for pair in self._pairs(backend))]))
        scores = self._scores(scorer, [ScorePair(self.sources[0], target) for target in targets])
        total = sum(math.exp(math.fsum(values)) for values in scores)
        expect(
            total <= 1 + 1e-4,
            f"the probabilities of {len(targets)} targets of one source add up to {total:.4f}: are they natural "
            "logarithms, of all tokens?",
        )

    def test_a_target_fits_its_own_source_best(self, backend: object) -> None:
        scorer = scoring(backend)
        if not reads_sources(scorer):
            pytest.skip("it does not read sources: `reads_sources` is False")
        pairs = self._pairs(backend)
        others = [*pairs[1:], pairs[0]]
        own = self._scores(scorer, pairs)
        swapped = self._scores(
            scorer, [ScorePair(other.source, pair.target) for pair, other in zip(pairs, others, strict=True)]
        )
        own_mean, swapped_mean = (math.fsum(map(math.fsum, scores)) / len(pairs) for scores in (own, swapped))
        expect(
            own_mean > swapped_mean,
            f"targets have a mean log-probability of {own_mean:.3f} given their own sources, "
            f"but {swapped_mean:.3f} given others",
        )

    @pytest.mark.parametrize(
        "text",
        [*AWKWARD.values(), LONE_SURROGATE, VERY_LONG],
        ids=[*(name.replace(" ", "-") for name in AWKWARD), "lone-surrogate", "very-long"],
    )
    def test_a_pair_harms_no_other(self, backend: object, text: str) -> None:
        scorer, pairs = scoring(backend), self._pairs(backend, 2)
        awkward = [ScorePair(text, pairs[0].target), ScorePair(pairs[0].source, text)]
        before, _, _, after = scored(scorer, [pairs[0], *awkward, pairs[1]])
        for pair, beside, without in zip(pairs, (before, after), self._scores(scorer, pairs), strict=True):
            if isinstance(beside, Failure):
                fail(f"{shown(pair.target)} failed beside {shown(text)}: {beside.reason}")
            self._expect_equal(pair, without, beside, f"beside {shown(text)}")

    def _pairs(self, backend: object, count: int | None = None) -> list[ScorePair]:
        """The first sources with `targets`, or with the backend's own translations of them."""
        sources = self.sources[:count]
        targets: Sequence[str | Failure] | None = self.targets and self.targets[:count]
        if targets is None:
            if not can_translate(backend):
                fail("it does not translate: give the class `targets`, one per source")
            targets = translated(backend, sources)
        return [
            ScorePair(source, target)
            for source, target in zip(sources, targets, strict=True)
            if isinstance(target, str)
        ]

    def _scores(self, scorer: Scorer, pairs: Sequence[ScorePair]) -> list[TokenLogProbs]:
        """The scores of pairs that must be scored."""
        scores: list[TokenLogProbs] = []
        for pair, values in zip(pairs, scored(scorer, pairs), strict=True):
            if isinstance(values, Failure):
                fail(f"{shown(pair.target)} is an ordinary target, but failed: {values}")
            if not values:
                fail(
                    f"{shown(pair.target)} has no log-probability; the end of the sentence must have one too"
                )
            scores.append(values)
        return scores

    def _expect_equal(self, pair: ScorePair, one: TokenLogProbs, other: TokenLogProbs, where: str) -> None:
        if len(one) != len(other):
            fail(f"{shown(pair.target)} has {len(one)} tokens, but {len(other)} {where}")
        difference = max(abs(mine - theirs) for mine, theirs in zip(one, other, strict=True))
        expect(
            difference <= self.tolerance,
            f"{shown(pair.target)}: a token's log-probability differs by {difference:.2g} {where}; "
            f"rounding may account for at most {self.tolerance:g}",
        )
