"""All samples of a run as columns, in blocks that the page's script opens when it needs them.

A row is a sample in one suite run. The head has what filters and the order need, of every row. Texts stand in blocks
of `ROWS` rows: what models share of a sample (its source, its contrastive sources …) is a sheet, written once, and
what one model made of it is an answer. Places in texts count UTF-16 units, as the script does.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from mtprobe.methods.verdict import TRANSLATION, Evidence, Result
from mtprobe.records import Run, SuiteRun
from mtprobe.report.html.blocks import Block, block
from mtprobe.report.html.delta import delta, utf16
from mtprobe.report.wrongness import PLACE, WORST_FIRST, confidence, ranked

ROWS = 2000
Pieces = tuple[Evidence, ...]


@dataclass(slots=True)
class _Table:
    """Values that repeat, each written once and named by its place."""

    places: dict[Hashable, int] = field(default_factory=dict)

    def place(self, value: Hashable) -> int:
        return self.places.setdefault(value, len(self.places))

    @property
    def values(self) -> list[Hashable]:
        return list(self.places)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """Samples that several models were asked, with the evidence that does not depend on what they answered."""

    number: int
    results: Sequence[Result]
    evidence: Sequence[Pieces]


def blocks(run: Run, reads: Sequence[str]) -> Iterator[Block]:
    """Sheets, answers and the head. `reads` says of each suite run in which language its evidence is."""
    sheets = _sheets(run.suites)
    paths = _Table()
    for sheet in {sheet.number: sheet for sheet in sheets}.values():
        for place, rows in _cut(list(zip(sheet.results, sheet.evidence, strict=True))):
            yield block(f"sheet-{sheet.number}-{place}", _sheet_columns(rows, paths))
    for number, (suite, sheet) in enumerate(zip(run.suites, sheets, strict=True)):
        for place, rows in _cut(list(zip(suite.results, sheet.evidence, strict=True))):
            yield block(f"answers-{number}-{place}", _answer_columns(rows, reads[number]))
    facts = [
        {
            "suite": suite.suite,
            "model": suite.model.name,
            "method": suite.method,
            "source": suite.source,
            "target": suite.target,
            "reads": language,
            "sheet": sheet.number,
            "n": len(suite.results),
        }
        for suite, sheet, language in zip(run.suites, sheets, reads, strict=True)
    ]
    yield block("head", {"rows": ROWS, "runs": facts, "paths": paths.values, **_head(run.suites)})


def _head(suites: Sequence[SuiteRun]) -> dict[str, Any]:
    categories, combinations = _Table(), _Table()
    for suite in suites:
        for category in suite.categories:
            categories.place(category)
    results = [result for suite in suites for result in suite.results]
    verdicts = [result.verdict for result in results]
    columns = {
        "outcome": [PLACE[one.outcome] for one in verdicts],
        "category": [None if one.category is None else categories.place(one.category) for one in results],
        "attributes": [combinations.place(_written(one.attributes.items())) for one in results],
        "sure": [
            rank for suite in suites for rank in ranked([confidence(result) for result in suite.results])
        ],
        "p": [_rounded(one.probability) for one in verdicts],
        "margin": [_rounded(one.margin if one.probability is None else None) for one in verdicts],
    }
    return {
        "outcomes": [one.value for one in WORST_FIRST],
        "categories": categories.values,
        "combinations": combinations.values,
        "columns": columns,
    }


def _written(attributes: Iterable[tuple[str, object]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)) for name, value in sorted(attributes))


def _rounded(value: float | None) -> int | None:
    """Thousandths: what the page shows. Whole numbers are shorter than fractions."""
    return None if value is None else round(value * 1000)


def _cut(rows: Sequence[Any]) -> Iterator[tuple[int, Sequence[Any]]]:
    for place, start in enumerate(range(0, len(rows), ROWS)):
        yield place, rows[start : start + ROWS]


# -- sheets --


def _sheets(suites: Sequence[SuiteRun]) -> list[_Sheet]:
    """The sheet of each suite run. Those that asked the same samples in the same order share one."""
    alike: dict[Hashable, list[int]] = {}
    for number, suite in enumerate(suites):
        ids = tuple(result.id for result in suite.results)
        alike.setdefault((suite.path, suite.digest, suite.method, suite.target, ids), []).append(number)
    found: dict[int, _Sheet] = {}
    for place, numbers in enumerate(alike.values()):
        some = [suites[number] for number in numbers]
        found.update(dict.fromkeys(numbers, _Sheet(place, some[0].results, _common(some))))
    return [found[number] for number in range(len(suites))]


def _common(suites: Sequence[SuiteRun]) -> list[Pieces]:
    """Of each sample the evidence of the first model that has any: a degenerate output has none."""
    return [
        next((given for one in same if (given := _given(one))), ())
        for same in zip(*(suite.results for suite in suites), strict=True)
    ]


def _given(result: Result) -> Pieces:
    """The evidence that the suite brings; the model's own translation is none of it."""
    return tuple(one for one in result.verdict.evidence if one.side != TRANSLATION)


