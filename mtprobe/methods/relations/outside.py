"""Differences between two translations outside the changed part of their sources, and whether they matter.

An alarm needs evidence that no rewording explains: words that only one translation has, words left in the source
language, a name, a number or a negation in one of the two. Other words for the same thing are not such evidence: then
nothing is decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

from mtprobe.language.comparison import Comparison, Lexicon, Reading, Segment, Word
from mtprobe.language.comparison.differences import compare_words
from mtprobe.language.comparison.reading import without_accents
from mtprobe.methods.relations.alarms import find_alarms
from mtprobe.methods.relations.changes import Run
from mtprobe.methods.relations.relation import Case, Finding
from mtprobe.methods.verdict import Outcome

_SLACK = 2  # words by which the translation of a changed word may be longer than the word
_LEAST = 4  # words of content in each translation before they can have too little in common
_IN_COMMON = 3  # a third of them must be shared
_UNBALANCED = 2  # words that one translation has more than the other, among those without a counterpart
_MOST_SEGMENTS = 12  # that are combined; more are no rewording of a word or two

Words: TypeAlias = tuple[Word, ...]


def judge_outside(case: Case, runs: Sequence[Run]) -> Finding:
    """Whether the translations differ only where the sources do."""
    first, second = case.first, case.second
    alarms = list(find_alarms(case, runs, first, second))
    if alarms:
        return Finding(Outcome.INCORRECT, alarms[0].reason, tuple(alarm.spans for alarm in alarms))
    known = [run for run in runs if _is_kept(run, first, second)]
    comparison = compare_words(
        _without(first, [run.first[0] for run in known]),
        _without(second, [run.second[0] for run in known]),
        case.reader.same,
    )
    lost, added = _rest(comparison, [run for run in runs if run not in known])
    least = min(len(first.content), len(second.content))
    if least >= _LEAST and comparison.shared * _IN_COMMON < least:
        return Finding(
            Outcome.INCORRECT, "the translations have little in common", ((first.text, second.text),)
        )
    if not lost and not added:
        return Finding.holds()
    spans = ((_text(lost), _text(added)),)
    sides = ((first, case.words[0]), (second, case.words[1]))
    longer, shorter = sides if len(lost) > len(added) else sides[::-1]
    if abs(len(lost) - len(added)) < _UNBALANCED and lost and added:
        return Finding(
            Outcome.UNDECIDED, f"other words: {Segment(lost, added)}; perhaps they mean the same", spans
        )
    if _missing(*longer, case.source) > 0 or _missing(*shorter, case.source) <= 0:
        return Finding(
            Outcome.UNDECIDED,
            f"one has more words: {Segment(lost, added)}; perhaps they mean the same",
            spans,
        )
    if lost and added:
        reason = f"“{_text(lost)}” in the first translation is “{_text(added)}” in the second"
    else:
        reason = f"only the {'first' if lost else 'second'} translation has “{_text(lost or added)}”"
    return Finding(Outcome.INCORRECT, reason, spans)


def _is_kept(run: Run, first: Reading, second: Reading) -> bool:
    """Whether one word replaces another, and each translation has its own as it is: a name."""
    if len(run.first) != 1 or len(run.second) != 1:
        return False
    return without_accents(run.first[0]) in first.bare and without_accents(run.second[0]) in second.bare


def _without(reading: Reading, words: Sequence[str]) -> list[Word]:
    bare = set(map(without_accents, words))
    return [word for word in reading.content if without_accents(word.folded) not in bare]


def _missing(translation: Reading, source: Sequence[str], lexicon: Lexicon) -> int:
    """How many more words of content the source has; 0 where its words are not known."""
    if not lexicon.known:
        return 0
    content = [word for word in source if lexicon.has_content(frozenset({word}))]
    return len([word for word in content if word not in lexicon.negation]) - len(translation.content)


def _text(words: Words) -> str:
    return " ".join(word.text for word in words)


def _rest(comparison: Comparison, runs: Sequence[Run]) -> tuple[Words, Words]:
    """The words without a counterpart that the change does not explain; the reading that needs the fewest of them."""
    segments = comparison.segments
    allowance = sum(max(len(run.first), len(run.second)) for run in runs) + _SLACK
    small = [place for place, segment in enumerate(segments) if segment.size <= allowance]
    replaced = [place for place in small if segments[place].first and segments[place].second]
    eligible = replaced if len(replaced) >= len(runs) else small
    count = min(len(runs), len(eligible))
    chosen: Iterator[tuple[int, ...]] = (
        combinations(eligible, count) if len(segments) <= _MOST_SEGMENTS else iter([()])
    )

    def remaining(explained: tuple[int, ...]) -> tuple[Words, Words]:
        rest = [segment for place, segment in enumerate(segments) if place not in explained]
        return (
            tuple(word for segment in rest for word in segment.first),
            tuple(word for segment in rest for word in segment.second),
        )

    def severity(rest: tuple[Words, Words]) -> tuple[int, int]:
        lost, added = rest
        return (0 if not lost and not added else 1 if lost and added else 2, len(lost) + len(added))

    return min(map(remaining, chosen), key=severity)
