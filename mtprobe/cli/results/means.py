"""Means over runs as tables: for the terminal, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mtprobe.report.markdown import code, table
from mtprobe.studies.means import MeanFigure, Means


def means_title(means: Means) -> str:
    """`occupations · en→pt · contrastive-conditioning: 3 runs`."""
    parts = [part for part in (means.suite, means.shared, means.method) if part]
    return f"{' · '.join(parts)}: {len(means.over)} runs"


def means_rows(means: Means) -> Iterator[list[str]]:
    """A row per figure: its name, mean ± standard deviation, and the value of each run."""
    for figure in means.figures:
        values = dict(figure.values)
        yield [
            figure.key,
            _mean(figure),
            *(f"{values[name]:.3f}" if name in values else "–" for name in means.over),
        ]


def means_lines(means: Means) -> Iterator[str]:
    """Notes for readers."""
    yield from means.notes
    for figure in means.figures:
        for name, reason in figure.missing:
            yield f"{figure.key} is not known of {name}: {reason}"


def means_markdown(tables: Sequence[Means]) -> str:
    lines: list[str] = []
    for means in tables:
        lines += [f"### {code(means_title(means))}", ""]
        columns = ["", "mean ± deviation", *map(code, means.over)]
        lines += table(columns, ([code(row[0]), *row[1:]] for row in means_rows(means)))
        lines += ["", *(f"- {code(line)}" for line in means_lines(means)), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _mean(figure: MeanFigure) -> str:
    if figure.mean is None:
        return "–"
    deviation = figure.deviation
    return f"{figure.mean:.3f}{f' ± {deviation:.3f}' if deviation is not None else ''}"
