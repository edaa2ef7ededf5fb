"""The tables of docs/studies, from the records in reports/studies and from figures.json there.

    python -m benchmarks.studies                      # prints the tables
    python -m benchmarks.studies --write              # writes them into docs/studies
    python -m benchmarks.studies pack NAME RECORD…    # several records of the same suites become reports/studies/NAME.jsonl.gz

Figures that need text which we may not publish (BLEU, WinoMT, counts) are in figures.json; `benchmarks/study_figures.py` measures them.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from benchmarks import tables
from mtprobe.gates.judge import GateResult
from mtprobe.methods.verdict import Outcome
from mtprobe.metrics import MetricContext, answered, tally
from mtprobe.records import Run, SuiteRun, read_run, write_run
from mtprobe.statistics.measure import Measure
from mtprobe.studies.figures import read_figure
from mtprobe.studies.regression import regress

ROOT = Path(__file__).parent.parent
RECORDS = ROOT / "reports" / "studies"
FIGURES = RECORDS / "figures.json"
DOCS = ROOT / "docs" / "studies"
PLACE = re.compile(r"<!-- table: (?P<name>[\w-]+) -->\n.*?<!-- end of table -->", re.DOTALL)

GENDER = "gendered-occupations"
TWO_PEOPLE = "gendered-occupations-two-people"
SENSES = "everyday-words"

table = partial(tables.table, numbers=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the tables into docs/studies")
    verbs = parser.add_subparsers(dest="verb")
    packing = verbs.add_parser("pack", help="one small record of several runs")
    packing.add_argument("name")
    packing.add_argument("records", type=Path, nargs="+")
    args = parser.parse_args()
    if args.verb == "pack":
        pack(args.name, args.records)
        return
    if args.write:
        STUDENTS_TABLE.write_text(students_table(), encoding="utf-8")
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        if args.write:
            path.write_text(filled(text), encoding="utf-8")
        else:
            print(*(f"{name}\n\n{TABLES[name]()}\n" for name in PLACE.findall(text)), sep="\n")


def filled(text: str) -> str:
    """A page with its tables drawn again."""
    return PLACE.sub(
        lambda place: (
            f"<!-- table: {place['name']} -->\n\n{TABLES[place['name']]()}\n\n<!-- end of table -->"
        ),
        text,
    )


def pack(name: str, paths: Sequence[Path]) -> None:
    """Several records as one, with the names of files instead of their paths; of a model's runs of one suite, the first."""
    runs = [read_run(path) for path in paths]
    suites: dict[tuple[str, str], SuiteRun] = {}
    for suite in (suite for run in runs for suite in run.suites):
        suites.setdefault((suite.suite, suite.model.name), with_names_of_files(suite))
    RECORDS.mkdir(parents=True, exist_ok=True)
    write_run(RECORDS / f"{name}.jsonl.gz", Run(runs[0].facts, tuple(suites.values()), (), True))


def with_names_of_files(suite: SuiteRun) -> SuiteRun:
    return replace(
        suite,
        path=Path(suite.path).name,
        results=tuple(replace(result, path=Path(result.path).name) for result in suite.results),
        gates=tuple(replace(gate, path=Path(gate.path).name) for gate in suite.gates),
    )


@cache
def record(name: str) -> Run:
    return read_run(RECORDS / f"{name}.jsonl.gz")


@cache
def figures() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return content


def suite_of(run: str, model: str, suite: str) -> SuiteRun:
    return next(one for one in record(run).suites if (one.model.name, one.suite) == (model, suite))


def measure_of(suite: SuiteRun, key: str) -> Measure:
    """A figure, named as in gates."""
    figure = read_figure(key)
    context = MetricContext(
        tally(suite.results, suite.seed, suite.variants), answered(suite.categories, suite.results)
    )
    return figure.metric.measure(context, figure.selector)


def cell(run: str, model: str, suite: str, key: str) -> str:
    measure = measure_of(suite_of(run, model, suite), key)
    return shown(measure.value, measure.low, measure.high, measure.n)


def shown(value: float | None, low: float | None, high: float | None, n: int) -> str:
    """`.37 (.23–.54, n = 285)`"""
    if value is None or low is None or high is None:
        return "–"
    return f"{share(value)} ({share(low)}–{share(high)}, n = {n:,})"


def share(value: float) -> str:
    text = f"{value:.2f}"
    return text.replace("0.", ".", 1) if -1 < value < 1 and "0." in text else text


