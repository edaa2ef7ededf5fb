"""Signs of trouble in verdicts that need no labels: contradictions, and margins too small to mean anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mtprobe.audit.outcome import Finding
from mtprobe.errors import Failure
from mtprobe.language.alignment import DEFAULT, SentencePair, aligned_to, open_aligner, tokens_in
from mtprobe.methods.conditioning.noise import noise_floor, noise_samples, noise_source
from mtprobe.methods.verdict import Outcome, Result
from mtprobe.statistics.agreement import proportion
from mtprobe.statistics.measure import Measure
from mtprobe.suite.sample import Contrast, Sample, Suite

NARROW = (0.46, 0.54)  # probabilities of the right reading that hardly prefer one
_NEARLY_ALL = 0.8
_CONTRADICTED = 0.10  # of the verdicts: beyond it, chance or ambiguous words do not explain it
_NOISY = 0.20  # of the margins
_LEAST = 10  # verdicts that a share is serious for
_EXAMPLES = 3
_ASKED = 4000  # samples that are aligned


@dataclass(frozen=True, slots=True)
class _Reading:
    """A decided sample, the reading that its verdict gives the translation, and the readings to choose from."""

    result: Result
    contrast: frozenset[tuple[str, ...]]
    reading: tuple[str, ...]


def diagnose(suite: Suite, results: Sequence[Result]) -> Iterator[Finding]:
    """All findings, whether they are serious or not."""
    if (margins := _narrow_margins(results)) is not None:
        yield margins
    if (noise := _within_noise(suite, results)) is not None:
        yield noise
    readings = list(_readings(suite.take(_ASKED).samples, results))
    if (twins := _twins(readings)) is not None:
        yield twins
    if (words := _same_words(readings)) is not None:
        yield words


def _narrow_margins(results: Sequence[Result]) -> Finding | None:
    decided = [result for result in results if result.verdict.probability is not None]
    if not decided:
        return None
    low, high = NARROW
    narrow = np.array([low <= (result.verdict.probability or 0.0) <= high for result in decided])
    if not narrow.any():
        return None
    share = _share(narrow, decided)
    text = f"hardly a preference: p is between {low} and {high} in {_counted(narrow)} verdicts"
    return Finding("narrow margins", text, share, _serious(share, _NEARLY_ALL))


def _within_noise(suite: Suite, results: Sequence[Result]) -> Finding | None:
    """Margins that are no larger than the differences between cues of one side; where `decide` is set, none decides."""
    by_id = {result.id: result for result in results}
    spread = [sample for sample in noise_samples(suite).get("synonyms", ()) if sample.id in by_id]
    evidence = [(sample, by_id[sample.id].verdict.evidence) for sample in spread]
    pooling = suite.options.get("pooling", "best")
    floor = noise_floor("synonyms", evidence, "", pooling).margin if evidence else None
    like_these = {sample.id for sample in suite.samples if noise_source(sample) == "synonyms"}
    scored = [result for result in results if result.verdict.margin is not None and result.id in like_these]
    if floor is None or not scored or suite.options.get("decide"):
        return None
    within = np.array([abs(result.verdict.margin or 0.0) <= floor for result in scored])
    share = _share(within, scored)
    text = (
        f"no larger than noise: {_counted(within)} margins are within the differences between cues of one side "
        f"({floor:.3f} nats per token)"
    )
    return Finding("noise", text, share, _serious(share, _NOISY))


def _readings(samples: Sequence[Sample], results: Sequence[Result]) -> Iterator[_Reading]:
    """Cues say which readings a verdict chose between, so that verdicts on different samples can be compared."""
    by_id = {result.id: result for result in results}
    for sample in samples:
        result = by_id.get(sample.id)
        if result is None or not isinstance(sample.cues, Contrast):
            continue
        if result.verdict.outcome not in (Outcome.CORRECT, Outcome.INCORRECT):
            continue
        sides = sample.cues.correct, sample.cues.incorrect
        right = result.verdict.outcome is Outcome.CORRECT
        yield _Reading(result, frozenset(sides), sides[0] if right else sides[1])


def _twins(readings: Sequence[_Reading]) -> Finding | None:
    """The same translation for opposite samples has one reading, so that one of the two verdicts is right, not both."""
    groups: dict[Hashable, list[_Reading]] = {}
    for item in readings:
        groups.setdefault((item.contrast, item.result.translation), []).append(item)
    twins = [(first, second) for members in groups.values() for first, second in _opposites(members)]
    if not twins:
        return None
    both = np.array([first.reading != second.reading for first, second in twins])
    share = _share(both, [first.result for first, _ in twins])
    text = f"contradictions: opposite samples with the same translation got the same verdict in {_counted(both)} pairs"
    examples = [f"{a.result.id}, {b.result.id}" for (a, b), bad in zip(twins, both, strict=True) if bad]
    return Finding("twins", text, share, _serious(share, _CONTRADICTED), tuple(examples[:_EXAMPLES]))


def _opposites(members: Sequence[_Reading]) -> Iterator[tuple[_Reading, _Reading]]:
    """Samples whose right readings differ, each with one partner."""
    sides: dict[bool, list[_Reading]] = {True: [], False: []}
    for item in members:
        right = item.result.verdict.outcome is Outcome.CORRECT
        side = item.reading if right else next(iter(item.contrast - {item.reading}), item.reading)
        sides[side == min(item.contrast)].append(item)
    yield from zip(sides[True], sides[False], strict=False)


def _same_words(readings: Sequence[_Reading]) -> Finding | None:
    """The same words for the focus usually have one reading: verdicts that differ from most others on them are wrong."""
    groups: dict[Hashable, list[_Reading]] = {}
    for item, words in zip(readings, _focus_words([item.result for item in readings]), strict=True):
        if words:
            groups.setdefault((item.contrast, words), []).append(item)
    several = {key: members for key, members in groups.items() if len(members) > 1}
    if not several:
        return None
    members, minority = [], []
    for group in several.values():
        usual = Counter(item.reading for item in group).most_common(1)[0][0]
        members += [item.result for item in group]
        minority += [item.reading != usual for item in group]
    mask = np.array(minority)
    share = _share(mask, members)
    text = f"opposite readings of the same words: {_counted(mask)} verdicts differ from most others on these words"
    examples = [result.id for result, bad in zip(members, mask, strict=True) if bad]
    return Finding("same words", text, share, _serious(share, _CONTRADICTED), tuple(examples[:_EXAMPLES]))


def _focus_words(results: Sequence[Result]) -> list[str]:
    """The words that translate the focus, with the word before them: an article may tell what the noun does not."""
    pairs = [SentencePair(result.source, result.translation or "") for result in results]
    alignments = open_aligner(DEFAULT).align(pairs)
    words = []
    for result, pair, alignment in zip(results, pairs, alignments, strict=True):
        tokens = pair.translation.lower().split()
        aligned = (
            aligned_to(alignment, tokens_in(pair.source, result.focus))
            if result.focus is not None and not isinstance(alignment, Failure)
            else []
        )
        first = max(0, aligned[0] - 1) if aligned else 0
        words.append(" ".join(tokens[first : aligned[-1] + 1]).strip(".,;:!?") if aligned else "")
    return words


def _share(counted: np.ndarray, results: Sequence[Result]) -> Measure:
    return proportion(counted, np.ones(len(counted), dtype=bool), [result.cluster for result in results])


def _serious(share: Measure, most: float) -> bool:
    return share.value is not None and share.n >= _LEAST and share.value > most


def _counted(counted: np.ndarray) -> str:
    return f"{int(counted.sum()):,} of {len(counted):,}"
