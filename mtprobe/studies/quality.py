"""BLEU and chrF of a model's translations of a test set, by sacrebleu."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mtprobe.errors import MtprobeError
from mtprobe.system.text_files import text_lines


@dataclass(frozen=True, slots=True)
class Quality:
    """Both from 0 to 100."""

    bleu: float
    chrf: float
    signatures: tuple[str, str]


def quality(translations: Path, references: Sequence[Path], tokenize: str) -> Quality:
    """One translation a line against as many references a line as there are files."""
    try:
        from sacrebleu.metrics.bleu import BLEU
        from sacrebleu.metrics.chrf import CHRF
    except ImportError:
        raise MtprobeError('BLEU needs sacrebleu: pip install "mtprobe[study]"') from None

    made = [line for _, line in text_lines(translations)]
    wanted = [[line for _, line in text_lines(path)] for path in references]
    for path, lines in zip(references, wanted, strict=True):
        if len(lines) != len(made):
            raise MtprobeError(f"{translations}: {len(made):,} lines, and {len(lines):,} in {path}")
    if not made:
        raise MtprobeError(f"{translations}: is empty")
    metrics = BLEU(tokenize=tokenize), CHRF()
    scores = [float(metric.corpus_score(made, wanted).score) for metric in metrics]
    return Quality(scores[0], scores[1], (str(metrics[0].get_signature()), str(metrics[1].get_signature())))
