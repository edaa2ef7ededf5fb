"""Writes some samples of a suite as a separate suite, which needs no file of the original."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from mtprobe import SUITE_SUFFIXES
from mtprobe.authoring.sample_keys import keys_of
from mtprobe.errors import MtprobeError
from mtprobe.suite.find import split_suffix
from mtprobe.suite.parsing.tree import read_tree
from mtprobe.suite.sample import Sample, Suite
from mtprobe.system.atomic import write_text

_CLUSTER = "cluster"  # the attribute of samples whose suite names none
_BEFORE = ("method", "methods", "combine", "categories")
_AFTER = ("cue_forms", "degenerate", "seed", "sequential", "expect", "marks", "gates")


def write_part(folder: Path, suite: Suite, samples: Sequence[Sample], about: str) -> Path:
    """Writes `NAME.mt.yaml` and `NAME.jsonl` to a folder, or `NAME-2` if a suite of that name exists.

    Gates, cues and audit pairs are copied from the suite; labels are not. `about` is the comment in the first line.
    """
    stem = _unused(folder, split_suffix(suite.path)[0])
    path, data = folder / f"{stem}{SUITE_SUFFIXES[0]}", folder / f"{stem}.jsonl"
    written: dict[str, Any] = read_tree(suite.path).value
    clustered = "cluster" in written
    lines = (json.dumps(_record(sample, suite, clustered), ensure_ascii=False) for sample in samples)
    head = dict(_head(suite, written, {sample.id for sample in samples}))
    text = yaml.safe_dump({**head, "data": {"file": data.name}}, sort_keys=False, allow_unicode=True)
    try:
        write_text(data, "".join(f"{line}\n" for line in lines))
        write_text(path, f"# {' '.join(about.split())}\n{text}")
    except OSError as error:
        raise MtprobeError(f"{folder}: cannot be written: {error.strerror}") from None
    return path


def _unused(folder: Path, stem: str) -> str:
    names = (stem, *(f"{stem}-{number}" for number in range(2, 1000)))
    return next(name for name in names if not (folder / f"{name}{SUITE_SUFFIXES[0]}").exists())


def _head(suite: Suite, written: Mapping[str, Any], ids: set[str]) -> Iterator[tuple[str, Any]]:
    """The keys of the suite that its samples do not have themselves."""
    yield "mtprobe", written["mtprobe"]
    yield "name", suite.name
    yield "about", suite.about
    yield "languages", written["languages"]
    yield from _copied(written, _BEFORE)
    yield "cluster", written.get("cluster", _CLUSTER)
    if suite.cue_file is None:  # otherwise samples have their own
        yield from _copied(written, ["cues"])
    if suite.variants:
        yield "variants", {name: list(values) for name, values in suite.variants.items()}
    yield from _copied(written, [*suite.options, *_AFTER])
    audit = {language: pairs for language in suite.audit if (pairs := _audit(suite, written, language, ids))}
    if audit:
        yield "audit", audit


def _copied(written: Mapping[str, Any], keys: Iterable[str]) -> Iterator[tuple[str, Any]]:
    return ((key, written[key]) for key in keys if key in written)


def _audit(suite: Suite, written: Mapping[str, Any], language: str, ids: set[str]) -> list[Any]:
    """The audit pairs as they are written, of the suite or of its file, without those of samples that are not here."""
    pairs: Any = next((value for key, value in written["audit"].items() if key == language), [])
    if isinstance(pairs, Mapping):
        files = (path for path in suite.files if path.match(str(pairs["file"])))
        path = next(files, suite.path.parent / str(pairs["file"]))
        pairs = read_tree(path).value
    return [pair for pair in pairs if pair.get("sample") is None or pair["sample"] in ids]


def _record(sample: Sample, suite: Suite, clustered: bool) -> dict[str, Any]:
    cues = None if suite.served_by_forms(sample) else sample.cues
    keys = keys_of(sample, cues=cues, sources=sample.sources)
    if not clustered:
        keys["attributes"] = {**keys.get("attributes", {}), _CLUSTER: sample.cluster}
    return keys
