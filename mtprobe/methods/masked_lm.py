"""Fillers by a language model (Emelin and Sennrich, 2021: LM-Wino-X; Salazar et al., 2020; Warstadt et al., 2020).

Each filler makes a whole sentence. A masked model predicts each token from all others, a causal one from those before
it. The score of a sentence is the mean log-probability of its tokens (minus the log of its perplexity, or
pseudo-perplexity), or their sum. Correct when the correct sentence has a higher one than every incorrect one; a tie is
incorrect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from mtprobe.methods.method import Ask, Method, Translated
from mtprobe.methods.minimal_pairs import target_queries, verdict_on
from mtprobe.methods.scored import TieKeys, judge_on_scores
from mtprobe.methods.verdict import Verdict
from mtprobe.suite.sample import Sample


class FillerKeys(TieKeys):
    """The keys of this method."""

    sentence_score: Literal["mean", "sum"] | None = None
    """How the score of a sentence is computed from token log-probabilities: by default their mean, as in LM-Wino-X, or their sum, as in the papers on BLiMP, which favours shorter sentences."""


class MaskedLM(Method):
    name = "masked-lm"
    about = "a language model scores a sentence with a correct and with an incorrect filler"
    keys = FillerKeys
    scored_by = "language model"
    scored_evidence = "sentences with a filler"
    judges = "targets"

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:
        if not sample.targets:
            return "needs `fillers` for a gap `_` in its source, or whole `targets`"
        if target is not None and sample.targets_in(target) is None:
            return f"needs `fillers` or `targets` in {target}; available: {', '.join(sample.targets)}"
        return None

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:
        summed = ask.suite.options.get("sentence_score") == "sum"
        queries = [
            [replace(query, summed=summed) for query in target_queries(sample, None, ask)]
            for sample, _ in samples
        ]
        return judge_on_scores(
            queries, partial(verdict_on, ties=ask.suite.options.get("ties") or "incorrect"), ask
        )