STUDENTS = {  # of the distillation study: layers, what they were trained on, seed
    "teacher": ("6+6", "–", "–"),
    **{
        f"student-{layers}-{target}{f'-seed{seed}' if seed else ''}": (layers, about, str(seed))
        for layers in ("3+3", "6+2")
        for target, about in (("references", "references"), ("teacher", "teacher's translations"))
        for seed in (0, 1)
    },
}
STUDENTS_HEAD = ("layers", "trained on", "seed")


def students() -> list[str]:
    present = {suite.model.name for suite in record("distillation").suites}
    return [model for model in STUDENTS if named(model) in present]


def named(student: str) -> str:
    """Names of models have no plus."""
    return student.replace("+", "-")


def students_quality() -> str:
    head = [
        *STUDENTS_HEAD,
        *(f"{name} {year}" for year in (2016, 2017) for name in ("BLEU", "difference", "chrF")),
    ]
    rows = []
    for model in students():
        cells = []
        for year in (2016, 2017):
            scores = figures()["text"][f"test_{year}.fr"][model]
            difference = "" if model == "teacher" else spread(scores["difference"], "+.1f")
            cells += [spread(scores["bleu"]), difference, f"{scores['chrf'][0]:.1f}"]
        rows.append([*STUDENTS[model], *cells])
    return table(head, rows)


def students_accuracy() -> str:
    keys = {
        "gender: male": (GENDER, "accuracy[male]"),
        "female": (GENDER, "accuracy[female]"),
        "two people: female": (TWO_PEOPLE, "accuracy[female]"),
        "senses: frequent": (SENSES, "accuracy[frequent]"),
        "rare": (SENSES, "accuracy[rare]"),
    }
    rows = [
        [*STUDENTS[model], *(cell("distillation", named(model), suite, key) for suite, key in keys.values())]
        for model in students()
    ]
    return table([*STUDENTS_HEAD, *keys], rows)


def students_undecided() -> str:
    """How many samples have no verdict, and why."""
    head = [
        *STUDENTS_HEAD,
        *(
            f"{name}: {what}"
            for name in ("gender", "two people", "senses")
            for what in ("undecided", "degenerate")
        ),
    ]
    rows = []
    for model in students():
        cells = []
        for suite in (GENDER, TWO_PEOPLE, SENSES):
            results = suite_of("distillation", named(model), suite).results
            outcomes = [result.verdict.outcome for result in results]
            for outcome in (Outcome.UNDECIDED, Outcome.DEGENERATE):
                cells.append(f"{outcomes.count(outcome)} of {len(results)}")
        rows.append([*STUDENTS[model], *cells])
    return table(head, rows)


OUTCOMES = {  # what distillation might cost, in percent
    "women": (GENDER, "accuracy[female]"),
    "women of two": (TWO_PEOPLE, "accuracy[female]"),
    "rare senses": (SENSES, "accuracy[rare]"),
}
STUDENTS_TABLE = RECORDS / "students.csv"


def observations() -> list[dict[str, Any]]:
    """For `mtprobe regress`: BLEU (the mean of both years), whether a model learned from the teacher's translations, and outcomes."""
    rows = []
    for model in students():
        layers, target, _ = STUDENTS[model]
        bleu = [figures()["text"][f"test_{year}.fr"][model]["bleu"][0] for year in (2016, 2017)]
        found = {
            name: measure_of(suite_of("distillation", named(model), suite), key).value or 0.0
            for name, (suite, key) in OUTCOMES.items()
        }
        rows.append(
            {
                "name": named(model),
                "line": layers,
                "bleu": round(sum(bleu) / len(bleu), 2),
                "distilled": target.startswith("teacher"),
                **{name: round(100 * value, 1) for name, value in found.items()},
            }
        )
    return rows


def students_table() -> str:
    """The observations as CSV."""
    rows, file = observations(), io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, "distilled": str(row["distilled"]).lower()} for row in rows)
    return file.getvalue()


def students_regression() -> str:
    """Outcomes fitted on BLEU and on whether a model is distilled."""
    everything = observations()
    rows = []
    for name, models in {"teacher and students": everything, "students": everything[1:]}.items():
        on = {key: [float(model[key]) for model in models] for key in ("bleu", "distilled")}
        for outcome in OUTCOMES:
            fit = regress(outcome, [model[outcome] for model in models], on)
            cells = [
                cell
                for found in fit.coefficients
                for cell in (spread((found.value, found.low, found.high), "+.1f"), probability(found.p))
            ]
            rows.append([outcome, f"{fit.n} {name}", *cells, share(fit.r_squared)])
    return table(["accuracy", "models", "per BLEU", "p", "distilled", "p", "R²"], rows)


