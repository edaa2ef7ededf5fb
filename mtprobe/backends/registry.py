"""Model specs: `demo`, `firefox:PATH?beams=4`, `cmd:COMMAND` …, and kinds added by plugins."""

from __future__ import annotations

import math
import re
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path, PurePath
from typing import TypeAlias
from urllib.parse import parse_qsl

from mtprobe.backends.guard import guarded
from mtprobe.backends.protocols import Opened, OpenRequest
from mtprobe.errors import ModelError, MtprobeError, did_you_mean, words_of
from mtprobe.system.named import is_there

Factory: TypeAlias = Callable[[str, OpenRequest], Opened]

GROUP = "mtprobe.backends"

_BUILT_IN = {
    "demo": (
        "mtprobe.engine.demo:open_demo",
        "a small real model, English to Portuguese; also demo:pt-en, demo?beams=4",
    ),
    "firefox": ("mtprobe.engine.firefox:open_firefox", "firefox:FOLDER, a Firefox Translations model"),
    "hf": ("mtprobe.engine.hf:open_hf", "hf:NAME_OR_PATH, a Hugging Face model"),
    "lm": (
        "mtprobe.engine.lm.open:open_lm",
        "lm:NAME_OR_PATH, a language model that is asked to translate; Hugging Face or GGUF",
    ),
    "onnx": ("mtprobe.engine.onnx:open_onnx", "onnx:FOLDER, a model written by `mtprobe export`"),
    "mlm": (
        "mtprobe.engine.mlm:open_masked",
        "mlm:NAME_OR_PATH, a masked language model, which only scores",
    ),
    "file": ("mtprobe.backends.file:open_file", "file:PATH, existing translations"),
    "scores": ("mtprobe.backends.scores:open_score_file", "scores:PATH, existing scores, in a suite's order"),
    "cmd": ("mtprobe.backends.cmd:open_command", "cmd:COMMAND, a program that reads and writes lines"),
    "concat": (
        "mtprobe.backends.concat:open_concat",
        "concat:[SEPARATOR|]SPEC, a model that takes context as text before the source",
    ),
    "python": ("mtprobe.backends.python:open_function", "python:pkg.module:callable, your own function"),
}
# Kinds that our plugins bring, for those who have not installed them.
_PLUGINS = {
    "amazon": "mtprobe-amazon",
    "azure": "mtprobe-azure",
    "ct2": "mtprobe-ctranslate2",
    "deepl": "mtprobe-deepl",
    "google": "mtprobe-google",
    "libretranslate": "mtprobe-libretranslate",
    "openai": "mtprobe-openai",
}
FILLED = ("firefox", "hf", "lm", "onnx", "mlm", "file", "scores", "cmd")  # kinds whose specs may say {target}
_MOST_DIGITS = 9  # no model has a billion beams
SEARCH = ("beams", "length_penalty", "max_length")
_NAMED = re.compile(r"^(?P<name>[\w.-]+)=(?P<spec>.+)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model as the user names it: `[NAME=]KIND[:REST][?OPTIONS]`; the backend reads the options itself."""

    name: str
    kind: str
    rest: str

    @property
    def names_target(self) -> bool:
        """Whether it says where the target language belongs: `file:out.{target}.tsv`."""
        return "{target}" in self.rest

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


def _filled(spec: ModelSpec, request: OpenRequest) -> str:
    """The rest of the spec, with language tags in place of {source} and {target}."""
    rest = spec.rest
    for side, tag in (("source", request.source), ("target", request.target)):
        if spec.kind in FILLED and f"{{{side}}}" in rest:
            if tag is None:
                raise ModelError(f"{spec.name}: its spec says {{{side}}}: give `{side}`")
            rest = rest.replace(f"{{{side}}}", tag)
    return rest


@dataclass(frozen=True, slots=True)
class Listed:
    """A kind of backend, and where it comes from."""

    kind: str
    about: str
    origin: str


def open_backend(spec: ModelSpec, request: OpenRequest) -> Opened:
    """The backend, bound to its languages. Cheap: no weights are loaded and no connection is opened."""
    try:
        with guarded(f"{spec.name}: opening it"):
            return _factory(spec.kind)(_filled(spec, request), request)
    except OSError as error:
        raise ModelError(f"{spec.name}: cannot be opened: {error.strerror or error}") from None
    except MtprobeError:
        raise
    except Exception as error:  # in a module that was imported, or in a plugin
        raise ModelError(
            f"{spec.name}: cannot be opened: {type(error).__name__}: {words_of(error)} ({_place_of(error)})"
        ) from error


def _place_of(error: Exception) -> str:
    """The place where it was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(last.filename).name}:{last.lineno}"


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
            if package := _PLUGINS.get(kind):
                raise ModelError(
                    f'there is no backend "{kind}"; it comes with a plugin: pip install {package}'
                )
            raise ModelError(f'there is no backend "{kind}"{did_you_mean(kind, [*_BUILT_IN, *plugins])}')
        point = plugins[kind]
    factory: Factory = point.load()
    return factory


def _short_name(kind: str, rest: str) -> str:
    """`demo`, `firefox-enpt`, `cmd-apertium`: enough to tell models apart, never the full spec."""
    if kind == "concat":
        inner = rest.rpartition("|")[2]
        return f"concat-{ModelSpec.parse(inner).name}" if inner else kind
    if kind not in _BUILT_IN or kind == "lm":
        # Options of plugins and of language models contain addresses and prompts, which do not belong in a name.
        rest = rest.partition("?")[0]
    word = rest.split()[0] if kind == "cmd" and rest.split() else rest.split(",")[0]
    tail = re.sub(r"[^\w.-]+", "-", PurePath(word).name).strip("-")
    return f"{kind}-{tail}" if tail else kind


@dataclass(frozen=True, slots=True)
class SpecOptions:
    """The options of a spec (after the question mark) by name; an invalid number is a `ModelError`."""

    spec: str  # what error messages start with
    given: Mapping[str, str]

    def positive(self, key: str) -> int | None:
        text = self.given.get(key)
        if text is None:
            return None
        if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS) or int(text) < 1:
            raise ModelError(f"{self.spec}: {key}={text} is not a positive number")
        return int(text)

    def real(self, key: str) -> float | None:
        text = self.given.get(key)
        try:
            value = None if text is None else float(text)
        except ValueError:
            value = math.nan
        if value is not None and not math.isfinite(value):
            raise ModelError(f"{self.spec}: {key}={text} is not a number")
        return value


def split_options(kind: str, rest: str, known: Sequence[str]) -> tuple[str, SpecOptions]:
    """The name of the model and its options. A question mark in an existing path belongs to the path."""
    name, options = _split(rest)
    spec = f"{kind}:{name}" if name else kind
    given = dict(parse_qsl(options, keep_blank_values=True))
    for key in given:
        if key not in known:
            raise ModelError(f'{spec}: unknown option "{key}"{did_you_mean(key, known)}')
    return name, SpecOptions(spec, given)


def _split(rest: str) -> tuple[str, str]:
    marks = [index for index, letter in enumerate(rest) if letter == "?"]
    for end in (len(rest), *reversed(marks)):
        if rest[:end] and is_there(Path(rest[:end])):
            return rest[:end], rest[end + 1 :]
    name, _, options = rest.partition("?")
    return name, options
