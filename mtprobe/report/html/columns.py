"""All samples of a run as columns, in blocks that the page's script decodes on demand.

A row is a sample in one suite run. The head has what filtering and sorting need for every row. Texts are in blocks
of `ROWS` rows: what models share of a sample (its source, its contrastive sources …) is a sheet, written once, and
what one model made of it is an answer. Positions in texts count UTF-16 units, as the script does.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from mtprobe.methods.verdict import TRANSLATION, Evidence, Result, Verdict
from mtprobe.records import Run, SuiteRun
from mtprobe.report.html.delta import delta, utf16
from mtprobe.report.wrongness import PLACE, WORST_FIRST, confidence, ranked
from mtprobe.suite.shipped import shown_path

ROWS = 2000
_LEVEL = 6  # of compression; 9 takes three times as long and saves one per cent
Pieces = tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class DataBlock:
    """A named piece of data: base64 of raw deflate of JSON, which a browser decodes without a library."""

    name: str
    text: str


@dataclass(slots=True)
class _Table:
    """Repeated values, each written once and referred to by its index."""

    places: dict[Hashable, int] = field(default_factory=dict)

    def place(self, value: Hashable) -> int:
        return self.places.setdefault(value, len(self.places))

    @property
    def values(self) -> list[Hashable]:
        return list(self.places)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """Samples shared by several models, with the evidence that does not depend on their translations."""

    number: int
    results: Sequence[Result]
    evidence: Sequence[Pieces]


def blocks(run: Run, reads: Sequence[str]) -> Iterator[DataBlock]:
    """Sheets, answers and the head. `reads` is the language of each suite run's evidence: source or target."""
    sheets = _sheets(run.suites)
    paths = _Table()
    for sheet in {sheet.number: sheet for sheet in sheets}.values():
        for place, rows in _cut(list(zip(sheet.results, sheet.evidence, strict=True))):
            yield _block(f"sheet-{sheet.number}-{place}", _sheet_columns(rows, paths))
    for number, (suite, sheet) in enumerate(zip(run.suites, sheets, strict=True)):
        for place, rows in _cut(list(zip(suite.results, sheet.evidence, strict=True))):
            yield _block(f"answers-{number}-{place}", _answer_columns(rows, reads[number]))
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
    yield _block("head", {"rows": ROWS, "runs": facts, "paths": paths.values, **_head(run.suites)})


def _block(name: str, value: Any) -> DataBlock:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        encoded = text.encode()
    except UnicodeEncodeError:  # a lone surrogate can only be written as an escape
        encoded = json.dumps(value, separators=(",", ":"), allow_nan=False).encode()
    compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, 9)
    return DataBlock(name, b64encode(compressor.compress(encoded) + compressor.flush()).decode())


def _head(suites: Sequence[SuiteRun]) -> dict[str, Any]:
    categories, combinations = _Table(), _Table()
    for suite in suites:
        for category in suite.categories:
            categories.place(category)
    results = [result for suite in suites for result in suite.results]
    verdicts = [result.verdict for result in results]
    columns = {
        "outcome": [PLACE[verdict.outcome] for verdict in verdicts],
        "category": [
            None if result.category is None else categories.place(result.category) for result in results
        ],
        "attributes": [combinations.place(_written(result.attributes.items())) for result in results],
        "sure": [
            rank for suite in suites for rank in ranked([confidence(result) for result in suite.results])
        ],
        "p": [_rounded(verdict.probability) for verdict in verdicts],
        "margin": [_rounded(verdict.margin if verdict.probability is None else None) for verdict in verdicts],
    }
    return {
        "outcomes": [outcome.value for outcome in WORST_FIRST],
        "categories": categories.values,
        "combinations": combinations.values,
        "columns": columns,
    }


def _written(attributes: Iterable[tuple[str, object]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)) for name, value in sorted(attributes))


def _rounded(value: float | None) -> int | None:
    """Thousandths, as the page shows them: integers are shorter than fractions."""
    return None if value is None else round(value * 1000)


def _cut(rows: Sequence[Any]) -> Iterator[tuple[int, Sequence[Any]]]:
    for place, start in enumerate(range(0, len(rows), ROWS)):
        yield place, rows[start : start + ROWS]


# -- sheets --


def _sheets(suites: Sequence[SuiteRun]) -> list[_Sheet]:
    """The sheet of each suite run. Runs on the same samples in the same order share one."""
    alike: dict[Hashable, list[int]] = {}
    for number, suite in enumerate(suites):
        ids = tuple(result.id for result in suite.results)
        alike.setdefault((suite.path, suite.digest, suite.method, suite.target, ids), []).append(number)
    sheets: dict[int, _Sheet] = {}
    for place, numbers in enumerate(alike.values()):
        group = [suites[number] for number in numbers]
        sheets.update(dict.fromkeys(numbers, _Sheet(place, group[0].results, _common(group))))
    return [sheets[number] for number in range(len(suites))]


