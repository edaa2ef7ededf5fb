"""Fillers by a masked language model (Emelin and Sennrich, 2021: LM-Wino-X; Salazar et al., 2020).

Each filler makes a whole sentence. Its pseudo-perplexity is exp of minus the mean log-probability of its tokens,
each masked in turn and seen with all of the others. Right when the right sentence has the lower one, against every
wrong one; a tie is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

from mtprobe.methods.keys import TieKeys
from mtprobe.methods.method import Ask, Translated
from mtprobe.methods.minimal_pairs import target_queries, verdict_on
from mtprobe.methods.scored import judged_on_scores
from mtprobe.methods.verdict import Verdict
from mtprobe.suite.sample import Sample


class MaskedLM:
    name = "masked-lm"
    scored_by: Literal["language model"] = "language model"
    judges: Literal["targets"] = "targets"
    keys = TieKeys

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:
        if not sample.targets:
            return "needs `fillers` for a gap `_` in its source, or whole `targets`"
        if target is not None and sample.targets_in(target) is None:
            return f"needs `fillers` or `targets` in {target}; there is {', '.join(sample.targets)}"
        return None

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:
        queries = [target_queries(sample, None, ask.languages.target) for sample, _ in samples]
        return judged_on_scores(
            queries, partial(verdict_on, ties=ask.suite.options.get("ties") or "incorrect"), ask
        )