def probability(p: float) -> str:
    return "&lt; .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def redistribution(kind: str) -> str:
    """Shares of all occurrences, in percent, and how they change from version to version."""
    counted = figures()["counts"][kind]
    rows = [
        [
            version,
            f"{counted['n']:,}",
            *(percent(counted["shares"][version][one]) for one in counted["classes"]),
        ]
        for version in ("references", *STUDENTS)
        if version in counted["shares"]
    ]
    return table(["version", "n", *counted["classes"]], rows)


def percent(measure: dict[str, Any]) -> str:
    return f"{100 * measure['value']:.1f} ({100 * measure['low']:.0f}–{100 * measure['high']:.0f})"


def repair(language: str) -> str:
    run, keys = f"repair-{language}", {
        "held-out occupations: female": (GENDER, "accuracy[female]"),
        "male": (GENDER, "accuracy[male]"),
        "two people, held-out occupations: female": (TWO_PEOPLE, "accuracy[female]"),
        "male ": (TWO_PEOPLE, "accuracy[male]"),
        "senses: frequent": (SENSES, "accuracy[frequent]"),
        "rare": (SENSES, "accuracy[rare]"),
    }  # fmt: skip
    rows = [
        [name.strip(), *(cell(run, model, suite, key) for model in REPAIRED[language])]
        for name, (suite, key) in keys.items()
    ]
    winomt = figures()["winomt"]
    for key in ("accuracy[female]", "accuracy[male]"):
        name = "WinoMT, occupations not trained on: female" if "female" in key else "male"
        rows.append([name, *(shown(*winomt[f"{run}/{model}"][key]) for model in REPAIRED[language])])
    for test_set, name in TEST_SETS[language].items():
        scores = [figures()["text"][test_set][model] for model in REPAIRED[language].values()]
        rows.append([f"BLEU, {name}", *(spread(score["bleu"]) for score in scores)])
        rows.append(["difference", "", *(spread(score["difference"], "+.1f") for score in scores[1:])])
        rows.append(["chrF", *(f"{score['chrf'][0]:.1f}" for score in scores)])
    return table(["", *(HEADS[model] for model in REPAIRED[language])], rows)


TEST_SETS = {
    "fr": {"test_2016.fr": "1,000 captions of 2016", "test_2017.fr": "1,000 captions of 2017"},
    "pt": {"test_tatoeba.pt": "600 sentences of Tatoeba"},
}
REPAIRED = {  # models by their names in records, and in figures of text
    "fr": {"before": "teacher", "after": "after-fr"},
    "pt": {"before": "demo", "after": "after-pt", "second": "second-pt"},
}
HEADS = {"before": "before", "after": "after", "second": "after, second setting"}


SETTINGS = {  # of repairing the demo model; each differs from the one above it in this
    "demo": "the demo model",
    "rp-2e-5": "rate 2e-5; 400 replayed sentences, half of the examples",
    "rp-2e-5-more": "2,400 replayed sentences, three quarters of the examples",
    "rp-2e-5-sharp": "labels not smoothed",
    "rp-2e-5-sharp-85": "replayed sentences 85 % of the examples",
}


def settings() -> str:
    """What a setting was chosen by."""
    rows = []
    for model, about in SETTINGS.items():
        training = figures()["training"].get(model, {**figures()["training"]["rp-2e-5"], "best_step": 0})
        right = {entry["step"]: entry["pairs_right"] for entry in training["validations"]}
        scores = figures()["text"]["dev_tatoeba.pt"][model]
        difference = "" if model == "demo" else spread(scores["difference"], "+.1f")
        rows.append([about, f"{right[training['best_step']]:.1%}", spread(scores["bleu"]), difference])
    return table(["setting", "validation: pairs right", "BLEU, 600 further sentences", "difference"], rows)


def gates(language: str) -> str:
    """Every gate of the two gender suites."""
    rows = []
    for suite in (GENDER, TWO_PEOPLE):
        before, after = (suite_of(f"repair-{language}", model, suite).gates for model in ("before", "after"))
        for first, then in zip(before, after, strict=True):
            rows.append([suite, f"`{first.key}`", f"`{first.bound}`", decision(first), decision(then)])
    return table(["suite", "gate", "bound", "before", "after"], rows)


