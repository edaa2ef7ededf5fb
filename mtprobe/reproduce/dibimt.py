"""DiBiMT (Campolungo et al., 2022): accuracy, MISS and the measures of semantic bias, overall and by part of speech."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mtprobe.records import SuiteRun
from mtprobe.reproduce.conditioning import target_of
from mtprobe.reproduce.laboratory import Laboratory, nothing_found, percents, printed
from mtprobe.reproduce.table import Cell, Table, mean_cell

NAME = "dibimt"
ABOUT = "DiBiMT: accuracy, MISS, SFII, SPDI, MFS and MFS+, in all and by part of speech"
FILES = "dibimt/dibimt.json, in the layout that docs/explanation/lexicon.md describes"

_COLUMNS = {
    "accuracy": "accuracy",
    "MISS": "undecided",
    "MFS": "mfs",
    "MFS+": "mfs_plus",
    "SFII": "sfii",
    "SPDI": "spdi",
    "model errors": "model_errors",
}
_PARTS = ("all", "noun", "verb")


def tables(lab: Laboratory) -> Iterator[Table]:
    file = lab.find("dibimt/dibimt.json", "dibimt.json")
    if file is None:
        raise nothing_found(NAME, lab.data, FILES)
    target = target_of(lab)
    runs: list[SuiteRun] = []
    if target is not None:
        runs = lab.judge_models(lab.suite(NAME, [{"format": NAME, "file": file}], target))
    yield _by_part(lab, runs, target)
    expected = {name: rows for name, rows in printed(NAME).items() if name != "mean"}
    for language, systems in expected.items():
        if target in (None, language) or target not in expected:
            yield _systems(language, systems)


def _by_part(lab: Laboratory, runs: list[SuiteRun], target: str | None) -> Table:
    """Table 6, with the user's models beside the means over the paper's."""
    cells: list[Cell] = []
    for part in _PARTS:
        for column, metric in _COLUMNS.items() if runs else ():
            chosen = [_only(run, part) for run in runs]
            if any(run.results for run in chosen):
                row = f"{lab.model_names}, {part}"
                cells.append(mean_cell(row, column, percents(chosen, metric), 2))
    needs = "the authors' systems; --model SPEC fills rows of its own"
    cells += [
        Cell(f"mean of the paper, {part}", column, text, needs=needs)
        for part, columns in printed(NAME)["mean"].items()
        for column, text in columns.items()
    ]
    into = f" into {target}" if target else ""
    return Table(
        f"By part of speech{into} (table 6), in percent",
        tuple(cells),
        ("MISS is outside of the denominator; SFII and SPDI are unweighted over ranks and degrees",),
    )


def _only(run: SuiteRun, part: str) -> SuiteRun:
    """The samples of a part of speech."""
    if part == "all":
        return run
    kept = (result for result in run.results if str(result.attributes.get("pos", "")).casefold() == part)
    return replace(run, results=tuple(kept))


def _systems(language: str, systems: dict[str, dict[str, str]]) -> Table:
    cells = [
        Cell(system, column, text, needs="the authors' systems")
        for system, columns in systems.items()
        for column, text in columns.items()
    ]
    return Table(f"Systems into {language} (tables 3, 4, 5 and 8), in percent", tuple(cells))
