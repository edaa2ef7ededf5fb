"""An evaluator's audit on the command line: one table of all results, then advice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TextIO

from mtprobe.audit.fitness import CategoryFitness
from mtprobe.audit.outcome import Counterfactuals
from mtprobe.audit.wording import source_name
from mtprobe.report.audit import FITNESS_STYLES, advice, pairs_table
from mtprobe.report.numbers import share
from mtprobe.report.rich_text import console_for, empty_table, foreign, print_whole

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from mtprobe.studies.evaluator import EvaluatorAudit, FormAudit

_FILE_WIDTH = 120
_MOSTLY = 0.8  # of the samples: a witness that decides as many may as well be the first to judge
_LABEL = "label a sample of the translations: `mtprobe label RECORD -n 100`"


def show_evaluator(audit: EvaluatorAudit, stream: TextIO) -> None:
    console = console_for(stream, least=100 if stream.isatty() else _FILE_WIDTH)
    languages = audit.evaluator.languages.with_source(audit.suite.source)
    title = f"{audit.suite.name} · {languages} · evaluator {audit.evaluator.name}"
    if audit.pairs:
        console.print(pairs_table(f"{title} · audit pairs", audit.pairs))
    else:
        console.print(foreign(f"{title}: no audit pairs for {languages.target}"), soft_wrap=True)
    if audit.model is not None and any(form.judged for form in audit.forms):
        title = f"{title} · verdicts on translations by {audit.model.name}"
        print_whole(console, _everything(title, audit))
    in_place = any(form.audited for form in audit.forms)
    for line in (*advice(audit.pairs, name_best=not in_place), *_next_steps(audit)):
        console.print(foreign(line), soft_wrap=True)
    console.print()


def _everything(title: str, audit: EvaluatorAudit) -> Table:
    """By cue form: audit pairs, then what verdicts on translations were compared with, by category."""
    table = empty_table(title)
    table.add_column("cue form")
    for column in ("compared with", "category"):
        table.add_column(column)
    for column in ("decided", "agreement", "reported", "true, of the decided", "difference (95%)"):
        table.add_column(column, no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("verdicts are")
    for number, form in enumerate(audit.forms):
        name = form.form + (" *" if number == 0 and len(audit.forms) > 1 else "")
        for place, cells in enumerate(_rows(form)):
            table.add_row(foreign("" if place else name), *cells)
    return table


def _rows(form: FormAudit) -> Iterator[Iterable[RenderableType]]:
    if form.pairs is not None:
        accuracy, fitness = form.pairs.accuracy, form.pairs.fitness
        verdict = foreign(form.pairs.problem or fitness.value, FITNESS_STYLES[fitness])
        yield "audit pairs", "all", "–", share(accuracy.value), "–", "–", "–", f"{accuracy.n:,}", verdict
    compared = [row for row in form.in_place.fitness if row.measured] if form.in_place else []
    yield from (_cells(row, form.decided(row.category)) for row in compared)
    if form.in_place is not None:
        yield from map(_counterfactual_cells, form.in_place.counterfactuals)
    if not compared:
        yield "nothing else", "all", "–", "–", "–", "–", "–", "0", foreign("not audited", "red")


def _cells(row: CategoryFitness, decided: float) -> Iterator[RenderableType]:
    yield foreign(source_name(row.source))
    yield foreign(row.group)
    yield f"{decided:.0%}"
    yield from (share(measure.value) for measure in (row.agreement, row.reported, row.truth))
    yield f"{row.bias.value:+z.2f} ({row.bias.low:+z.2f} to {row.bias.high:+z.2f})"
    yield f"{row.bias.n:,}"
    yield foreign(row.fitness.value, FITNESS_STYLES[row.fitness])


def _counterfactual_cells(row: Counterfactuals) -> Iterator[RenderableType]:
    """The agreement is the share of pairs in which both readings are recognized."""
    yield "counterfactuals"
    yield foreign(row.category or "all")
    yield "–"
    yield share(row.both.value)
    yield from ("–", "–", "–")
    yield f"{row.both.n:,}"
    yield "–"


def _next_steps(audit: EvaluatorAudit) -> Iterator[str]:
    """Steps that would make the verdicts of runs more trustworthy."""
    used, best = audit.used, audit.best
    if audit.model is None:
        yield "next: name a model (--model) or a record (--record), so that verdicts on its translations are audited"
        return
    if not used.audited:
        yield f"next: nothing decides these samples without a model; {_LABEL}"
        return
    if used.fit:
        yield f"next: nothing; verdicts with {used.form} can be trusted on these translations"
        return
    yield from _other_form(used, best)
    witness = audit.witness
    if witness is not None and witness[1] >= _MOSTLY and audit.suite.combine is None:
        yield (
            f"next: {source_name(witness[0])} decides {witness[1]:.0%} of these samples: "
            f"`methods: [{witness[0]}, …]` with `combine: first-decided` lets it judge first"
        )
    corrected = "`corrected: true` decides gates on numbers that labels correct"
    if not audit.labelled:
        yield f"next: {_LABEL}; {corrected}"
    elif used.unfit and not audit.suite.corrected:
        yield f"next: {corrected}"


def _other_form(used: FormAudit, best: FormAudit | None) -> Iterator[str]:
    if best is not None and best is not used:
        yield (
            f"next: `cues: {best.form}` in the suite: in its worst category it {_usefulness(best)}; "
            f"{used.form} {_usefulness(used)}; `cues: best` chooses for each evaluator"
        )
    elif best is None:
        yield "next: every form of the cues is unfit with this evaluator: try another one, or other cues"


def _usefulness(form: FormAudit) -> str:
    found = form.usefulness
    return f"decides {found.decided:.0%} of the samples and agrees in {found.agreement:.2f} of them"
