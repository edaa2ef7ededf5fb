"""The input for finding cues: a suite's samples by word and sense, with translations of known reading."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.language import tags
from mtprobe.suite.labels import CORRECT, INCORRECT
from mtprobe.suite.sample import Sample, Suite


@dataclass(frozen=True, slots=True)
class FocusContext:
    """A sentence in which the word has a sense, with translations that have that sense and others that do not."""

    id: str
    source: str
    focus: tuple[int, int]
    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

    @property
    def spelling(self) -> str:
        """The focus in lower case."""
        return self.source[slice(*self.focus)].casefold()


@dataclass(frozen=True, slots=True)
class AmbiguousWord:
    """An ambiguous word: the contexts of each of its senses."""

    name: str
    senses: Mapping[str, tuple[FocusContext, ...]]
    pos: str = ""  # part of speech, if the suite says so

    @property
    def contexts(self) -> list[FocusContext]:
        """The contexts of all senses, sense by sense."""
        return [context for contexts in self.senses.values() for context in contexts]

    @property
    def forms(self) -> frozenset[str]:
        """The word's spellings in lower case; a word is not a cue for itself."""
        return frozenset({self.name.casefold(), *(context.spelling for context in self.contexts)})


@dataclass(frozen=True, slots=True)
class Material:
    """The words of a suite, and why some samples were skipped."""

    words: tuple[AmbiguousWord, ...]
    skipped: Mapping[str, int]  # number of samples by reason

    def digest(self) -> str:
        """Changes whenever the cues may change."""
        total = hashlib.sha256()
        for word in self.words:
            total.update(repr((word.name, word.pos, *word.senses.items())).encode("utf-8", "surrogatepass"))
        return total.hexdigest()[:12]


def read_material(suite: Suite, by: tuple[str, str], target: str | None) -> Material:
    """The suite's samples by the attributes for word and sense, with translations if a target language is given."""
    for name in by:
        if name not in suite.attributes:
            near = did_you_mean(name, suite.attributes)
            raise MtprobeError(f'{suite.path}: no sample has the attribute "{name}"{near}')
    known = _known_readings(suite, target) if target else {}
    by_word: dict[tuple[str, str], dict[str, list[FocusContext]]] = {}
    skipped: Counter[str] = Counter()
    for sample in suite.samples:
        missing = next((name for name in by if name not in sample.attributes), None)
        if sample.focus is None:
            skipped["no <focus> in the source"] += 1
        elif missing is not None:
            skipped[f'no attribute "{missing}"'] += 1
        else:
            word, sense = (str(sample.attributes[name]) for name in by)
            senses = by_word.setdefault((word, str(sample.attributes.get("pos", ""))), {})
            senses.setdefault(sense, []).append(_context(sample, sample.focus, target, known))
    words = [
        AmbiguousWord(name, {sense: tuple(contexts) for sense, contexts in senses.items()}, pos)
        for (name, pos), senses in by_word.items()
    ]
    alone = [word for word in words if len(word.senses) < 2]
    if alone:
        reason = "the only sense of its word, so there is nothing to distinguish it from"
        skipped[reason] = sum(len(contexts) for word in alone for contexts in word.senses.values())
    if len(alone) == len(words):
        why = "; ".join(f"{count} samples: {reason}" for reason, count in skipped.items())
        raise MtprobeError(f"{suite.path}: no word has two senses ({why})")
    return Material(tuple(word for word in words if len(word.senses) > 1), skipped)


Readings = Mapping[str, tuple[list[str], list[str]]]  # by sample: right and wrong translations


def _known_readings(suite: Suite, target: str) -> Readings:
    """Readings of samples' translations from audit pairs and labels.

    Labels of the reporting half stay unseen: verdicts with these cues will be compared with them.
    """
    readings: dict[str, tuple[list[str], list[str]]] = {}
    by_source: dict[str, list[str]] = {}
    for sample in suite.samples:
        by_source.setdefault(sample.source, []).append(sample.id)
    for label in suite.labels_for(target):
        if label.half == "reporting" or label.label not in (CORRECT, INCORRECT):
            continue
        for name in by_source.get(label.source, ()):
            right, wrong = readings.setdefault(name, ([], []))
            (right if label.label == CORRECT else wrong).append(label.translation)
    for pair in suite.audit_for(target):
        if not pair.by_category:
            right, wrong = readings.setdefault(pair.sample.id, ([], []))
            right.extend(pair.targets.get("correct", ()))
            wrong.extend(pair.targets.get("incorrect", ()))
    return readings


def _context(sample: Sample, focus: tuple[int, int], target: str | None, known: Readings) -> FocusContext:
    right: list[str] = []
    wrong: list[str] = []
    if target is not None:
        for language, texts in (sample.references or {}).items():
            right.extend(texts if tags.fits(language, target) else ())
        for language, contrast in (sample.targets or {}).items():
            right.extend(contrast.correct if tags.fits(language, target) else ())
            wrong.extend(contrast.incorrect if tags.fits(language, target) else ())
        known_right, known_wrong = known.get(sample.id, ([], []))
        right.extend(known_right)
        wrong.extend(known_wrong)
    return FocusContext(sample.id, sample.source, focus, _unique(right), _unique(wrong))


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