def decision(gate: GateResult) -> str:
    value = "" if gate.measure is None or gate.measure.value is None else f", {gate.measure.value:.2f}"
    return f"{gate.decision.value}{value}"


def spread(values: Sequence[float], form: str = ".1f") -> str:
    """`47.9 (46.2–49.6)`"""
    value, low, high = values
    between = " to " if "+" in form else "–"
    return f"{value:{form}} ({low:{form}}{between}{high:{form}})".replace("-", "−")


PENALTY = {  # models of the study of the Pronoun Penalty: samples, objective
    "demo": ("0", "–"),
    "opus-mt": ("0", "–"),
    **{
        f"{objective}-{k}": (k, {"cross-entropy": "CE", "penalty": "CE + penalty"}[objective])
        for k in ("16", "32", "all")
        for objective in ("cross-entropy", "penalty")
    },
    "penalty-all-replay": ("all", "CE + penalty, replay"),
}


def few_shot(language: str) -> str:
    """Accuracy and bias of every model on new noun pairs of known templates, and on schemas that it has seen nothing of."""
    run, suites = (
        f"pronoun-penalty-{language}",
        {f"winograd-{language}": "generated", "winograd-schemas": "shipped"},
    )
    keys = ("accuracy", "pair_accuracy", "bias[gender]")
    head = ["samples", "objective", *(f"{name}: {key}" for name in suites.values() for key in keys)]
    rows = [
        [*PENALTY[model], *(cell(run, model, suite, key) for suite in suites for key in keys)]
        for model in trained_on_schemas(run)
    ]
    return table(head, rows)


def trained_on_schemas(run: str) -> list[str]:
    """The models of a record, in the order of the table."""
    return sorted({suite.model.name for suite in record(run).suites}, key=list(PENALTY).index)


def forgetting(language: str) -> str:
    """What a model can still do: plain text, gender, senses."""
    run, (test_set, untrained) = f"forgetting-{language}", FORGETTING[language]
    texts = figures()["text"][test_set]
    rows = [
        [
            *PENALTY[model],
            spread(texts[TEXTS_OF.get(model, model)]["bleu"]),
            "" if model == untrained else spread(texts[model]["difference"], "+.1f"),
            cell(run, model, GENDER, "accuracy[male]"),
            cell(run, model, GENDER, "accuracy[female]"),
            cell(run, model, SENSES, "accuracy"),
        ]
        for model in trained_on_schemas(run)
    ]
    return table(["samples", "objective", "BLEU", "difference", "male", "female", "senses"], rows)


def shortcut(language: str) -> str:
    """Accuracy on new noun pairs, by what a rule says that never reads the nouns (`study_figures.shortcut`)."""
    suite = f"winograd-{language}"
    groups = figures()["shortcuts"][suite]
    rows = []
    for model in trained_on_schemas(f"pronoun-penalty-{language}"):
        results = suite_of(f"pronoun-penalty-{language}", model, suite).results
        right = {result.id for result in results if result.verdict.outcome is Outcome.CORRECT}
        rows.append([*PENALTY[model], *(f"{len(right & {*ids})} of {len(ids)}" for ids in groups.values())])
    return table(["samples", "objective", *(f"rule {name}" for name in groups)], rows)


FORGETTING = {"pt": ("test_tatoeba.pt", "demo"), "fr": ("test_2016.fr", "opus-mt")}
TEXTS_OF = {"opus-mt": "teacher"}  # opus-mt-en-fr is the teacher of another study


TABLES: dict[str, Callable[[], str]] = {
    "students-quality": students_quality,
    "students-accuracy": students_accuracy,
    "students-undecided": students_undecided,
    "students-regression": students_regression,
    "genders": lambda: redistribution("genders"),
    "senses": lambda: redistribution("senses"),
    "repair-fr": lambda: repair("fr"),
    "repair-pt": lambda: repair("pt"),
    "settings-pt": settings,
    "gates-fr": lambda: gates("fr"),
    "gates-pt": lambda: gates("pt"),
    "few-shot-pt": lambda: few_shot("pt"),
    "few-shot-fr": lambda: few_shot("fr"),
    "shortcut-pt": lambda: shortcut("pt"),
    "shortcut-fr": lambda: shortcut("fr"),
    "forgetting-pt": lambda: forgetting("pt"),
    "forgetting-fr": lambda: forgetting("fr"),
}


if __name__ == "__main__":
    main()
