"""Weighted accuracies by contrastive conditioning (Vamvas and Sennrich, 2021, appendix H)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mtprobe.backends.model import open_model
from mtprobe.errors import MtprobeError
from mtprobe.reproduce.laboratory import Laboratory, percents, printed
from mtprobe.reproduce.table import Cell, Table, mean_cell
from mtprobe.studies.regression import regress

_LANGUAGES = ("de", "ru")  # of the paper's models


def conditioning_table(
    lab: Laboratory,
    settings: str,
    data: Sequence[Mapping[str, Any]],
    columns: Mapping[str, tuple[int, str]],
    languages: Sequence[str] = (),
) -> Table:
    """The user's models, and the paper's beside them. `columns` say which printed figure, and which category.

    `languages` are those that the data is for, if it is for certain ones.
    """
    target = target_of(lab)
    cells: list[Cell] = []
    notes: list[str] = []
    if target is not None and languages and target not in languages:
        notes.append(f"the data is for models into {', '.join(languages)}, not into {target}")
    elif target is not None:
        runs = lab.judge_models(lab.suite(settings, data, target), lab.evaluators)
        for column, (_, category) in columns.items():
            shares = percents(runs, f"weighted_accuracy{category}")
            cells.append(mean_cell(lab.model_names, column, shares))
        if not lab.evaluators:
            notes.append("no --evaluator: the model judged itself; the paper used an ensemble")
    language = target if target in _LANGUAGES else "de"
    needs = "the authors' models; --model SPEC fills a row of its own"
    for name, row in printed("appendix-h")[language].items():
        for column, (place, _) in columns.items():
            cells.append(Cell(name, column, row[place], needs=needs))
    if target not in (None, language):
        notes.append(f"the models translate into {target}; the paper's translate into {language}")
    title = "Contrastive conditioning, weighted accuracy (Vamvas and Sennrich, 2021, appendix H)"
    return Table(title, tuple(cells), tuple(notes))


def regression_table(task: str, place: int) -> Table:
    """The regression on BLEU and distillation, over the printed figures of appendix H at this place."""
    cells: list[Cell] = []
    for language in _LANGUAGES:
        models = printed("appendix-h")[language]
        accuracies = [float(row[place]) for row in models.values()]
        on = {
            "BLEU": [float(row[0]) for row in models.values()],
            "distilled": [float(name.startswith("Student")) for name in models],
        }
        try:
            fitted = {part.name: part.value for part in regress(task, accuracies, on).coefficients}
            needs = ""
        except MtprobeError as error:  # statsmodels is not installed
            fitted, needs = {}, str(error).removeprefix("regress needs ")
        for name, text in printed("appendix-h")["regression"][task][language].items():
            checked = language == "de"
            cells.append(Cell(f"en-{language}", name, text, fitted.get(name), needs, checked))
    return Table(
        "Minimum accuracy on BLEU and distillation (Vamvas and Sennrich, 2021, table 3)",
        tuple(cells),
        (
            "over the printed figures of appendix H; teachers and models from scratch are not distilled",
            "the rows that are printed for en-ru are not quite those that table 3 was made from",
        ),
    )


def target_of(lab: Laboratory) -> str | None:
    """The language that the user's models translate into; None without models."""
    if not lab.models:
        return None
    source, target = lab.settings.get("source"), lab.settings.get("target")
    targets = {open_model(spec, source=source, target=target).languages.target for spec in lab.models}
    if len(targets) > 1:
        raise MtprobeError(f"the models translate into different languages: {', '.join(sorted(targets))}")
    return targets.pop()
