"""WinoMT (Stanovsky et al., 2019): published systems by the published rules, people's labels, and contrastive conditioning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mtprobe.methods.verdict import Outcome
from mtprobe.records import SuiteRun
from mtprobe.reproduce.conditioning import conditioning_table, regression_table
from mtprobe.reproduce.laboratory import Laboratory, nothing_found, printed, value
from mtprobe.reproduce.table import Cell, Table
from mtprobe.studies.agree import LabelAgreement, agree, between_annotators, labelled_by_all
from mtprobe.studies.labels import Label, LabelKeys, read_labels

NAME = "winomt"
ABOUT = "WinoMT: accuracy, ΔG and ΔS of published outputs; agreement with people; contrastive conditioning"
FILES = "winomt/test.tsv or winomt/data/aggregates/en.txt, with en_pro.txt and en_anti.txt next to it"

_SYSTEM, _LANGUAGE = "aws", "de"  # what people labelled
_MEANINGS = {"Both / Neutral / Ambiguous": "correct", "Translation too bad to tell": "incorrect"}
_RULES_FOR = ("de",)  # languages of the published rules that we have


def tables(lab: Laboratory) -> Iterator[Table]:
    test = lab.find("winomt/test.tsv", "winomt/data/aggregates/en.txt", "test.tsv")
    if test is None:
        raise nothing_found(NAME, lab.data, FILES)
    halves = {
        half: lab.find(f"winomt/en_{half}.txt", f"winomt/data/aggregates/en_{half}.txt", f"en_{half}.txt")
        for half in ("pro", "anti")
    }
    outputs = _outputs(lab)
    judged = {name: _judged(lab, test, halves, name, path) for name, path in outputs.items()}
    if judged:
        yield _data(*next(iter(judged.values())))
    yield _systems(judged)
    yield from _humans(lab, test, outputs, judged)
    yield conditioning_table(
        lab,
        "winomt-conditioning",
        [{"format": "winomt", "file": test}],
        columns={"total": (4, ""), "male": (5, "[male]"), "female": (6, "[female]")},
    )
    yield regression_table(NAME, 6)


def _outputs(lab: Laboratory) -> dict[str, tuple[Path, Path | None]]:
    """Translations of systems by `SYSTEM.en-XX`, with their word alignments."""
    found = {}
    patterns = (
        "winomt/translations/*.en-??.txt",
        "winomt/translations/*/en-??.txt",
        "translations/*.en-??.txt",
    )
    for path in lab.listed(*patterns):
        name = path.name.removesuffix(".gz").removesuffix(".txt")
        system = name if name.count(".") else f"{path.parent.name}.{name}"
        names = [f"{folder}/{system}.align" for folder in ("winomt/fast_align", "fast_align")]
        if system.rpartition("-")[2] in _RULES_FOR:
            found[system] = (path, lab.found(*names))
    return found


def _judged(
    lab: Laboratory, test: str, halves: Mapping[str, str | None], system: str, files: tuple[Path, Path | None]
) -> tuple[SuiteRun, SuiteRun | None]:
    """All sentences, and the two halves by stereotype, by the published rules."""
    language = system.rpartition("-")[2]
    path, links = files
    runs: list[SuiteRun] = []
    keep = {"format": "winomt", "neutral": "keep"}
    entries: list[list[dict[str, Any]]] = [[{**keep, "file": test}]]
    if all(halves.values()):
        entries.append([{**keep, "file": file, "stereotype": half} for half, file in halves.items()])
    for data in entries:
        suite = lab.suite("winomt-rules", data, language)
        settings = {"alignment": str(links)} if links else {}
        runs.append(lab.judge(suite, f"{system}=file:{path}", source="en", target=language, **settings))
    return runs[0], runs[1] if len(runs) > 1 else None


def _data(whole: SuiteRun, halves: SuiteRun | None) -> Table:
    genders = Counter(result.category for result in whole.results)
    stereotypes = Counter(str(result.attributes.get("stereotype", "none")) for result in whole.results)
    parts = (
        Counter(str(result.attributes["stereotype"]) for result in halves.results) if halves else Counter()
    )
    several = sum(" " in str(result.attributes["occupation"]) for result in whole.results)
    ours: dict[str, Mapping[str, float]] = {
        "sentences": {
            "all": len(whole.results),
            **{str(name): count for name, count in genders.items()},
            "without neutral": len(whole.results) - genders["neutral"],
            "occupation of several words": several,
        },
        "stereotypes": stereotypes,
        "halves": parts,
    }
    return _counted("Data (Vamvas and Sennrich, 2021, table A2)", printed(NAME)["data"], ours)


def _counted(title: str, expected: Mapping[str, Any], ours: Mapping[str, Mapping[str, float]]) -> Table:
    return Table(
        title,
        tuple(
            Cell(row, column, text, ours.get(row, {}).get(column), checked=True, needs="the files")
            for row, columns in expected.items()
            for column, text in columns.items()
        ),
    )


def _systems(judged: Mapping[str, tuple[SuiteRun, SuiteRun | None]]) -> Table:
    expected = printed(NAME)["systems"]
    cells = []
    for system in dict.fromkeys([*expected, *judged]):
        texts = expected.get(system, {})
        whole, halves = judged.get(system, (None, None))
        needs = "" if whole else f"translations and alignments of {system}"
        for column, metric, run in (
            ("accuracy", "accuracy", whole),
            ("ΔG", "delta_g_rounded", whole),
            ("ΔS", "delta_s", halves),
        ):
            share = value(run, metric).value if run else None
            cells.append(
                Cell(
                    system,
                    column,
                    texts.get(column),
                    _percent(share),
                    needs or "en_pro.txt and en_anti.txt",
                    True,
                )
            )
        if whole and "aws" in system:
            share = value(whole, "delta_s").value
            cells.append(Cell(system, "ΔS by the column of test.tsv", None, _percent(share)))
    return Table(
        "Published systems by the published rules (Stanovsky et al., 2019, table 2)",
        tuple(cells),
        ("ΔG rounds precision, recall and F1 on the way, as the published script does",),
    )


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _humans(
    lab: Laboratory,
    test: str,
    outputs: Mapping[str, tuple[Path, Path | None]],
    judged: Mapping[str, tuple[SuiteRun, SuiteRun | None]],
) -> Iterator[Table]:
    system = f"{_SYSTEM}.en-{_LANGUAGE}"
    names = [f"en-{_LANGUAGE}.annotator{number}.jsonl" for number in (1, 2)]
    paths = [lab.found(f"winomt/human/{name}", f"human/{name}") for name in names]
    ours: dict[str, dict[str, float | None]] = {}
    files = [path for path in paths if path is not None]
    if len(files) == len(paths) and system in judged:
        read = [read_labels(path, LabelKeys("Index")) for path in files]
        labels = labelled_by_all([label for annotator in read for label in annotator])
        gold = _by_line(judged[system][0])
        ours["pattern matching"] = _agreement(agree(gold, labels, _MEANINGS, "correct"))
        ours["annotators"] = _annotators(gold, labels)
        for number, annotator in zip(("first", "second"), read, strict=True):
            ours["annotators"][f"labels of the {number}"] = len(annotator)
        if lab.evaluators:
            suite = lab.suite("winomt-conditioning", [{"format": "winomt", "file": test}], _LANGUAGE)
            run = lab.judge(
                suite,
                f"file:{outputs[system][0]}",
                evaluator=list(lab.evaluators),
                **{**lab.settings, "source": "en", "target": _LANGUAGE},
            )
            scored = agree(_numbered(run), labels, _MEANINGS, "correct")
            ours["contrastive conditioning"] = _agreement(scored)
            if scored.weighted is not None:
                ours["contrastive conditioning"]["weighted agreement"] = _percent(scored.weighted.value)
    needs = {"contrastive conditioning": "an evaluator into German (--evaluator)"}
    cells = [
        Cell(
            row,
            column,
            text,
            ours.get(row, {}).get(column),
            needs.get(row, "the labels and the translations of aws"),
            row not in needs,  # the paper's evaluator is an ensemble, not the user's
        )
        for row, columns in printed(NAME)["humans"].items()
        for column, text in columns.items()
    ]
    yield Table(
        f"People and verdicts on {system} (Vamvas and Sennrich, 2021, tables 2 and A3)",
        tuple(cells),
        ("a label “Both” and a neutral form count as right, “too bad to tell” as wrong, as in the paper",),
    )


def _by_line(run: SuiteRun) -> SuiteRun:
    """Named as in the labels, with neutral readings undecided and without sentences that show no gender."""
    results = tuple(
        replace(result, verdict=replace(result.verdict, outcome=Outcome.UNDECIDED))
        if result.verdict.reading == "neutral"
        else result
        for result in run.results
        if result.category != "neutral"
    )
    return _numbered(replace(run, results=results, categories=("male", "female")))


def _numbered(run: SuiteRun) -> SuiteRun:
    """Samples named by their line, counted from 0."""
    return replace(
        run, results=tuple(replace(result, id=str(result.line - 1)) for result in run.results), notes=()
    )


def _agreement(found: LabelAgreement) -> dict[str, float | None]:
    share = _percent(found.plain.value)
    cells: dict[str, float | None] = {
        "agreement": share,
        "agreement exactly": share,
        "labels": found.plain.n,
    }
    for label in found.classes:
        cells[f"precision {label.name}"] = _percent(label.precision.value)
        cells[f"recall {label.name}"] = _percent(label.recall.value)
    return cells


def _annotators(gold: SuiteRun, labels: Sequence[Label]) -> dict[str, float | None]:
    """κ by literal labels, and by genders: “both” is the right one, “too bad to tell” the wrong one."""
    (pair,) = between_annotators(labels, given=_MEANINGS, suites=[gold])
    return {
        "sentences of both": pair.kappa.n,
        "κ of raw labels": pair.kappa.value,
        "κ exactly": pair.kappa.value,
        "κ of binary labels": pair.binary_kappa.value if pair.binary_kappa else None,
    }
