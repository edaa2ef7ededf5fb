"""Fillers by a masked language model (Emelin and Sennrich, 2021: LM-Wino-X; Salazar et al., 2020).

Each filler makes a whole sentence. Its pseudo-perplexity is exp of minus the mean log-probability of its
tokens, each masked in turn and predicted from all others. Correct when the correct sentence has a lower one
than every incorrect one; a tie is incorrect.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from mtprobe.methods.method import Ask, Method, Translated
from mtprobe.methods.minimal_pairs import target_queries, verdict_on
from mtprobe.methods.scored import TieKeys, judge_on_scores
from mtprobe.methods.verdict import Verdict
from mtprobe.suite.sample import Sample


class MaskedLM(Method):
    name = "masked-lm"
    about = "a masked language model scores sentences with a correct and an incorrect filler"
    keys = TieKeys
    scored_by = "language model"
    scored_evidence = "sentences with a filler"
    judges = "targets"

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:
        if not sample.targets:
            return "needs `fillers` for a gap `_` in its source, or whole `targets`"
        if target is not None and sample.targets_in(target) is None:
            return f"needs `fillers` or `targets` in {target}; there is {', '.join(sample.targets)}"
        return None

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:
        queries = [target_queries(sample, None, ask) for sample, _ in samples]
        return judge_on_scores(
            queries, partial(verdict_on, ties=ask.suite.options.get("ties") or "incorrect"), ask
        )
