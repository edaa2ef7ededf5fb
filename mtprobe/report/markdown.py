"""A run as Markdown, for a pull request or a CI step summary: short, failures first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from mtprobe.gates import Bound, GateResult
from mtprobe.methods.further import AGAINST, BACK, SOURCE
from mtprobe.methods.verdict import Outcome, Result, one_per_sample
from mtprobe.metrics import Measure
from mtprobe.metrics.repeats import repeats_of
from mtprobe.printable import printable
from mtprobe.records import Run, SuiteRun
from mtprobe.report.audit import audit_warning
from mtprobe.report.categories import category_rows
from mtprobe.report.charts.languages import EXPLAINED, LanguageCell, language_tables
from mtprobe.report.corrected import COLUMNS, beside, corrected_cells
from mtprobe.report.failure import marked
from mtprobe.report.headline import headline, is_fine, status_text
from mtprobe.report.in_place import alarms, audit_lines
from mtprobe.report.noise import noise_lines
from mtprobe.report.numbers import alarms as false_alarms
from mtprobe.report.numbers import bounds, interval, share, signature
from mtprobe.report.wrongness import confidence, wrongness

_WORST = 3  # samples per failed suite
_FLIPS = 20
_SPACES = re.compile(r"\s+")  # including line ends of every kind


def run_markdown(run: Run) -> str:
    """The summary; texts from outside are in code spans, where they are inert."""
    return "\n".join(_lines(run)) + "\n"


def code(text: object) -> str:
    """The text as a code span, whatever it contains."""
    plain = printable(_SPACES.sub(" ", str(text)).strip()) or " "
    longest = max((len(ticks) for ticks in re.findall("`+", plain)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{plain}{pad}{fence}"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], words: Sequence[str] = ()) -> Iterator[str]:
    """The first column is for names and those named in `words` for text; the others are for numbers."""
    yield f"| {' | '.join(columns)} |"
    yield "|" + "|".join("---" if column in (columns[0], *words) else "--:" for column in columns) + "|"
    for row in rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(text: str) -> str:
    """A bar would end the cell, and so would one after two backslashes."""
    return text.replace("\\|", "\\ |").replace("|", "\\|")


def _lines(run: Run) -> Iterator[str]:
    yield f"## mtprobe: {headline(run)}"
    if not run.whole:
        stopped = "The run was stopped before its end: suites may be missing"
        yield f"\n**{'Not every gate that was collected was judged' if run.unjudged else stopped}.**"
    for failed in run.failed:
        what = "was not done" if failed.interrupted else "could not be run"
        yield f"\n**{code(failed.suite)} {what} on {code(failed.title)}:** {code(failed.reason)}"
    for missing in run.unjudged:
        yield f"\n**Not judged:** {code(missing)}"
    for alarm in alarms(run):
        yield f"\n**{alarm.title}:** {code(alarm.suite.suite)} on {code(alarm.suite.model.name)} {code(f'{alarm.suite.source}→{alarm.suite.target}')}: {code(alarm.text)}"
    yield from _languages(run)
    for suite in sorted(run.suites, key=lambda suite: all(map(is_fine, suite.gates))):
        yield from _suite(suite)


def _languages(run: Run) -> Iterator[str]:
    for languages in language_tables(run):
        yield f"\n### {code(languages.model)}: lowest accuracy by target language\n"
        rows = [
            [f"{code(row.suite)} {code(row.method)}", *map(_language, row.cells)] for row in languages.rows
        ]
        yield from table(["suite", *map(code, languages.columns)], rows)
        yield f"\n<sub>{EXPLAINED}, with its 95 % interval and n; not passed: the worst of its gates</sub>"


def _language(cell: LanguageCell | None) -> str:
    if cell is None:
        return "–"
    status = f"<br>**{cell.status}**" if cell.status not in ("passed", "") else ""
    category = f"<br>{code(cell.category)}" if cell.category else ""
    measure = cell.measure
    return f"{share(measure.value)} ({interval(measure)}, {measure.n:,}){category}{status}"


def _suite(suite: SuiteRun) -> Iterator[str]:
    yield f"\n### {code(suite.suite)} · {code(suite.model.name)} {code(f'{suite.source}→{suite.target}')} · {code(suite.method)}\n"
    rows = [
        [
            status_text(gate) if is_fine(gate) else f"**{status_text(gate)}**",
            code(gate.key),
            share(gate.measure.value, gate.parsed_bound.value if gate.parsed_bound else None),
            _interval(gate.measure, gate.parsed_bound),
            f"{gate.measure.n:,}",
            code(gate.bound),
            code(note) if (note := _gate_note(gate)) else "",
        ]
        for gate in suite.gates
    ]
    if rows:
        columns = ["", "gate", "value", "interval", "n", "bound", "note"]
        yield from table(columns, rows, words=("gate", "bound", "note"))
    if warning := audit_warning(suite):
        yield f"\n**Warning:** {code(warning)}"
    for audited in audit_lines(suite):
        yield f"\n{code(audited.text)}"
    for line in noise_lines(suite):
        yield f"\n{code(line)}"
    if suite.stopped is not None:
        yield f"\n{code(suite.stopped)}"
    yield from _repeats(suite)
    yield from _categories(suite)
    yield from _flips(suite)
    if not all(map(is_fine, suite.gates)):
        yield from _worst(suite)
    yield f"\n<sub>{code(signature(suite))}</sub>"


def _interval(measure: Measure, bound: Bound | None = None) -> str:
    """With the bounds below it, where verdicts are withheld."""
    text = interval(measure, bound)
    return f"{text}<br>{bounds(measure)} with the undecided" if bounds(measure) else text


def _gate_note(gate: GateResult) -> str:
    return "; ".join(
        filter(None, (gate.reason or gate.xfail or gate.measure.note, beside(gate), gate.reversal))
    )


def _categories(suite: SuiteRun) -> Iterator[str]:
    categories = category_rows(suite)
    labelled = any(row.corrected for row in categories)
    controlled = any(row.false_alarms for row in categories)
    rows = [
        [
            "all" if row.overall else code(row.name) + (" (min)" if row.lowest else ""),
            share(row.accuracy.value),
            _interval(row.accuracy),
            f"{row.accuracy.n:,}",
            f"{row.undecided:,}",
            f"{row.degenerate:,}",
            f"{row.errors:,}",
            *([false_alarms(row.false_alarms)] if controlled else ()),
            *(corrected_cells(row.corrected or Measure.nothing()) if labelled else ()),
        ]
        for row in categories
    ]
    if rows:
        columns = ["category", "accuracy", "95 % interval", "n", "undecided", "degenerate", "errors"]
        columns += ["false alarms (95 %, n)"] if controlled else []
        columns += COLUMNS if labelled else ()
        yield from folded("Accuracy by category", table(columns, rows))


def _repeats(suite: SuiteRun) -> Iterator[str]:
    """The spread over repeats, and the samples whose verdict changes."""
    repeats = repeats_of(suite.results)
    if repeats is None:
        return
    yield f"\n{code(repeats)}"
    if repeats.flaky:
        shown = [f"- {code(sample.described)}" for sample in repeats.flaky[:_FLIPS]]
        more = len(repeats.flaky) - _FLIPS
        yield from folded(
            "Flaky samples, the most divided first", [*shown, *([f"- and {more} more"] if more > 0 else [])]
        )


def _flips(suite: SuiteRun) -> Iterator[str]:
    """Samples that regressed since the baseline, each once, even if several gates list it."""
    regressed = {
        flip.id: flip for gate in suite.gates if gate.regression for flip in gate.regression.regressed
    }
    results = {(result.id, result.repeat): result for result in suite.results}
    if regressed:
        lines = [
            line
            for flip in list(regressed.values())[:_FLIPS]
            if (flip.id, flip.repeat) in results
            for line in _sample(results[flip.id, flip.repeat], f"; before: {code(flip.translation or '–')}")
        ]
        if len(regressed) > _FLIPS:
            lines.append(f"- and {len(regressed) - _FLIPS} more")
        yield from folded(f"{len(regressed)} samples were right in the baseline but no longer are", lines)


def _worst(suite: SuiteRun) -> Iterator[str]:
    wrong = (Outcome.INCORRECT, Outcome.DEGENERATE, Outcome.ERROR)
    mistakes = (
        result for result in suite.results if result.verdict.outcome in wrong and not result.is_control
    )
    worst = one_per_sample(sorted(mistakes, key=wrongness))[:_WORST]
    if worst:
        lines = [line for result in worst for line in _sample(result)]
        ranked = any(confidence(result) is not None for result in worst)
        yield from folded("The most confident mistakes" if ranked else "Mistakes", lines)


def _sample(result: Result, more: str = "") -> Iterator[str]:
    yield f"- {code(result.name)} ({code(result.place)}): {result.verdict.outcome.value}"
    yield f"  - {code(marked(result.source, result.focus))}"
    yield f"  - {code(result.translation if result.translation is not None else '–')}{more}"
    for item in result.verdict.evidence:
        if item.side in (AGAINST, BACK):
            yield f"  - {item.side} {code(item.attributes.get(SOURCE, ''))}: {code(item.text)}"


def folded(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Lines that the reader unfolds."""
    yield f"\n<details><summary>{title}</summary>\n"
    yield from lines
    yield "\n</details>"
