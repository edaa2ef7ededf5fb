"""Parallel text → minimal pairs: streamed, each line independent of the others."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

from mtprobe.authoring.corpus.parallel import Corpus, blocks
from mtprobe.authoring.pairs.change import Change, Dropped, Kind, Line
from mtprobe.authoring.pairs.validate import Validated, validated
from mtprobe.backends.protocols import LanguagePair
from mtprobe.errors import Failure
from mtprobe.language.tagging import Tagger
from mtprobe.methods.degenerate import degenerate
from mtprobe.progress import Progress

Origin: TypeAlias = Literal["human", "machine"]
Translate: TypeAlias = Callable[[Sequence[str]], Mapping[str, str | Failure]]
T = TypeVar("T")

_LINES, _LINES_WITH_MODEL = 2000, 500  # per block
_DAMAGED = re.compile("[ÃÂ][\u0080-\u00bf]|\ufffd")  # UTF-8 decoded as another encoding
ABSENT = "the phenomenon is not in it"


@dataclass(frozen=True, slots=True)
class GeneratedPair:
    """A source, a correct target and an incorrect one."""

    kind: str
    origin: Origin
    source: str
    correct: str
    incorrect: str
    line: int
    group: str
    how: str = ""  # of a machine translation: kept or swapped

    @property
    def digest(self) -> str:
        return _hash(self.kind, self.origin, self.source, self.correct, self.incorrect)[:12]


@dataclass(slots=True)
class PairCounts:
    """How many lines were read, how many pairs they gave, and why others were skipped; by kind and origin."""

    lines: int = 0
    made: Counter[tuple[str, Origin]] = field(default_factory=Counter)
    swapped: Counter[str] = field(default_factory=Counter)
    skipped: dict[tuple[str, Origin], Counter[str]] = field(default_factory=dict)

    def skip(self, kind: str, origin: Origin, reason: str) -> None:
        self.skipped.setdefault((kind, origin), Counter())[reason] += 1


@dataclass(frozen=True, slots=True)
class Making:
    """How pairs are made."""

    kinds: tuple[Kind, ...]
    tagger: Tagger
    languages: LanguagePair
    origins: tuple[Origin, ...] = ("human",)
    translate: Translate | None = None  # for `machine`
    seed: int = 0


def make_pairs(
    corpus: Corpus, making: Making, counts: PairCounts, progress: Progress
) -> Iterator[GeneratedPair]:
    """The pairs in the order of the lines; duplicates are counted and skipped."""
    seen: set[str] = set()
    progress.start("making pairs", corpus.size)
    try:
        for block in blocks(corpus, _LINES_WITH_MODEL if making.translate else _LINES):
            rows = [(source.strip(), target.strip()) for source, target in block.rows(corpus)]
            counts.lines += len(rows)
            for pair in _pairs(rows, block.first, making, counts):
                if pair.digest in seen:
                    counts.skip(pair.kind, pair.origin, "duplicate pair")
                    continue
                seen.add(pair.digest)
                counts.made[pair.kind, pair.origin] += 1
                counts.swapped[pair.kind] += pair.how == "swapped"
                yield pair
            progress.advance(block.read)
    finally:
        progress.done()


def _pairs(
    rows: Sequence[tuple[str, str]], first: int, making: Making, counts: PairCounts
) -> Iterator[GeneratedPair]:
    tagged = making.tagger.tag([target for _, target in rows])
    lines = [
        Line(source, target, tuple(tokens)) for (source, target), tokens in zip(rows, tagged, strict=True)
    ]
    by_kind = {kind.name: [_references(kind, line) for line in lines] for kind in making.kinds}
    if "human" in making.origins:
        for kind in making.kinds:
            for number, (line, changes) in enumerate(
                zip(lines, by_kind[kind.name], strict=True), start=first
            ):
                if isinstance(changes, Dropped):
                    counts.skip(kind.name, "human", changes.reason)
                else:
                    yield _human(kind, line, changes, number, making.seed)
    if making.translate is not None and "machine" in making.origins:
        yield from _machine(lines, by_kind, first, making, counts)


def _references(kind: Kind, line: Line) -> list[Change] | Dropped:
    """The possible changes of a reference, or the first reason why there are none."""
    if not line.source or not line.target:
        return Dropped("a side is empty")
    if line.source == line.target:
        return Dropped("source and target are the same")
    if _DAMAGED.search(line.target) or _DAMAGED.search(line.source):
        return Dropped("its encoding is damaged")
    candidates = list(kind.changes(line))
    changes = [
        change
        for change in candidates
        if isinstance(change, Change) and change.applied_to(line.target) != line.target
    ]
    dropped = [candidate for candidate in candidates if isinstance(candidate, Dropped)]
    return changes or (dropped[0] if dropped else Dropped(ABSENT))


def _human(kind: Kind, line: Line, changes: Sequence[Change], number: int, seed: int) -> GeneratedPair:
    change = chosen(changes, seed, kind.name, line.source, line.target)
    wrong = change.applied_to(line.target)
    return GeneratedPair(kind.name, "human", line.source, line.target, wrong, number, change.group)


def _machine(
    lines: Sequence[Line],
    by_kind: Mapping[str, Sequence[list[Change] | Dropped]],
    first: int,
    making: Making,
    counts: PairCounts,
) -> Iterator[GeneratedPair]:
    """Only lines whose reference shows the phenomenon are translated: others could not be validated."""
    assert making.translate is not None  # noqa: S101 - checked before
    wanted = [
        line.source
        for number, line in enumerate(lines)
        if any(isinstance(changes[number], list) for changes in by_kind.values())
    ]
    translations = making.translate(wanted) if wanted else {}
    analysed = _analysed(translations, making)
    for kind in making.kinds:
        for number, (line, changes) in enumerate(zip(lines, by_kind[kind.name], strict=True)):
            if isinstance(changes, Dropped):
                counts.skip(kind.name, "machine", f"in the reference: {changes.reason}")
                continue
            translated = analysed[line.source]
            pairs = translated if isinstance(translated, Dropped) else validated(kind, changes, translated)
            if isinstance(pairs, Dropped):
                counts.skip(kind.name, "machine", pairs.reason)
            else:
                yield _validated(kind, line.source, pairs, first + number, making.seed)


def _analysed(translations: Mapping[str, str | Failure], making: Making) -> dict[str, Line | Dropped]:
    good: list[tuple[str, str]] = []
    analysed: dict[str, Line | Dropped] = {}
    for source, text in translations.items():
        if isinstance(text, Failure):
            analysed[source] = Dropped("the model gave no translation")
        elif degenerate(source, text, making.languages) is not None:
            analysed[source] = Dropped("the translation is degenerate")
        else:
            good.append((source, " ".join(text.split())))
    for (source, text), tokens in zip(good, making.tagger.tag([text for _, text in good]), strict=True):
        analysed[source] = Line(source, text, tuple(tokens))
    return analysed


def _validated(kind: Kind, source: str, pairs: Sequence[Validated], number: int, seed: int) -> GeneratedPair:
    pair = chosen(pairs, seed, kind.name, source, pairs[0].correct)
    return GeneratedPair(
        kind.name, "machine", source, pair.correct, pair.incorrect, number, pair.group, pair.how
    )


def chosen(options: Sequence[T], seed: int, *texts: str) -> T:
    """One of several, depending only on the seed and the line's texts."""
    return options[int(_hash(str(seed), *texts)[:12], 16) % len(options)]


def _hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
