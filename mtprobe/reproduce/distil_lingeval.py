"""DistilLingEval (Vamvas and Sennrich, 2021, On the Limits of Minimal Pairs): pairs, discrepancies and accuracies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mtprobe.records import SuiteRun
from mtprobe.reproduce.conditioning import target_of
from mtprobe.reproduce.laboratory import Laboratory, nothing_found, percents, printed, values
from mtprobe.reproduce.table import Cell, Table, mean_cell
from mtprobe.suites import load_suite

NAME = "distil-lingeval"
ABOUT = "DistilLingEval: numbers of pairs, discrepancies and accuracies with human and machine references"
FILES = "distil-lingeval/PHENOMENON.human and PHENOMENON.mt, each with src.en, tgt.correct.de and tgt.incorrect.de"

_TARGET = "de"
_ORIGINS = ("human", "mt")


def tables(lab: Laboratory) -> Iterator[Table]:
    suites = _suites(lab)
    if not suites:
        raise nothing_found(NAME, lab.data, FILES)
    yield _pairs(lab, suites)
    runs: dict[str, list[SuiteRun]] = {}
    notes: tuple[str, ...] = ()
    target = target_of(lab)
    if target == _TARGET:
        runs = {name: lab.judge_models(suite) for name, suite in suites.items()}
    elif target is not None:
        notes = (f"the pairs are German; the models translate into {target}",)
    yield _accuracies(lab, runs, notes)


def _suites(lab: Laboratory) -> dict[str, Path]:
    """A suite for each folder that is here, by its name: `clause_omission.human`."""
    found = {}
    for phenomenon in printed(NAME)["pairs"]:
        for origin in _ORIGINS:
            name = f"{phenomenon}.{origin}"
            folder = lab.find(f"distil-lingeval/{name}", f"data/{name}", name)
            if folder is not None:
                entry = {"format": "distil-lingeval", "folder": folder, "target": _TARGET}
                path = lab.suite(NAME, [entry], _TARGET)
                found[name] = path.rename(path.with_name(f"{NAME}.{name}.mt.yaml"))
    return found


def _pairs(lab: Laboratory, suites: dict[str, Path]) -> Table:
    cells = []
    for phenomenon, columns in printed(NAME)["pairs"].items():
        for origin, text in columns.items():
            suite = suites.get(f"{phenomenon}.{origin}")
            count = len(load_suite(suite, lab.data).samples) if suite else None
            cells.append(Cell(phenomenon, origin, text, count, "the folders that are not here", True))
    return Table("Number of pairs (table 2)", tuple(cells))


def _accuracies(lab: Laboratory, runs: dict[str, list[SuiteRun]], notes: tuple[str, ...]) -> Table:
    """Tables 1 and 6: the printed models, and the user's, whose mean has a standard deviation as in table 1."""
    needs = "the authors' models; --model SPEC (into German) fills cells of its own"
    cells: list[Cell] = []
    for name, models in printed(NAME)["accuracies"].items():
        judged = runs.get(name, [])
        if judged:
            for metric in ("discrepancy", "discrepancy_clipped"):
                column = metric.replace("_", ", ")
                cells.append(mean_cell(name, f"{lab.model_names}: {column}", values(judged, metric), 2))
            shares = percents(judged, "accuracy")
            cells.append(mean_cell(name, f"{lab.model_names}: accuracy", shares))
        for model, (discrepancy, accuracy) in models.items():
            cells.append(Cell(name, f"{model}: discrepancy", discrepancy, needs=needs))
            cells.append(Cell(name, f"{model}: accuracy", accuracy, needs=needs))
    clipped = "the published code clips each sample's discrepancy at 0; the paper's formula does not"
    return Table("Discrepancy and accuracy (tables 1 and 6)", tuple(cells), (*notes, clipped))
