"""Reference words (Currey et al., 2022: MT-GenEval): does the translation contain a word that only the wrong reference has?

The words of the right and of the wrong targets are compared, in lower case and without ASCII punctuation, as in the
authors' code. A translation with a word that only wrong targets have is incorrect; any other one is correct, even if it has
none of the words that only right targets have. `unmatched: undecided` leaves such translations undecided.

It asks no model, so services without scores can be tested with minimal pairs.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from typing import Literal

from mtprobe.methods.method import Ask, Method, Preparation, Translated
from mtprobe.methods.verdict import Evidence, Outcome, Result, Verdict
from mtprobe.suite.format.keys import MethodKeys
from mtprobe.suite.sample import Contrast, Sample

_SPACES = str.maketrans(string.punctuation, " " * len(string.punctuation))


class ReferenceWordKeys(MethodKeys):
    unmatched: Literal["correct", "undecided"] = "correct"
    """How `reference-words` judges a translation that contains no distinguishing word, neither of the right targets nor of the wrong ones: `correct`, as in MT-GenEval, or `undecided`."""


class ReferenceWords(Method):
    name = "reference-words"
    about = "the translation contains no word that occurs only in the incorrect targets"
    keys = ReferenceWordKeys
    found_evidence = "words in the translation that only one of the targets has"

    def __init__(self, unmatched: str = "correct") -> None:
        self._unmatched = unmatched

    @property
    def procedure(self) -> str:
        return f"{super().procedure}{', unmatched undecided' if self._unmatched == 'undecided' else ''}"

    @property
    def is_witness(self) -> bool:
        """It calls a translation correct without a sign that it is: no truth for the verdicts of others."""
        return False

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:
        if not sample.targets:
            return "needs `targets`: a correct and an incorrect one in the target language"
        if target is not None and sample.targets_in(target) is None:
            return f"needs `targets` in {target}; available: {', '.join(sample.targets)}"
        return None

    def prepare(self, preparation: Preparation) -> ReferenceWords:
        return ReferenceWords(preparation.suite.options.get("unmatched", "correct"))

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:
        target = ask.languages.target
        unmatched = ask.suite.options.get("unmatched", "correct")
        return [
            _verdict(text or "", sample.targets_in(target) or Contrast((), ()), unmatched)
            for sample, text in samples
        ]

    def notes(self, results: Sequence[Result]) -> Sequence[str]:
        unmatched = sum(
            result.verdict.outcome is Outcome.CORRECT and not result.verdict.evidence for result in results
        )
        if not unmatched:
            return ()
        return (
            f"{unmatched:,} of {len(results):,} translations have no word of only one reference and count as correct, "
            "as in MT-GenEval (`unmatched`)",
        )


def _verdict(translation: str, targets: Contrast, unmatched: str) -> Verdict:
    words, right, wrong = _words([translation]), _words(targets.correct), _words(targets.incorrect)
    for_right, for_wrong = words & (right - wrong), words & (wrong - right)
    evidence = (
        *(Evidence("incorrect", word) for word in sorted(for_wrong)),
        *(Evidence("correct", word) for word in sorted(for_right)),
    )
    if for_wrong:
        return Verdict(Outcome.INCORRECT, evidence=evidence)
    if not for_right and unmatched == "undecided":
        return Verdict(Outcome.UNDECIDED, "has no word of only one reference")
    return Verdict(Outcome.CORRECT, evidence=evidence)


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in text.lower().translate(_SPACES).split()}
