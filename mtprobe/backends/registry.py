"""Model specs: `demo`, `firefox:PATH`, `cmd:COMMAND` …, and those that plugins add."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import PurePath
from typing import TypeAlias

from mtprobe.backends.protocols import Opened, OpenRequest
from mtprobe.errors import ModelError, did_you_mean

Factory: TypeAlias = Callable[[str, OpenRequest], Opened]

GROUP = "mtprobe.backends"

_BUILT_IN = {
    "demo": ("mtprobe.engine.demo:open_demo", "a small real model, English to Portuguese; demo?beams=4"),
    "firefox": ("mtprobe.engine.firefox:open_firefox", "firefox:FOLDER, a Firefox Translations model"),
    "hf": ("mtprobe.engine.hf:open_hf", "hf:NAME_OR_PATH, a Hugging Face model"),
    "onnx": ("mtprobe.engine.onnx:open_onnx", "onnx:FOLDER, a model written by `mtprobe export`"),
    "mlm": (
        "mtprobe.engine.mlm:open_masked",
        "mlm:NAME_OR_PATH, a masked language model, which only scores",
    ),
    "file": ("mtprobe.backends.file:open_file", "file:PATH, existing translations"),
    "scores": ("mtprobe.backends.scores:open_score_file", "scores:PATH, existing scores, in a suite's order"),
    "cmd": ("mtprobe.backends.cmd:open_command", "cmd:COMMAND, a program that reads and writes lines"),
    "python": ("mtprobe.backends.python:open_function", "python:pkg.module:callable, your own function"),
}
_NAMED = re.compile(r"^(?P<name>[\w.-]+)=(?P<spec>.+)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model as the user names it: `[NAME=]KIND[:REST][?OPTIONS]`; the backend reads the options itself."""

    name: str
    kind: str
    rest: str

    @classmethod
    def parse(cls, text: str) -> ModelSpec:
        """Parses a spec; without a name, a short one is made from the spec."""
        named = _NAMED.match(text)
        spec = named["spec"] if named else text
        # The part before the colon, or before the options of a kind that takes nothing else: `demo?beams=4`.
        kind = spec.partition(":")[0].partition("?")[0]
        rest = spec[len(kind) :].removeprefix(":")
        if "\0" in text:
            raise ModelError(f'"{text}" contains a NUL character')
        if not kind:
            raise ModelError(f'"{text}" names no model; `mtprobe backends` lists the kinds of models')
        return cls(named["name"] if named else _short_name(kind, rest), kind, rest)


@dataclass(frozen=True, slots=True)
class Listed:
    """A kind of backend, and where it comes from."""

    kind: str
    about: str
    origin: str


def open_backend(spec: ModelSpec, request: OpenRequest) -> Opened:
    """The backend, bound to its languages. Cheap: no weights are loaded and no connection is opened."""
    try:
        return _factory(spec.kind)(spec.rest, request)
    except OSError as error:
        raise ModelError(f"{spec.name}: cannot be opened: {error.strerror or error}") from None


def listed() -> Iterator[Listed]:
    """All kinds of backends that are installed."""
    for kind, (_, about) in _BUILT_IN.items():
        yield Listed(kind, about, "mtprobe")
    for point in _plugins():
        origin = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
        yield Listed(point.name, str(point.dist.metadata["Summary"] or "") if point.dist else "", origin)


def _plugins() -> Sequence[EntryPoint]:
    return sorted(entry_points(group=GROUP), key=lambda point: point.name)


def _factory(kind: str) -> Factory:
    if kind in _BUILT_IN:
        point = EntryPoint(kind, _BUILT_IN[kind][0], GROUP)
    else:
        plugins = {point.name: point for point in _plugins()}
        if kind not in plugins:
            raise ModelError(f'there is no backend "{kind}"{did_you_mean(kind, [*_BUILT_IN, *plugins])}')
        point = plugins[kind]
    factory: Factory = point.load()
    return factory


def _short_name(kind: str, rest: str) -> str:
    """`demo`, `firefox-enpt`, `cmd-apertium`: enough to tell models apart, never the full spec."""
    if kind not in _BUILT_IN:
        # Plugins' options contain addresses and prompts, which do not belong in a name.
        rest = rest.partition("?")[0]
    word = rest.split()[0] if kind == "cmd" and rest.split() else rest.split(",")[0]
    tail = re.sub(r"[^\w.-]+", "-", PurePath(word).name).strip("-")
    return f"{kind}-{tail}" if tail else kind
