"""`scores:PATH`: existing scores instead of a model, for judging published scores.

One number per line, in the order of a suite of minimal pairs: for each sample its correct targets, then its
incorrect ones. `scores:PATH?better=lower` for perplexities and losses, where lower is better.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mtprobe.backends.protocols import LanguagePair, OpenRequest, languages_from
from mtprobe.backends.registry import split_options
from mtprobe.backends.scorer import ScorePair, ScorePlace, TokenLogProbs
from mtprobe.errors import Failure, ModelError, Place
from mtprobe.suite.sample import Suite
from mtprobe.system.named import is_file
from mtprobe.system.text_files import TextFileError, text_lines

_LARGEST = 1e100  # so that differences and squares of scores are numbers, too


class ScoreFile:
    """Has no scores until it is given the suite whose order its lines follow."""

    stays_here = "reading a file takes no time"
    ignores_target = True

    def __init__(self, path: Path, languages: LanguagePair, *, lower_is_better: bool) -> None:
        self.languages = languages
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()[:12]
        self.fingerprint = f"scores:{digest}:{'lower' if lower_is_better else 'higher'}:{languages}"
        self._path, self._sign = path, -1.0 if lower_is_better else 1.0

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        return [Failure(f"{self._path.name} follows the order of a suite, but no suite was given")] * len(
            pairs
        )

    def for_suite(self, suite: Suite, target: str) -> SuiteScores:
        """The scores of this suite's targets; a file with another number of lines is an error."""
        places: list[ScorePlace] = [
            (sample.id, side, number)
            for sample in suite.samples
            for contrast in [sample.targets_in(target)]
            if contrast is not None
            for side, texts in contrast.sides.items()
            for number in range(len(texts))
        ]
        numbers = _numbers(self._path)
        if len(numbers) != len(places):
            raise ModelError(
                f"{self._path}: {len(numbers):,} scores, but {suite.name} has {len(places):,} targets; the lines must "
                "follow the order of all its samples, the correct targets of each before the incorrect ones"
            )
        by_place = {place: self._sign * number for place, number in zip(places, numbers, strict=True)}
        return SuiteScores(self.fingerprint, by_place)


@dataclass(frozen=True, slots=True)
class SuiteScores:
    """Scores by place: a text that occurs twice may have two."""

    fingerprint: str
    by_place: Mapping[ScorePlace, float]

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        return [Failure("scores from a file are looked up by place, not by text")] * len(pairs)


def open_score_file(rest: str, request: OpenRequest) -> ScoreFile:
    name, options = split_options("scores", rest, ("better",))
    better = options.given.get("better", "higher")
    if better not in ("higher", "lower"):
        raise ModelError(f"scores:{name}: better={better} is neither higher nor lower")
    if not is_file(Path(name)):
        raise ModelError(f"scores:{name}: there is no file {name or '(give its path)'}")
    return ScoreFile(Path(name), languages_from(request, f"scores:{name}"), lower_is_better=better == "lower")


def _numbers(path: Path) -> list[float]:
    numbers = []
    try:
        for line, text in text_lines(path):
            try:
                number = float(text)
            except ValueError:
                number = math.nan
            if not abs(number) <= _LARGEST:  # NaN is not
                raise ModelError(f'{Place(path, line)}: "{text.strip()[:40]}" is not a score')
            numbers.append(number)
    except TextFileError as error:
        raise ModelError(error) from None
    return numbers