def _common(suites: Sequence[SuiteRun]) -> list[Pieces]:
    """For each sample, the evidence of the first model that has any: a degenerate output has none."""
    return [
        next((given for result in results if (given := _given(result))), ())
        for results in zip(*(suite.results for suite in suites), strict=True)
    ]


def _given(result: Result) -> Pieces:
    """The evidence from the suite, without the model's own translation."""
    return tuple(item for item in result.verdict.evidence if item.side != TRANSLATION)


def _sheet_columns(rows: Sequence[tuple[Result, Pieces]], paths: _Table) -> dict[str, Any]:
    sides, variants = _Table(), _Table()
    columns: dict[str, list[Any]] = {
        name: [] for name in ("id", "source", "from", "to", "path", "line", "pieces")
    }
    evidence: dict[str, list[Any]] = {name: [] for name in ("side", "start", "end", "middle", "variant")}
    for result, pieces in rows:
        start, end = result.focus or (0, 0)
        columns["id"].append(result.name)
        columns["source"].append(result.source)
        columns["from"].append(utf16(result.source, start))
        columns["to"].append(utf16(result.source, end))
        columns["path"].append(paths.place(shown_path(result.path)))
        columns["line"].append(result.line)
        columns["pieces"].append(len(pieces))
        before = result.source
        for item in pieces:  # most differ from the previous text in a word or two
            kept, tail, middle = delta(before, item.text)
            evidence["side"].append(sides.place(item.side))
            evidence["start"].append(kept)
            evidence["end"].append(tail)
            evidence["middle"].append(middle)
            evidence["variant"].append(variants.place(_written(item.attributes.items())))
            before = item.text
    if any(result.context for result, _ in rows):
        columns["context"] = [" ".join(result.context) for result, _ in rows]
    return {**columns, **evidence, "sides": sides.values, "variants": variants.values}


# -- answers --


def _answer_columns(rows: Sequence[tuple[Result, Pieces]], reads: str) -> dict[str, Any]:
    """Scores refer to the sheet's evidence; a row with different evidence has its own."""
    reasons, choices = _Table(), _Table()
    columns: dict[str, list[Any]] = {
        name: [] for name in ("translation", "reason", "choice", "scored", "itself")
    }
    scores: list[int | None] = []
    offsets: dict[int, list[float]] = {}
    own: dict[int, list[Any]] = {}
    tokens: dict[int, list[Any]] = {}
    compared: dict[int, list[int]] = {}
    for number, (result, common) in enumerate(rows):
        verdict = result.verdict
        given = _given(result)
        alike = len(given) == len(common) and all(map(_same, given, common))
        columns["translation"].append(result.translation)
        columns["reason"].append(reasons.place(verdict.reason))
        columns["choice"].append(choices.place(verdict.choice or ""))
        columns["scored"].append(int(bool(given) and alike))
        columns["itself"].append(
            next((_rounded(item.score) for item in verdict.evidence if item.side == TRANSLATION), None)
        )
        if verdict.compared:
            text = result.translation or ""
            compared[number] = [utf16(text, place) for span in verdict.compared for place in span]
        if any(item.tokens for item in verdict.evidence):
            itself = [item for item in verdict.evidence if item.side == TRANSLATION]
            tokens[number] = [_tokens(item, result, reads) for item in (*given, *itself)]
        if not given:
            continue
        if not alike:
            own[number] = list(map(_alone, given))
            continue
        scores.extend(_rounded(item.score) for item in given)
        if any(item.offset for item in given):
            offsets[number] = [round(item.offset, 3) for item in given]
    return {
        **columns,
        **_deciders([result.verdict for result, _ in rows]),
        "scores": scores,
        "offsets": offsets,
        "own": own,
        "tokens": tokens,
        "compared": compared,
        "reasons": reasons.values,
        "choices": choices.values,
    }


def _deciders(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Which method decided, and what each one said; nothing unless methods are combined."""
    if not any(verdict.opinions for verdict in verdicts):
        return {}
    said = _Table()
    return {
        "by": [
            said.place((verdict.by, *(f"{name}: {outcome}" for name, outcome in verdict.opinions.items())))
            for verdict in verdicts
        ],
        "said": said.values,
    }


def _tokens(item: Evidence, result: Result, reads: str) -> list[int]:
    """Start, end and log-probability in hundredths of each token, in the text that was scored."""
    text = (result.translation or "") if reads == "source" else item.text
    return [
        number
        for start, end, value in item.tokens
        for number in (utf16(text, start), utf16(text, end), round(value * 100))
    ]


def _same(one: Evidence, other: Evidence) -> bool:
    return (one.side, one.text, one.attributes) == (other.side, other.text, other.attributes)


def _alone(item: Evidence) -> list[Any]:
    attributes = _written(item.attributes.items())
    return [item.side, item.text, _rounded(item.score), round(item.offset, 3), attributes]
