"""Writes imported samples as an editable suite: a YAML file, and the samples next to it as JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mtprobe.datasets.preset import Preset
from mtprobe.errors import MtprobeError
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.starter import as_yaml
from mtprobe.system.atomic import replacing


def write_suite(folder: Path, preset: Preset, samples: Iterable[SampleModel]) -> tuple[Path, Path]:
    """Writes both files as the samples come; existing files are not overwritten, and an interruption leaves none."""
    suite, data = files_of(folder, preset.name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(data) as unfinished, unfinished.open("w", encoding="utf-8", newline="\n") as stream:
            for sample in samples:
                stream.write(json.dumps(_record(sample), ensure_ascii=False) + "\n")
        with suite.open("x", encoding="utf-8") as stream:
            stream.write("\n".join([*_lines(preset, data.name), ""]))
    except OSError as error:
        raise MtprobeError(f"{error.filename or folder}: cannot be written: {error.strerror}") from None
    return suite, data


def files_of(folder: Path, name: str) -> tuple[Path, Path]:
    """The paths of the suite and its data, neither of which exists."""
    suite, data = folder / f"{name}.mt.yaml", folder / f"{name}.jsonl"
    for path in (suite, data):
        if path.exists():
            raise MtprobeError(f"{path}: already exists, and is not overwritten")
    return suite, data


def _record(sample: SampleModel) -> dict[str, Any]:
    """The sample's keys, its id and source first."""
    record = sample.model_dump(exclude_none=True, exclude_defaults=True)
    return {key: record[key] for key in ("id", "source") if key in record} | record


def _lines(preset: Preset, data: str) -> Iterator[str]:
    yield f"# Made by `{preset.made_by}`; the samples are in {data}. Both may be edited."
    yield from (f"# {note}" for note in preset.notes)
    yield "mtprobe: 1"
    yield f"name: {as_yaml(preset.name)}"
    yield f"about: {as_yaml(preset.about)}"
    listed = ", ".join(as_yaml(tag) for tag in (preset.target, *preset.other_targets) if tag)
    targets = "any" if preset.target is None else f"[{listed}]"
    yield f"languages: {{source: {as_yaml(preset.source)}, targets: {targets}}}"
    if len(preset.methods) == 1:
        yield f"method: {preset.methods[0]}"
    else:
        yield f"methods: [{', '.join(preset.methods)}]"
    if preset.categories:
        yield f"categories: [{', '.join(map(as_yaml, preset.categories))}]"
    if preset.cluster:
        yield f"cluster: {preset.cluster}"
    if preset.variants:
        scales = (f"{name}: [{', '.join(map(str, values))}]" for name, values in preset.variants.items())
        yield f"variants: {{{', '.join(scales)}}}"
    if preset.ties:
        yield f"ties: {preset.ties}"
    if preset.cues:
        yield "cues:"
        yield from (f"  {category}: {_flow(cues)}" for category, cues in preset.cues.items())
    yield "gates:"
    yield from (f"  {gate}: {json.dumps(bound)}" for gate, bound in preset.gates.items())
    yield f"data: {{file: {as_yaml(data)}}}"


def _flow(values: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {as_yaml(value)}" for key, value in values.items()) + "}"
