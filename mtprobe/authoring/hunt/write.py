"""Writes the findings of a hunt as a suite in which every sample must be correct (`expect: each`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mtprobe.authoring.hunt.search import Found
from mtprobe.authoring.sample_keys import keys_of
from mtprobe.errors import MtprobeError
from mtprobe.methods import Method
from mtprobe.suite.find import is_suite, split_suffix
from mtprobe.suite.parsing.tree import read_tree
from mtprobe.suite.sample import Sample, Suite
from mtprobe.suite.starter import as_yaml
from mtprobe.system.atomic import write_text

_OURS = "# Found by `mtprobe hunt`"
_COPIED = ("languages", "categories", "cues", "cue_forms", "variants", "degenerate", "seed")


def path_for(suite: Path) -> Path:
    """`NAME.hunt.mt.yaml` beside `NAME.mt.yaml`."""
    stem, suffix = split_suffix(suite)
    return suite.with_name(f"{stem}.hunt{suffix if is_suite(suite) else '.mt.yaml'}")


def check_path(path: Path) -> None:
    """An error if something is there that no hunt wrote, or if nothing can be written there."""
    try:
        if path.exists() and not path.read_text(encoding="utf-8", errors="replace").startswith(_OURS):
            raise MtprobeError(
                f"{path}: already exists and was not written by a hunt, so it is not overwritten"
            )
        if not path.parent.is_dir():
            raise MtprobeError(f"{path}: there is no such folder")
    except OSError as error:
        raise MtprobeError(f"{path}: cannot be read: {error.strerror}") from None


def write_found(
    path: Path, suite: Suite, found: Sequence[Found], beside: Sequence[Sample], method: Method
) -> None:
    """Writes the suite; an earlier one of a hunt is replaced. `beside` are samples that are correct."""
    check_path(path)
    try:
        write_text(path, "\n".join([*_lines(suite, found, beside, method), ""]))
    except OSError as error:
        raise MtprobeError(f"{path}: cannot be written: {error.strerror}") from None


def _lines(suite: Suite, found: Sequence[Found], beside: Sequence[Sample], method: Method) -> Iterator[str]:
    yield f"{_OURS} in {suite.path.name}: the smallest failing sentence of each cause. The next hunt overwrites it."
    yield "mtprobe: 1"
    yield f"name: {as_yaml(f'{suite.name}-hunt')}"
    yield f"about: {as_yaml(suite.about)}"
    for key, value in _head(suite, method).items():
        yield f"{key}: {_flow(value)}"
    yield "expect: each"
    yield "gates: {}"
    yield "samples:"
    for one in found:
        yield ""
        yield f"  # {' '.join(str(one.cause).split())}"
        yield f"  # {' '.join((one.result.translation or '–').split())}"
        yield from _sample(one.sample, suite)
    if beside:
        yield ""
        yield "  # These are correct. Word alignment learns from them as well; from the others alone it would learn too little."
    for sample in beside:
        yield from _sample(sample, suite)


def _sample(sample: Sample, suite: Suite) -> Iterator[str]:
    cues = None if suite.served_by_forms(sample) else sample.cues
    for place, (key, value) in enumerate(keys_of(sample, cues=cues, sources=sample.sources).items()):
        yield f"  {'  ' if place else '- '}{key}: {_flow(value)}"


def _head(suite: Suite, method: Method) -> dict[str, Any]:
    """The suite's keys for judging; values measured on the suite are written as numbers."""
    written: dict[str, Any] = read_tree(suite.path).value
    keys = {key: written[key] for key in (*_COPIED, *suite.options) if key in written}
    if suite.cue_file is not None:
        keys.pop("cues", None)  # samples have their own
    elif len(suite.cue_forms) > 1:
        keys["cues"] = next(iter(suite.cue_forms))
    if suite.combine is None:
        keys["method"] = method.name
    else:
        keys |= {"methods": list(suite.methods), "combine": suite.combine}
    if suite.options.get("calibrate"):
        keys["audit"] = written.get("audit")
    margins = [floor.margin for floor in method.noise if floor.margin is not None]
    if "decide" in keys and len(margins) == 1:
        keys["decide"] = {"margin": round(margins[0], 6)}
    return keys


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{as_yaml(str(key))}: {_flow(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return as_yaml(value) if isinstance(value, str) else repr(value)
