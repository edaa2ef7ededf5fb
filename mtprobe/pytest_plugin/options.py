"""The plugin's options: `--mt-x` on the command line, `mt_x` in the ini file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from mtprobe.system.named import is_folder

_DTYPES = ("fp32", "fp16", "int8")  # those of nets/dtype.py, which unrelated runs shall not load

# name, ini type, default, argparse settings. Every flag --mt-x has an ini twin mt_x.
_OPTIONS: tuple[tuple[str, Any, Any, dict[str, Any]], ...] = (
    ("model", "linelist", [], {"action": "append", "metavar": "[NAME=]SPEC", "help": "The model under test; may be given several times, with names. `mtprobe backends` lists the kinds."}),
    ("evaluator", "string", "", {"metavar": "SPEC", "help": "The model that scores the translations; without it a model that can score judges itself."}),
    ("source", "string", "", {"metavar": "TAG", "help": "The source language, where the model does not say."}),
    ("target", "string", "", {"metavar": "TAG", "help": "The target language, where the model does not say."}),
    ("method", "string", "", {"metavar": "METHOD", "help": "Judge by this method only; suites without it are skipped."}),
    ("lemmatiser", "string", "auto", {"metavar": "KIND", "help": "What finds dictionary forms for the method lexicon: simplemma, stanza[:FOLDER], pymorphy3, jieba, spacy:MODEL or surface (default: auto, which is simplemma, and jieba for Chinese)."}),
    ("alignment", "string", "", {"metavar": "ibm1|eflomal|[PAIRS,]LINKS", "help": "Who aligns words for the method gender-morphology: an aligner, or files in Pharaoh's format (default: ibm1)."}),
    ("take", "string", "", {"metavar": "N", "help": "Take N samples a suite, the same ones each time; marks the run as partial."}),
    ("salience", "string", "", {"metavar": "N", "help": "Of N minimal pairs a suite, show in the report which source words the model looks at."}),
    ("set", "linelist", [], {"action": "append", "metavar": "SUITE:GATE=BOUND", "help": "Another bound for a gate, as in 'occupations:gap=<= 0.3'."}),
    ("report", "string", "", {"metavar": "PATH", "help": "Write an HTML report."}),
    ("markdown", "string", "", {"metavar": "PATH", "help": "Write a summary as Markdown, for a pull request."}),
    ("baseline", "string", "", {"metavar": "RECORD", "help": "The record of an earlier run, which gates on regression are judged against; none skips them."}),
    ("record", "string", "", {"metavar": "PATH", "help": "Where the run record goes (default: .mtprobe/last-run.jsonl)."}),
    ("store", "string", "", {"metavar": "PATH", "help": "Where translations and scores are kept (default: .mtprobe/store.sqlite)."}),
    ("no-store", "bool", False, {"action": "store_true", "help": "Keep nothing and reuse nothing."}),
    ("budget", "string", "", {"metavar": "USD", "help": "Refuse a run whose translations by paid services would cost more, in US dollars; what the store has costs nothing."}),
    ("data-root", "string", "", {"metavar": "DIR", "help": "A folder outside the suites' own in which they may name data files."}),
    ("device", "string", "auto", {"metavar": "DEVICE", "help": "auto, cpu, cuda or cuda:N."}),
    ("dtype", "string", "fp32", {"choices": _DTYPES, "help": "What models on ONNX Runtime compute in: fp32 is exact, fp16 (CUDA only) and int8 (CPU only) are faster (default: fp32)."}),
    ("executor", "string", "", {"metavar": "local|KIND[:REST]", "help": "Where models run: here, or on a cluster by a plugin, as in ray or ray:ADDRESS (default: local)."}),
    ("undecided", "string", "fail", {"choices": ("fail", "skip"), "help": "What an undecided gate does (default: fail)."}),
    ("allow-skips", "bool", False, {"action": "store_true", "help": "Do not fail a run in which no gate was judged."}),
)  # fmt: skip


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("mtprobe", "behaviour tests for machine translation (mtprobe)")
    for name, kind, default, settings in _OPTIONS:
        group.addoption(f"--mt-{name}", dest=_dest(name), default=None, **settings)
        parser.addini(_dest(name), settings["help"], type=kind, default=default)
    parser.addini("mt_suites", "More files that are suites, as glob patterns.", type="linelist", default=[])


def check_options(config: pytest.Config) -> None:
    """What can be told to be wrong without looking at a suite or a model."""
    take(config)
    salience(config)
    budget(config)
    overrides(config)
    if option(config, "undecided") not in ("fail", "skip"):
        raise pytest.UsageError("mt_undecided is fail or skip")
    if option(config, "dtype") not in _DTYPES:
        raise pytest.UsageError(f"mt_dtype is {', '.join(_DTYPES[:-1])} or {_DTYPES[-1]}")
    _check_lemmatiser(config)
    for name in ("report", "markdown", "record", "baseline", "store"):
        if option(config, name) and is_folder(Path(option(config, name))):
            raise pytest.UsageError(f"--mt-{name}: {option(config, name)} is a folder; name a file")
    if not all(spec.strip() for spec in option(config, "model")):
        raise pytest.UsageError("--mt-model: names no model; `mtprobe backends` lists what there is")


def _check_lemmatiser(config: pytest.Config) -> None:
    kind = option(config, "lemmatiser")
    if kind == "auto":
        return
    from mtprobe.errors import MtprobeError
    from mtprobe.language.lemmatizers import check_lemmatizer

    try:
        check_lemmatizer(kind)
    except MtprobeError as error:
        raise pytest.UsageError(f"--mt-lemmatiser: {error}") from None


def option(config: pytest.Config, name: str) -> Any:
    """An option from the command line, or else from its ini twin."""
    given = config.getoption(_dest(name))
    return config.getini(_dest(name)) if given is None else given


def _dest(name: str) -> str:
    return "mt_" + name.replace("-", "_")


def take(config: pytest.Config) -> int | None:
    """How many samples a suite are taken; None is all."""
    return _count(config, "take")


def salience(config: pytest.Config) -> int | None:
    """Of how many samples a suite the salience of source words is computed; None is of none."""
    return _count(config, "salience")


def _count(config: pytest.Config, name: str) -> int | None:
    text = option(config, name)
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 18) or int(text) < 1:
        raise pytest.UsageError(f"--mt-{name}: {text} is not a number of samples")
    return int(text)


def budget(config: pytest.Config) -> float | None:
    """What services may cost, in US dollars; None is no limit."""
    text = option(config, "budget")
    if not text:
        return None
    try:
        dollars = float(text)
    except ValueError:
        dollars = math.nan
    if not (math.isfinite(dollars) and dollars >= 0):
        raise pytest.UsageError(f"--mt-budget: {text} is not an amount of US dollars, as in --mt-budget=2.50")
    return dollars


def overrides(config: pytest.Config) -> tuple[tuple[str, str, str], ...]:
    """Suite, gate and bound of each --mt-set."""
    return tuple(_override(text) for text in option(config, "set"))


def _override(text: str) -> tuple[str, str, str]:
    suite, colon, rest = text.partition(":")
    bracket = "]" if "]=" in rest else ""
    gate, equals, bound = rest.partition(f"{bracket}=")
    if not colon or not equals:
        raise pytest.UsageError(f"--mt-set: cannot read '{text}'; write 'SUITE:GATE=>= 0.7'")
    return suite.strip(), gate.strip() + bracket, bound.strip()
