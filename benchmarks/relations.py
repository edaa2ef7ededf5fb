"""How often the alarms of the method `relation` are right: read one by one, per relation and model.

    MTPROBE_MODELS=… python -m benchmarks.relations [--of PART] [--write | --draw FILE]

The templates of the shipped suites are split in two halves by a hash. The rules of the method were made with the tuning half
in view; the alarms of the reporting half (at most 100 per relation and model) were read without the method's reasons, and
`labels/relations.tsv` says of each whether it is a real defect. After that rules were corrected, four times, and each time the alarms
on sentences that were written later (`suites/`) were read in the same way. The reader was a language model. `--draw` writes the
alarms that have no label yet; `--write` puts the tables into docs/explanation/relations.md.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import mtprobe
from benchmarks.tables import table, write
from mtprobe.methods.further import AGAINST, BACK, SOURCE
from mtprobe.methods.verdict import Outcome, Result
from mtprobe.statistics.intervals import exact, wilson
from mtprobe.suite.labels import half_of

ROOT = Path(__file__).parent.parent
SUITES = ROOT / "suites" / "robustness"
LABELS = Path(__file__).parent / "labels" / "relations.tsv"
DOCS = ROOT / "docs" / "explanation" / "relations.md"
PLACE = "alarms"
MOST = 100  # alarms per relation and model that are read
COLUMNS = (
    "part",
    "language",
    "relation",
    "id",
    "source",
    "other",
    "translation",
    "other_translation",
    "label",
    "why",
)
ROUND_TRIP = "round-trip"
PARTS = ("tuning", "reporting", "second", "third", "unseen", "fourth", "latest")
LATER = Path(__file__).parent / "suites"
TITLES = {
    "tuning": "On the tuning half of the shipped suites:",
    "reporting": "On the reporting half of the shipped suites:",
    "second": "On sentences that were written after the first version of the rules:",
    "third": "On sentences that were written after the second version:",
    "unseen": "On sentences that were written after the third version:",
    "fourth": "On sentences that were written without knowledge of the rules:",
    "latest": "On sentences that were written after the present rules:",
}

Key = tuple[str, str, str, str]  # language, id, and both translations


@dataclass(frozen=True)
class Label:
    """An alarm that was read: whether it is true."""

    part: str
    language: str
    relation: str
    key: Key
    label: str


@dataclass(frozen=True)
class Row:
    """The verdicts of one relation on one model."""

    part: str
    language: str
    relation: str
    tests: Sequence[Result]
    controls: Sequence[Result]
    labels: Sequence[Label]

    @property
    def read(self) -> list[str]:
        """The labels of all alarms that were read, also of those that corrected rules do not raise any more."""
        mine = (self.part, self.language, self.relation)
        return [label.label for label in self.labels if (label.part, label.language, label.relation) == mine]

    @property
    def alarms(self) -> list[Result]:
        """The first ones by a hash, so that the same ones are read each time; controls are among them."""
        wrong = [
            result for result in (*self.tests, *self.controls) if result.verdict.outcome is Outcome.INCORRECT
        ]
        return sorted(wrong, key=lambda result: hashlib.sha256(result.id.encode()).digest())[:MOST]

    def key(self, result: Result) -> Key:
        return (self.language, result.id, result.translation or "", other_of(result)[1])

    def cells(self) -> list[str]:
        decided = [result for result in self.tests if result.verdict.outcome is not Outcome.UNDECIDED]
        right = [result for result in decided if result.verdict.outcome is Outcome.CORRECT]
        judged, alarms = false_alarms(self.controls)
        return [
            self.relation,
            self.language,
            str(len(self.tests)),
            share(len(decided), len(self.tests)).partition(" ")[0],
            share(len(right), len(decided)),
            precision(self.read),
            f"{alarms} of {judged}: {share(alarms, judged)}" if judged else "–",
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--of", choices=PARTS, action="append", help="default: all but tuning")
    parser.add_argument("--store", type=Path, default=ROOT / ".mtprobe" / "store.sqlite")
    parser.add_argument("--draw", type=Path, metavar="FILE", help="write the alarms that have no label yet")
    parser.add_argument(
        "--write", action="store_true", help="write the table into docs/explanation/relations.md"
    )
    args = parser.parse_args()
    parts = args.of or PARTS[1:]
    rows = {
        part: [row for language in models() for row in measure(part, language, args.store)] for part in parts
    }
    if args.draw:
        draw([row for of_part in rows.values() for row in of_part], args.draw)
        return
    text = "\n\n".join(f"{TITLES[part]}\n\n{markdown(of_part)}" for part, of_part in rows.items())
    print(text)
    if args.write:
        write(DOCS, PLACE, text)


def models() -> dict[str, dict[str, str]]:
    """The models that are here, each with the one that translates back."""
    found = {"pt": {"model": "demo", "back": "demo:pt-en"}}
    if "MTPROBE_MODELS" in os.environ:
        folder = Path(os.environ["MTPROBE_MODELS"])
        found["fr"] = {"model": f"hf:{folder / 'opus-mt-en-fr'}", "back": f"hf:{folder / 'opus-mt-fr-en'}"}
    return found


def measure(part: str, language: str, store: Path) -> Iterator[Row]:
    labels = list(read_labels())
    shipped = (SUITES / "relations.mt.yaml", SUITES / f"{ROUND_TRIP}.mt.yaml")
    later = (LATER / f"relations-{part}.mt.yaml",)
    for suite in shipped if part in PARTS[:2] else later:
        run = mtprobe.run(suite, **models()[language], store=store).suites[0]
        results = [result for result in run.results if part in (*PARTS[2:], half(result))]
        for relation in (ROUND_TRIP,) if suite.name.startswith(ROUND_TRIP) else run.categories:
            inside = [result for result in results if relation in (ROUND_TRIP, result.category)]
            tests = [result for result in inside if not result.is_control]
            controls = [result for result in inside if result.is_control]
            yield Row(part, language, relation, tests, controls, labels)


def half(result: Result) -> str:
    """By the template."""
    return half_of(result.id.partition("/")[0].partition("@")[0])


def read_labels() -> Iterator[Label]:
    if not LABELS.exists():
        return
    with LABELS.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            key = (row["language"], row["id"], row["translation"], row["other_translation"])
            yield Label(row["part"], row["language"], row["relation"], key, row["label"])


def draw(rows: Sequence[Row], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream, delimiter="\t", lineterminator="\n")
        table.writerow(COLUMNS)
        for row in rows:
            for result in row.alarms:
                if row.key(result) not in {label.key for label in row.labels}:
                    other, translation = other_of(result)
                    texts = (result.source, other, result.translation, translation)
                    table.writerow([row.part, row.language, row.relation, result.id, *texts, "", ""])


def other_of(result: Result) -> tuple[str, str]:
    """The further source and its translation; of a round trip, what was translated back and the result."""
    item = next((item for item in result.verdict.evidence if item.side in (AGAINST, BACK)), None)
    return ("", "") if item is None else (str(item.attributes[SOURCE]), item.text)


def false_alarms(controls: Sequence[Result]) -> tuple[int, int]:
    """Decided controls, and those that raise an alarm."""
    outcomes = [result.verdict.outcome for result in controls]
    alarms = outcomes.count(Outcome.INCORRECT)
    return alarms + outcomes.count(Outcome.CORRECT), alarms


def share(part: int, n: int) -> str:
    if not n:
        return "–"
    low, high = wilson(part, n)
    return f"{part / n:.3f} ({low:.2f}–{high:.2f})"


def precision(labels: Sequence[str]) -> str:
    """True alarms among those that were read; the interval is Clopper and Pearson's."""
    if not labels:
        return "no alarm"
    true = labels.count("true")
    low, high = exact(true, len(labels))
    return f"{true} of {len(labels)}: {true / len(labels):.3f} ({low:.2f}–{high:.2f})"


def markdown(rows: Sequence[Row]) -> str:
    head = [
        "relation",
        "into",
        "n",
        "decided",
        "accuracy (95 %)",
        "true alarms of those read",
        "false alarms on controls",
    ]
    return table(head, [*(row.cells() for row in rows), pooled(rows)])


def pooled(rows: Sequence[Row]) -> list[str]:
    judged, alarms = map(sum, zip(*(false_alarms(row.controls) for row in rows), strict=True))
    tests = [result for row in rows for result in row.tests]
    decided = [result for result in tests if result.verdict.outcome is not Outcome.UNDECIDED]
    right = [result for result in decided if result.verdict.outcome is Outcome.CORRECT]
    return [
        "**all**",
        "",
        str(len(tests)),
        share(len(decided), len(tests)).partition(" ")[0],
        share(len(right), len(decided)),
        precision([label for row in rows for label in row.read]),
        f"{alarms} of {judged}: {share(alarms, judged)}",
    ]


if __name__ == "__main__":
    main()
