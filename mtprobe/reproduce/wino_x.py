"""Wino-X (Emelin and Sennrich, 2021): composition, accuracy and bias of translation models, accuracy of language models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from mtprobe.backends.model import open_model
from mtprobe.backends.scorer import reads_sources
from mtprobe.metrics import Measure
from mtprobe.records import SuiteRun
from mtprobe.reproduce.laboratory import Laboratory, nothing_found, printed, values
from mtprobe.reproduce.table import Cell, Table, mean_cell
from mtprobe.suites import load_suite

NAME = "wino-x"
ABOUT = "Wino-X: composition, accuracy, gender and position bias; accuracy of masked language models"
FILES = "wino-x/mt_wino_x/… and wino-x/lm_wino_x/…, JSON Lines with en_de, en_fr or en_ru (also en-de) in their names"

_COLUMNS = {"accuracy": "accuracy", "gender bias": "bias[gender]", "position bias": "bias[position]"}


def tables(lab: Laboratory) -> Iterator[Table]:
    found = False
    for language in printed(NAME):
        for part in ("mt", "lm"):
            path = _file(lab, part, language)
            if path is not None:
                found = True
                yield from _part(lab, part, language, path)
    if not found:
        raise nothing_found(NAME, lab.data, FILES)


def _file(lab: Laboratory, part: str, language: str) -> str | None:
    """The file of a part and a language: `mt_wino_x/mt_wino_x.en-de.jsonl`, or under the names of other copies."""
    for pair in (f"en_{language}", f"en-{language}"):
        folders = (f"wino-x/{part}_wino_x/*{pair}*.jsonl", f"{part}_wino_x/*{pair}*.jsonl")
        for path in lab.listed(*folders, f"wino-x/*{part}*{pair}*.jsonl", f"wino-x/{part}/*{pair}*.jsonl"):
            return str(path.relative_to(lab.data)).removesuffix(".gz")
    return None


def _part(lab: Laboratory, part: str, language: str, file: str) -> Iterator[Table]:
    expected = printed(NAME)[language]
    if part == "lm":
        for side, source in ((language, "en"), ("en", language)):
            # Language models see one language; the other one is only named.
            entry = {"format": NAME, "file": file, "target": side}
            suite = lab.suite("wino-x-lm", [entry], side, source)
            if side == language:
                yield _composition(
                    lab, suite, f"LM part, en-{language}", expected["language models"]["composition"]
                )
            yield _language_models(lab, suite, language, side)
        return
    entry = {"format": NAME, "file": file, "target": language, "order": "authors"}
    suite = lab.suite(NAME, [entry], language)
    yield _composition(lab, suite, f"MT part, en-{language}", expected["composition"])
    yield _models(lab, suite, language, expected["models"])


def _composition(lab: Laboratory, path: Path, title: str, expected: dict[str, str]) -> Table:
    samples = load_suite(path, lab.data).samples
    ours = {"schemas": len({sample.cluster for sample in samples}), "samples": len(samples)}
    cells = [Cell(title, name, text, ours[name], checked=True) for name, text in expected.items()]
    return Table(f"{title}: composition (table 1)", tuple(cells))


def _models(lab: Laboratory, suite: Path, language: str, expected: dict[str, dict[str, str]]) -> Table:
    cells: list[Cell] = []
    runs = _judged(lab, suite, language, wants_sources=True)
    if runs:
        for column, metric in _COLUMNS.items():
            digits = 4 if column == "accuracy" else 2
            cells.append(mean_cell(lab.model_names, column, values(runs, metric), digits))
        importances = [d for run in runs if (d := _importance(run)) is not None]
        if importances:
            cells.append(mean_cell(lab.model_names, "trigger importance", importances, 2))
    needs = "the authors' models; --model SPEC fills a row of its own"
    cells += [
        Cell(model, column, text, needs=needs)
        for model, columns in expected.items()
        for column, text in columns.items()
    ]
    return Table(
        f"Translation models, en-{language} (tables 3 to 5)",
        tuple(cells),
        (
            "|RBC| with genders ranked feminine, masculine, neuter, as in the authors' code",
            "trigger importance needs --salience N; it is over tokens, as in the authors' code",
        ),
    )


def _importance(run: SuiteRun) -> Measure | None:
    """Cohen's d over tokens, as it was published."""
    published = run.salience.as_published if run.salience else None
    return published.d if published and published.d.value is not None else None


def _language_models(lab: Laboratory, suite: Path, language: str, side: str) -> Table:
    column = f"accuracy in {side}"
    runs = _judged(lab, suite, side, wants_sources=False)
    cells = [mean_cell(lab.model_names, column, values(runs, "accuracy"), 2)] if runs else []
    needs = "the authors' models; --model mlm:NAME_OR_PATH fills a row of its own"
    for model, columns in printed(NAME)[language]["language models"].items():
        if model != "composition":
            cells.append(Cell(model, column, columns[column], needs=needs))
    return Table(f"Language models on en-{language}, {side} (table 8)", tuple(cells))


def _judged(lab: Laboratory, suite: Path, target: str, *, wants_sources: bool) -> list[SuiteRun]:
    """The user's models that fit: translation models of the direction, or language models."""
    settings: dict[str, Any] = dict(lab.settings)
    if not wants_sources:
        settings |= {"source": None, "target": target}
    fitting = []
    for spec in lab.models:
        model = open_model(spec, source=settings.get("source"), target=settings.get("target"))
        reads = reads_sources(model.backend)
        if reads == wants_sources and (not reads or model.languages.target.startswith(target)):
            fitting.append(spec)
    return replace(lab, models=tuple(fitting), settings=settings).judge_models(suite) if fitting else []
