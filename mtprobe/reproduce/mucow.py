"""MuCoW (Raganato et al., 2019): published outcomes and scores, and contrastive conditioning with published cues."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mtprobe.errors import MtprobeError
from mtprobe.methods.verdict import Outcome, Result, Verdict
from mtprobe.metrics import Selector, measure, tally
from mtprobe.records import SuiteRun
from mtprobe.reproduce.conditioning import conditioning_table, regression_table, target_of
from mtprobe.reproduce.laboratory import Laboratory, nothing_found, percents, printed
from mtprobe.reproduce.table import Cell, Table, mean_cell
from mtprobe.suites import load_suite

NAME = "mucow"
ABOUT = "MuCoW: coverage and precision of lemma matching, accuracies of the scoring suite, contrastive conditioning"
FILES = "mucow/en-de.text.txt, .key.tsv or .key.txt, .ref.txt, and mucow/scoring/"

_OUTCOMES = {True: Outcome.CORRECT, False: Outcome.INCORRECT, None: Outcome.UNDECIDED}
_ROW = re.compile(r"^(\S+) : (\d+) (\d+) ", re.MULTILINE)  # of a published accuracy file


def tables(lab: Laboratory) -> Iterator[Table]:
    data = {language: _entry(lab, language) for language in ("de", "ru")}
    scoring = lab.listed("mucow/scoring/*.mucow.scoring.json", "scoring/*.mucow.scoring.json")
    if data["de"] is None and not scoring:
        raise nothing_found(NAME, lab.data, FILES)
    yield _data(lab, data["de"])
    yield _matching(lab, data["de"])
    for path in scoring:
        yield from _scoring(lab, path)
    target = target_of(lab)
    here = {language: entry for language, entry in data.items() if entry is not None}
    if target in here and lab.models:
        yield _matched_by_us(lab, here[target], target)
    if here:
        entry = here.get(target or "", next(iter(here.values())))
        columns = {"total": (1, ""), "frequent": (2, "[frequent]"), "rare": (3, "[rare]")}
        yield conditioning_table(lab, "mucow-conditioning", [entry], columns, tuple(here))
    yield regression_table(NAME, 3)


def _entry(lab: Laboratory, language: str) -> dict[str, Any] | None:
    """The data entry of a suite with whatever files there are."""
    start = f"mucow/en-{language}"
    text, key = lab.find(f"{start}.text.txt"), lab.find(f"{start}.key.tsv", f"{start}.key.txt")
    if text is None or key is None:
        return None
    further = {
        "references": lab.find(f"{start}.ref.txt"),
        "cues": lab.find(f"{start}.insertions.roberta-large.jsonl"),
        "frequencies": lab.find("mucow/frequency_categories.json"),
    }
    found = {name: path for name, path in further.items() if path is not None}
    return {"format": "mucow", "text": text, "key": key, "target": language, **found}


def _data(lab: Laboratory, entry: Mapping[str, Any] | None) -> Table:
    ours: dict[str, float] = {}
    if entry is not None:
        suite = load_suite(lab.suite("mucow-conditioning", [entry], "de"), lab.data)
        categories = Counter(sample.category for sample in suite.samples)
        sides = {
            side: {len(sample.cues.sides[side]) for sample in suite.samples if sample.cues}
            for side in ("correct", "incorrect")
        }
        ours = {"all": len(suite.samples), **{str(name): count for name, count in categories.items()}}
        for side, sizes in sides.items():
            if len(sizes) == 1:
                ours[f"{side} cues per item"] = sizes.pop()
    cells = [
        Cell(row, column, text, ours.get(column), "the files of en-de", True)
        for row, columns in printed(NAME)["data"].items()
        for column, text in columns.items()
    ]
    return Table("Data, en-de (Vamvas and Sennrich, 2021, table A2)", tuple(cells))


def _matching(lab: Laboratory, entry: Mapping[str, Any] | None) -> Table:
    path = lab.found("mucow/pattern_matching.en-de.jsonl")
    ours: dict[str, dict[str, float | None]] = {}
    if path is not None and entry is not None and "frequencies" in entry:
        results = _published_outcomes(path, _categories(lab, entry["frequencies"]))
        outcomes = Counter(result.verdict.outcome for result in results)
        counts = tally(results)
        ours["outcomes"] = {
            "positive": outcomes[Outcome.CORRECT],
            "negative": outcomes[Outcome.INCORRECT],
            "unknown": outcomes[Outcome.UNDECIDED],
        }
        for row, category in (("all", None), ("frequent", "frequent"), ("rare", "rare")):
            ours[row] = {
                column: measure(metric, counts, Selector(category), ("frequent", "rare")).value
                for column, metric in (("coverage", "coverage"), ("precision", "accuracy"))
            }
    cells = [
        Cell(row, column, text, ours.get(row, {}).get(column), "the published outcomes", True)
        for row, columns in printed(NAME)["matching"].items()
        for column, text in columns.items()
    ]
    title = "Lemma matching on an ensemble's translations, from its published outcomes, en-de"
    return Table(
        title, tuple(cells), ("where correct and incorrect lemmas matched, the outcome is negative",)
    )


def _categories(lab: Laboratory, frequencies: str) -> dict[tuple[str, str], str]:
    path = lab.found(frequencies)
    lists = json.loads(_read(path)) if path else {}
    return {
        (word, lemma): category
        for category, key in (("frequent", "frequent_word_senses"), ("rare", "infrequent_word_senses"))
        for word, lemma in lists.get(key, {}).get("de", [])
    }


def _published_outcomes(path: Path, categories: Mapping[tuple[str, str], str]) -> list[Result]:
    results = []
    for number, item in enumerate(map(json.loads, _read(path).splitlines()), start=1):
        found = {categories.get((item["src_word"], lemma)) for lemma in item["correct_senses"]}
        if len(found) != 1 or None in found:
            raise MtprobeError(f"{path}:{number}: the senses are neither all frequent nor all rare")
        results.append(
            Result(
                id=str(number),
                source=item["sentence"],
                focus=None,
                category=found.pop(),
                attributes={"word": item["src_word"]},
                cluster=item["src_word"],
                path=str(path),
                line=number,
                translation=item["translation"],
                verdict=Verdict(_OUTCOMES[item["is_correct"]]),
            )
        )
    return results


def _scoring(lab: Laboratory, path: Path) -> Iterator[Table]:
    """The scoring suite of a language pair, with every system whose scores there are."""
    pair = path.name.partition(".")[0]
    source, _, target = pair.partition("-")
    folder = path.parent.relative_to(lab.data)
    file = f"{folder}/{pair}.mucow.scoring.json"
    suite = lab.suite("mucow-scoring", [{"format": "mucow-scoring", "file": file}], target, source)
    expected = printed(NAME)["scoring"].get(pair, {})
    for scores in lab.listed(f"{folder}/*.score.{pair}.txt"):
        system = scores.name.partition(".")[0]
        run = lab.judge(suite, f"{system}=scores:{scores}?better=lower", source=source, target=target)
        right, total = _groups(run)
        ours = {
            "right": right["total"],
            "items": total["total"],
            "accuracy": right["total"] / total["total"],
        }
        cells = [
            Cell(f"{system} {pair}", name, expected.get(name), ours[name], checked=True) for name in ours
        ]
        yield Table(f"Scoring suite {pair} (Raganato et al., 2019): {system}", tuple(cells), run.notes)
        published = lab.found(f"{folder}/acc.{system}.{pair}.mucow.txt")
        if published is not None:
            yield _by_group(f"{system} {pair}", _read(published), right, total)


def _groups(run: SuiteRun) -> tuple[Counter[str], Counter[str]]:
    """How many are right, and how many there are: in all, by corpus and by sense."""
    right, total = Counter[str](), Counter[str]()
    for result in run.results:
        for group in ("total", str(result.attributes.get("corpus")), str(result.attributes.get("sense"))):
            total[group] += 1
            right[group] += result.verdict.outcome is Outcome.CORRECT
    return right, total


def _by_group(name: str, published: str, right: Counter[str], total: Counter[str]) -> Table:
    cells = []
    for group, count, of in _ROW.findall(published):
        cells.append(Cell(group, "right", count, right[group], checked=True))
        cells.append(Cell(group, "items", of, total[group], checked=True))
    return Table(f"{name}: every row of the published accuracy file", tuple(cells), folded=True)


def _matched_by_us(lab: Laboratory, entry: Mapping[str, Any], target: str) -> Table:
    """Lemma matching on translations of the user's models."""
    data = {name: part for name, part in entry.items() if name != "cues"}
    runs = lab.judge_models(lab.suite("mucow-matching", [data], target))
    cells = []
    for column, metric in (
        ("coverage", "coverage"),
        ("precision", "accuracy"),
        ("precision, frequent", "accuracy[frequent]"),
        ("precision, rare", "accuracy[rare]"),
    ):
        cells.append(mean_cell(lab.model_names, column, percents(runs, metric)))
    return Table(f"Lemma matching on the models' translations into {target}, in percent", tuple(cells))


def _read(path: Path) -> str:
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