def _sheet_columns(rows: Sequence[tuple[Result, Pieces]], paths: _Table) -> dict[str, Any]:
    sides, variants = _Table(), _Table()
    columns: dict[str, list[Any]] = {
        name: [] for name in ("id", "source", "from", "to", "path", "line", "pieces")
    }
    evidence: dict[str, list[Any]] = {name: [] for name in ("side", "start", "end", "middle", "variant")}
    for result, pieces in rows:
        start, end = result.focus or (0, 0)
        columns["id"].append(result.id)
        columns["source"].append(result.source)
        columns["from"].append(utf16(result.source, start))
        columns["to"].append(utf16(result.source, end))
        columns["path"].append(paths.place(result.path))
        columns["line"].append(result.line)
        columns["pieces"].append(len(pieces))
        before = result.source
        for one in pieces:  # most differ in a word or two from what stands before them
            kept, tail, middle = delta(before, one.text)
            evidence["side"].append(sides.place(one.side))
            evidence["start"].append(kept)
            evidence["end"].append(tail)
            evidence["middle"].append(middle)
            evidence["variant"].append(variants.place(_written(one.attributes.items())))
            before = one.text
    return {**columns, **evidence, "sides": sides.values, "variants": variants.values}


# -- answers --


def _answer_columns(rows: Sequence[tuple[Result, Pieces]], reads: str) -> dict[str, Any]:
    """Scores of a row are given for the sheet's evidence; a row whose evidence is another's brings its own."""
    reasons, choices = _Table(), _Table()
    columns: dict[str, list[Any]] = {
        name: [] for name in ("translation", "reason", "choice", "scored", "itself")
    }
    scores: list[int | None] = []
    offsets: dict[int, list[float]] = {}
    own: dict[int, list[Any]] = {}
    tokens: dict[int, list[Any]] = {}
    for number, (result, common) in enumerate(rows):
        verdict = result.verdict
        given = _given(result)
        alike = len(given) == len(common) and all(map(_same, given, common))
        columns["translation"].append(result.translation)
        columns["reason"].append(reasons.place(verdict.reason))
        columns["choice"].append(choices.place(verdict.choice or ""))
        columns["scored"].append(int(bool(given) and alike))
        columns["itself"].append(
            next((_rounded(one.score) for one in verdict.evidence if one.side == TRANSLATION), None)
        )
        if any(one.tokens for one in verdict.evidence):
            itself = [one for one in verdict.evidence if one.side == TRANSLATION]
            tokens[number] = [_tokens(one, result, reads) for one in (*given, *itself)]
        if not given:
            continue
        if not alike:
            own[number] = [_alone(one) for one in given]
            continue
        scores.extend(_rounded(one.score) for one in given)
        if any(one.offset for one in given):
            offsets[number] = [round(one.offset, 3) for one in given]
    return {
        **columns,
        "scores": scores,
        "offsets": offsets,
        "own": own,
        "tokens": tokens,
        "reasons": reasons.values,
        "choices": choices.values,
    }


def _tokens(one: Evidence, result: Result, reads: str) -> list[int]:
    """Start, end and log-probability in hundredths of each token, in the text that was scored."""
    text = (result.translation or "") if reads == "source" else one.text
    return [
        number
        for start, end, value in one.tokens
        for number in (utf16(text, start), utf16(text, end), round(value * 100))
    ]


def _same(one: Evidence, other: Evidence) -> bool:
    return (one.side, one.text, one.attributes) == (other.side, other.text, other.attributes)


def _alone(one: Evidence) -> list[Any]:
    return [one.side, one.text, _rounded(one.score), round(one.offset, 3), _written(one.attributes.items())]
