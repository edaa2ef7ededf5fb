"""How often verdicts are right: judged by people, per suite, language, cue form and scoring.

    MTPROBE_MODELS=… python -m benchmarks.verdicts [--half tuning] [--write]

Two readers labelled translations of the shipped suites, blind to the verdicts. The words of a suite are split in two
halves by a hash: cues, margins and word lists were chosen on the tuning half, and the table shows the reporting half.
`--write` puts it into docs/explanation/verdicts.md. Rows marked *before* are judged with the suites of an earlier revision, which git has.
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

import mtprobe
from benchmarks.tables import table, write
from mtprobe.methods.verdict import Outcome, Result
from mtprobe.records import SuiteRun
from mtprobe.statistics.clustered import cluster_ratio
from mtprobe.suite.labels import Label, half_of
from mtprobe.suites import load_suite

ROOT = Path(__file__).parent.parent
SUITES = ROOT / "suites"
DOCS = ROOT / "docs" / "explanation" / "verdicts.md"
PLACE = "verdicts"
BEFORE = (
    "e2a7f81"  # the last revision whose suites were judged by contrastive conditioning of whole sentences
)

CONDITIONING = {"method": "contrastive-conditioning", "methods": None, "combine": None, "decide": None}
WITHOUT_EVALUATOR = {"methods": None, "combine": None, "decide": None, "scoring": None, "pooling": None}
SENTENCE = {**CONDITIONING, "scoring": "sentence"}
FOCUS = {**CONDITIONING, "scoring": "focus"}
MARGIN = {"decide": {"margin": "auto"}}
FORMS = ("woman-man", "female-male", "behind", "commas", "brackets")


@dataclass(frozen=True)
class Way:
    """A way to judge a suite: changes to its keys, as YAML would have them; None removes a key."""

    name: str
    keys: Mapping[str, Any] = field(default_factory=dict)
    revision: str | None = None  # of the suite's files


SHIPPED = Way("as shipped")
OCCUPATIONS = (
    Way("before", revision=BEFORE),
    *(
        Way(f"{form}, {name}", {**scoring, "cues": form})
        for form in FORMS
        for name, scoring in (("sentence", SENTENCE), ("focus", FOCUS))
    ),
    Way("best form, focus, margin", {**FOCUS, **MARGIN, "cues": "best"}),
    Way("grammar alone", WITHOUT_EVALUATOR | {"method": "gender-morphology"}),
    SHIPPED,
)
TWO_PEOPLE = (Way("before", revision=BEFORE), SHIPPED)
BEST, MEAN = {"pooling": "best"}, {"pooling": "mean"}
SENSES = (
    Way("before", revision=BEFORE),
    Way("sentence, best cue", {**SENTENCE, **BEST}),
    Way("sentence, mean of cues", {**SENTENCE, **MEAN}),
    Way("focus, best cue", {**FOCUS, **BEST}),
    Way("focus, mean of cues", {**FOCUS, **MEAN}),
    Way("focus, mean of cues, margin", {**FOCUS, **MEAN, **MARGIN}),
    Way("lexicon alone", WITHOUT_EVALUATOR | {"method": "lexicon"}),
    SHIPPED,
)
# Translations that the evaluator did not write: Google's of WinoMT, judged by the demo model.
WINOMT = (
    Way("before", revision=BEFORE),
    Way("woman-man, focus", FOCUS),
    Way("woman-man, focus, margin", {**FOCUS, **MARGIN}),
    Way("grammar alone", WITHOUT_EVALUATOR | {"method": "gender-morphology"}),
    SHIPPED,
)
TABLE = {
    "gender/occupations": OCCUPATIONS,
    "gender/two-people": TWO_PEOPLE,
    "gender/neutral": TWO_PEOPLE,
    "wsd/everyday-words": SENSES,
    "public/winomt": WINOMT,
}
Labels = Mapping[tuple[str, str], Label]


@dataclass(frozen=True)
class Row:
    """The verdicts of one way on one half, compared with labels."""

    suite: str
    language: str
    way: str
    labelled: int
    decided: int
    right: int
    interval: tuple[float, float]
    categories: Mapping[str, tuple[float, float]]  # reported and true accuracy

    def cells(self) -> list[str]:
        low, high = self.interval
        shares = "; ".join(f"{name} {a:.2f} / {b:.2f}" for name, (a, b) in self.categories.items())
        accuracy = f"{self.right / self.decided:.3f} ({low:.2f}–{high:.2f})" if self.decided else "–"
        return [
            self.suite,
            self.language,
            self.way,
            str(self.labelled),
            f"{self.decided / self.labelled:.2f}",
            accuracy,
            shares,
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--half", choices=("tuning", "reporting"), default="reporting")
    parser.add_argument("--suite", choices=TABLE, action="append")
    parser.add_argument("--way", help="only ways whose name contains this")
    parser.add_argument("--language", choices=("pt", "fr"), action="append")
    parser.add_argument("--store", type=Path, default=ROOT / ".mtprobe" / "store.sqlite")
    parser.add_argument(
        "--write", action="store_true", help="write the table into docs/explanation/verdicts.md"
    )
    args = parser.parse_args()
    rows = []
    for suite in args.suite or TABLE:
        for language, model in models_for(suite).items():
            for way in TABLE[suite]:
                if (args.way and args.way not in way.name) or (
                    args.language and language not in args.language
                ):
                    continue
                rows.append(
                    measure(
                        suite, language, way, {"store": args.store, "counterfactuals": 0, **model}, args.half
                    )
                )
                print(" | ".join(rows[-1].cells()), flush=True)
    text = markdown(rows)
    print(text)
    if args.write:
        write(DOCS, PLACE, text)


def models_for(suite: str) -> dict[str, dict[str, Any]]:
    """The settings of a run into each language, as far as models and data are here."""
    if suite == "public/winomt":
        if "MTPROBE_DATA" not in os.environ:
            return {}
        data = Path(os.environ["MTPROBE_DATA"])
        google = f"file:{data / 'winomt' / 'translations' / 'google.en-pt.txt.gz'}"
        return {
            "pt": {"model": google, "source": "en", "target": "pt", "evaluator": "demo", "data_root": data}
        }
    models: dict[str, dict[str, Any]] = {"pt": {"model": "demo"}}
    if "MTPROBE_MODELS" in os.environ:
        folder = Path(os.environ["MTPROBE_MODELS"]) / "opus-mt-en-fr"
        models["fr"] = {"model": f"hf:{folder}", "source": "en", "target": "fr"}
    return models


def measure(suite: str, language: str, way: Way, settings: Mapping[str, Any], half: str) -> Row:
    """Runs the suite in this way and compares its verdicts with the labels."""
    with tempfile.TemporaryDirectory() as folder:
        run = mtprobe.run(variant(suite, way, Path(folder)), **settings).suites[0]
    if suite == "public/winomt":
        return compare(suite, language, way, run, winomt_labels(run), half)
    shipped = load_suite(SUITES / f"{suite}.mt.yaml", None)
    labels = {label.key: label for label in shipped.labels_for(language)}
    return compare(suite, language, way, run, labels, half)


def winomt_labels(run: SuiteRun) -> Labels:
    """The labels of Google's translations, which are kept by line: the texts are their publishers'."""
    with (Path(__file__).parent / "labels" / "winomt-google-pt.tsv").open(encoding="utf-8") as lines:
        genders = {int(row["line"]): row["gender"] for row in csv.DictReader(lines, delimiter="\t")}
    labels = {}
    for result in run.results:
        gender = genders.get(result.line - 1)
        if gender is not None:
            word = (
                "unclear" if gender == "unclear" else "correct" if gender == result.category else "incorrect"
            )
            label = Label(
                result.id, result.source, result.translation or "", word, half=half_of(result.cluster)
            )
            labels[label.key] = label
    return labels


def variant(suite: str, way: Way, folder: Path) -> Path:
    """The suite with the way's keys, in a folder of its own with all the files that it names."""
    kind, name = suite.split("/")
    if way.revision is None:
        shutil.copytree(SUITES / kind, folder / kind)
    else:
        archive = folder / "suites.tar"
        command = ["git", "archive", "-o", str(archive), way.revision, f"suites/{kind}"]
        subprocess.run(command, cwd=ROOT, check=True)
        shutil.unpack_archive(archive, folder, filter="data")
        shutil.move(folder / "suites" / kind, folder / kind)
    path = folder / kind / f"{name}.mt.yaml"
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    content.update(way.keys)
    kept = {key: value for key, value in content.items() if value is not None}
    path.write_text(yaml.safe_dump(kept, allow_unicode=True, sort_keys=False), encoding="utf-8")
    return path


