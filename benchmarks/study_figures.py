"""Measures what the studies report and their records cannot hold: figures on text that we may not publish.

    python -m benchmarks.study_figures FOLDER

FOLDER is laid out as docs/studies says: `data/` has the test sets, `text/MODEL.SET.LANGUAGE` the translations, `runs/` the records,
`models/` the trained models. The result is added to reports/studies/figures.json: models that FOLDER has nothing of keep their figures.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mtprobe.records import read_run

from .studies import FIGURES, measure_of

HERE = Path(__file__).parent
WINOMT = ("accuracy[male]", "accuracy[female]", "minimum_accuracy")
RESAMPLES = 1000

# The model that the others of a test set are compared with.
BASES = {
    "test_2016.fr": "teacher",
    "test_2017.fr": "teacher",
    "test_tatoeba.pt": "demo",
    "dev_tatoeba.pt": "demo",
}
COUNTS = {
    "genders": ["genders", "--occupations", str(HERE / "people.fr.yaml")],
    "senses": ["senses", "--inflected", "--target", "fr", "--words", str(HERE.parent / "suites/wsd/everyday-words.mt.yaml")],
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    winomt = sorted(folder.glob("runs/*/*.winomt.jsonl"))
    figures = {
        "text": {name: scores(folder, name) for name in BASES},
        "winomt": {f"{path.parent.name}/{path.name.partition('.')[0]}": metrics(path) for path in winomt},
        "training": dict(trainings(folder)),
        "counts": {name: counts(folder, words) for name, words in COUNTS.items()},
        "shortcuts": {f"winograd-{language}": shortcut(folder, language) for language in ("fr", "pt")},
    }  # fmt: skip
    before = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    FIGURES.parent.mkdir(parents=True, exist_ok=True)
    FIGURES.write_text(
        json.dumps(added(before, figures), indent=1, ensure_ascii=False, sort_keys=True) + "\n",
        encoding="utf-8",
    )


def added(before: Any, new: Any) -> Any:
    """Two trees as one; where both have a leaf, it is the new one."""
    if not (isinstance(before, dict) and isinstance(new, dict)):
        return new
    return {
        name: added(before[name], new[name]) if name in before and name in new else {**before, **new}[name]
        for name in {**before, **new}
    }


def scores(folder: Path, name: str) -> dict[str, Any]:
    """Of every model that translated this test set: BLEU with its bootstrap interval, the paired difference from the base,
    and chrF.
    """
    paths = {path.name.partition(".")[0]: path for path in sorted((folder / "text").glob(f"*.{name}"))}
    base = BASES[name]
    if base not in paths:
        return {}
    references = lines(folder / "data" / name)
    statistics = {model: bleu_statistics(lines(path), references) for model, path in paths.items()}
    draws = np.random.default_rng(0).integers(len(references), size=(RESAMPLES, len(references)))
    resampled = {model: np.array([bleu(of[draw]) for draw in draws]) for model, of in statistics.items()}
    return {
        model: {
            "sentences": len(references),
            "bleu": rounded(bleu(of), *interval(resampled[model])),
            "difference": rounded(
                bleu(of) - bleu(statistics[base]), *interval(resampled[model] - resampled[base])
            ),
            "chrf": rounded(chrf(lines(paths[model]), references)),
        }
        for model, of in statistics.items()
    }


def bleu_statistics(texts: Sequence[str], references: Sequence[str]) -> np.ndarray[Any, Any]:
    """Per sentence: matches and totals of n-grams, and both lengths."""
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(effective_order=True)
    rows = []
    for text, reference in zip(texts, references, strict=True):
        score = metric.sentence_score(text, [reference])
        rows.append([*score.counts, *score.totals, score.sys_len, score.ref_len])
    return np.array(rows)


def bleu(statistics: np.ndarray[Any, Any]) -> float:
    from sacrebleu.metrics.bleu import BLEU

    sums = [int(value) for value in statistics.sum(axis=0)]
    return float(BLEU.compute_bleu(sums[:4], sums[4:8], sums[8], sums[9], smooth_method="exp").score)


def chrf(texts: Sequence[str], references: Sequence[str]) -> float:
    from sacrebleu.metrics.chrf import CHRF

    return float(CHRF().corpus_score(texts, [references]).score)


def interval(values: np.ndarray[Any, Any]) -> tuple[float, float]:
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def rounded(*values: float) -> list[float]:
    return [round(value, 2) for value in values]


def metrics(path: Path) -> dict[str, Any]:
    """A record without its sentences."""
    found = {}
    for suite in read_run(path).suites:
        for key in WINOMT:
            measure = measure_of(suite, key)
            found[key] = [measure.value, measure.low, measure.high, measure.n]
    return found


def trainings(folder: Path) -> Iterator[tuple[str, Any]]:
    """Of every finished training, how long it took and how it went."""
    for path in sorted(folder.glob("models/*/training.json")):
        results = json.loads(path.read_text(encoding="utf-8")).get("results")
        if results:
            yield path.parent.name, {name: results[name] for name in ("steps", "best_step", "validations")}


def counts(folder: Path, words: Sequence[str]) -> Any:
    """How genders and senses of the training captions are redistributed, from references to teacher to students."""
    data, text = folder / "data", folder / "text"
    versions = {"references": data / "text.fr", "teacher": data / "text.teacher.fr"}
    for path in sorted(text.glob("student-*.text.fr")):
        versions[path.name.partition(".")[0]] = path
    command = [sys.executable, "-m", "mtprobe", *words, "--json", str(data / "text.en")]
    command += [f"{name}={path}" for name, path in versions.items()]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    counted = json.loads(printed)["redistribution"]
    shares = dict(zip(counted["versions"], counted["shares"], strict=True))
    return {"n": counted["n"], "classes": counted["classes"], "shares": shares}


def shortcut(folder: Path, language: str) -> dict[str, list[str]]:
    """Held-out schemas by what a rule says that never reads the nouns: after a trigger, the pronoun that it had more often in the
    training schemas of the template.
    """
    suite = f"winograd-{language}"
    schemas = [json.loads(line) for line in lines(folder / f"schemas-{language}" / f"{suite}.jsonl")]
    pronouns = {schema["id"]: schema["category"] for schema in schemas}
    splits = (json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("models/*/split.json"))
    split = next(parts for listed in splits for parts in listed if parts["suite"] == suite)
    seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for schema in split["train"]:
        seen[trigger(schema)][pronouns[schema]] += 1
    found: dict[str, list[str]] = {"right": [], "wrong": [], "undecided": []}
    for schema in split["held_out"]:
        first, second = ([*seen[trigger(schema)].most_common(2), ("", 0), ("", 0)])[:2]
        said = "undecided" if first[1] == second[1] else "right" if first[0] == pronouns[schema] else "wrong"
        found[said].append(schema)
    return found


def trigger(schema: str) -> tuple[str, str]:
    """Of `too-wide-lamp-bench-1`: the template, and which of its triggers."""
    *template, _first, _second, number = schema.split("-")
    return "-".join(template), number


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n")


if __name__ == "__main__":
    main()