def compare(
    suite: str,
    language: str,
    way: Way,
    run: SuiteRun,
    labels: Labels,
    half: str,
) -> Row:
    """Verdicts against labels. A verdict on a translation that is unclear to its readers is wrong unless it is undecided."""
    judged = [
        (result, label)
        for result in run.results
        if (label := labels.get((result.source, result.translation or ""))) and label.half == half
    ]
    decided = [(result, label) for result, label in judged if answer(result) is not None]
    right = [(result, label) for result, label in decided if answer(result) == label.label]
    clusters = sorted({result.cluster for result, _ in decided})
    hits = [sum(result.cluster == cluster for result, _ in right) for cluster in clusters]
    counts = [sum(result.cluster == cluster for result, _ in decided) for cluster in clusters]
    return Row(
        suite,
        language,
        way.name,
        len(judged),
        len(decided),
        len(right),
        cluster_ratio(as_floats(hits), as_floats(counts)),
        dict(by_category(run, judged)),
    )


def answer(result: Result) -> str | None:
    """What the verdict says in the words of a label; None where it is undecided."""
    verdict = result.verdict
    if verdict.outcome is Outcome.OPEN:
        return verdict.choice
    if verdict.outcome is Outcome.DEGENERATE:
        return "incorrect"
    return verdict.outcome.value if verdict.outcome in (Outcome.CORRECT, Outcome.INCORRECT) else None


def by_category(
    run: SuiteRun, judged: Sequence[tuple[Result, Label]]
) -> Iterator[tuple[str, tuple[float, float]]]:
    """Reported and true accuracy of each category, on the labelled samples; of an open one, the share of each choice."""
    for category in run.categories:
        inside = [(result, label) for result, label in judged if result.category == category]
        for wanted in sorted({choice for result, _ in inside for choice in result.choices}) or ["correct"]:
            said = [answer(result) == wanted for result, _ in inside if answer(result) is not None]
            true = [label.label == wanted for _, label in inside if label.label != "unclear"]
            if said and true:
                name = category if wanted == "correct" else f"{category}: {wanted}"
                yield name, (sum(said) / len(said), sum(true) / len(true))


def as_floats(values: Sequence[int]) -> Any:
    import numpy as np

    return np.array(values, dtype=np.float64)


def markdown(rows: Sequence[Row]) -> str:
    head = [
        "suite",
        "into",
        "judged by",
        "n",
        "decided",
        "right of decided (95 %)",
        "reported / true accuracy",
    ]
    return table(head, [row.cells() for row in rows])


if __name__ == "__main__":
    main()
