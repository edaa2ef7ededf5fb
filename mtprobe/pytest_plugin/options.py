"""The plugin's options: `--mt-x` on the command line, `mt_x` in the ini file."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import pytest

from mtprobe.system.named import is_folder, is_there

# As in mtprobe.settings, which unrelated runs do not load.
_DTYPES = ("fp32", "fp16", "int8")
_UNFIT = ("undecided", "fail", "warn")
_OLD_NAMES = {"lemmatizer": "lemmatiser"}  # still accepted, but not shown

# name, ini type, default, argparse settings. Every flag --mt-x has an ini twin mt_x.
_OPTIONS: tuple[tuple[str, Any, Any, dict[str, Any]], ...] = (
    ("model", "linelist", [], {"action": "append", "metavar": "[NAME=]SPEC", "help": "The model under test; may be given several times, with names. `mtprobe backends` lists the kinds."}),
    ("evaluator", "linelist", [], {"action": "append", "metavar": "[TAG=]SPEC", "help": "The model that scores the translations, for one target language (de=SPEC) or for all; several score together, by the mean of their log-probabilities. Without it a model that can score judges itself."}),
    ("back", "linelist", [], {"action": "append", "metavar": "[NAME=]SPEC", "help": "A second model that translates back, for suites with round trips; several for several target languages."}),
    ("suite", "linelist", [], {"action": "append", "metavar": "NAME", "help": "Run a suite that comes with mtprobe, or a folder of them: gender, gender/occupations or all; `mtprobe suites` lists them. May be given several times. Without a path, nothing else is run."}),
    ("source", "string", "", {"metavar": "TAG", "help": "The source language, if the model does not say."}),
    ("target", "linelist", [], {"action": "append", "metavar": "TAG[,TAG…]", "help": "The target language, if the model does not say; several run a multilingual model once for each."}),
    ("method", "linelist", [], {"action": "append", "metavar": "METHOD[,METHOD…]", "help": "Judge by this method only; several judge each by itself, and the report shows where they agree. Suites without any of them are skipped."}),
    ("lemmatizer", "string", "auto", {"metavar": "KIND", "help": "What finds dictionary forms for the method lexicon: simplemma, stanza[:FOLDER], pymorphy3, jieba, spacy:MODEL or surface (default: auto, which is simplemma, and jieba for Chinese)."}),
    ("alignment", "string", "", {"metavar": "ibm1|eflomal|[PAIRS,]LINKS", "help": "The word aligner for the method gender-morphology: an aligner, or files in Pharaoh's format (default: ibm1)."}),
    ("take", "string", "", {"metavar": "N", "help": "Take N samples per suite, the same ones each time; marks the run as partial."}),
    ("repeat", "string", "", {"metavar": "N", "help": "Translate each sentence N times, for models that sample: gates are decided on the mean over the repeats, and samples whose verdict changes are listed."}),
    ("judge-repeat", "string", "", {"metavar": "N", "help": "Ask a judge that samples its answers each question N times (method question): verdicts are decided on the mean, and a note says how often the answers differ."}),
    ("sequential", "bool", False, {"action": "store_true", "help": "Ask samples in random order, and no more of them than it takes to decide the gates; suites may say so themselves (sequential: true)."}),
    ("no-sequential", "bool", False, {"action": "store_true", "help": "Ask all samples, also of suites that say sequential: true."}),
    ("salience", "string", "", {"metavar": "N", "help": "Show in the report which source words the model looks at, for N minimal pairs per suite."}),
    ("set", "linelist", [], {"action": "append", "metavar": "SUITE:GATE=BOUND", "help": "Another bound for a gate, as in 'gendered-occupations:gap=<= 0.3'."}),
    ("report", "string", "", {"metavar": "PATH", "help": "Write an HTML report."}),
    ("markdown", "string", "", {"metavar": "PATH", "help": "Write a summary as Markdown, for a pull request."}),
    ("baseline", "string", "", {"metavar": "RECORD", "help": "The record of an earlier run, which regression gates are decided against; none skips them."}),
    ("record", "string", "", {"metavar": "PATH", "help": "Where the run record goes (default: .mtprobe/last-run.jsonl)."}),
    ("history", "string", "", {"metavar": "DIR", "help": "Also keep the record in this folder, under its date; `mtprobe trend DIR` shows every gate over the runs there."}),
    ("store", "string", "", {"metavar": "PATH", "help": "Where translations and scores are kept (default: .mtprobe/store.sqlite); none keeps nothing."}),
    ("no-store", "bool", False, {"action": "store_true", "help": "Keep nothing and reuse nothing."}),
    ("budget", "string", "", {"metavar": "USD", "help": "Refuse a run whose translations by paid services would cost more than this, in US dollars; what is in the store costs nothing."}),
    ("timeout", "string", "", {"metavar": "SECONDS", "help": "How long one call of a python: function or a cmd: program may take (default: 3600; 0 is no limit); its sentences are errors after that."}),
    ("data-root", "string", "", {"metavar": "DIR", "help": "A folder, besides their own, in which suites may name data files."}),
    ("device", "string", "auto", {"metavar": "DEVICE", "help": "auto, cpu, cuda or cuda:N."}),
    ("dtype", "string", "fp32", {"choices": _DTYPES, "help": "The number format of models on ONNX Runtime: fp32 is exact, fp16 (CUDA only) and int8 (CPU only) are faster (default: fp32)."}),
    ("executor", "string", "", {"metavar": "local|KIND[:REST]", "help": "Where models run: here, or on a cluster by a plugin, as in ray or ray:ADDRESS (default: local)."}),
    ("undecided", "string", "fail", {"choices": ("fail", "skip"), "help": "What an undecided gate does (default: fail)."}),
    ("unfit", "string", "undecided", {"choices": _UNFIT, "help": "What becomes of a gate if an audit in place finds its verdicts unfit (default: undecided); warn decides it anyway."}),
    ("unaudited", "string", "warn", {"choices": _UNFIT, "help": "What becomes of a gate if an evaluator judged and its verdicts could not be audited in place (default: warn)."}),
    ("counterfactuals", "string", "", {"metavar": "N", "help": "Audit the evaluator on at most N translations per suite that are put into their other reading (default: 200; 0 for none)."}),
    ("allow-skips", "bool", False, {"action": "store_true", "help": "Do not fail a run in which no gate was judged."}),
)  # fmt: skip


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("mtprobe", "behaviour tests for machine translation (mtprobe)")
    for name, kind, default, settings in _OPTIONS:
        group.addoption(f"--mt-{name}", dest=_dest(name), default=None, **settings)
        parser.addini(_dest(name), settings["help"], type=kind, default=default)
    for name, old in _OLD_NAMES.items():
        group.addoption(f"--mt-{old}", dest=_dest(name), default=None, help=argparse.SUPPRESS)
        parser.addini(_dest(old), f"The old name of {_dest(name)}.", type="string", default="")
    parser.addini("mt_suites", "More files that are suites, as glob patterns.", type="linelist", default=[])


def check_options(config: pytest.Config) -> None:
    """Reports what is wrong before anything is collected. A run that sets no option pays nothing."""
    if option(config, "undecided") not in ("fail", "skip"):
        raise pytest.UsageError("mt_undecided is fail or skip")
    for name in ("report", "markdown", "record", "baseline", "store"):
        if option(config, name) and is_folder(Path(option(config, name))):
            raise pytest.UsageError(f"--mt-{name}: {option(config, name)} is a folder; name a file")
    history = option(config, "history")
    if history and is_there(history) and not is_folder(history):
        raise pytest.UsageError(f"--mt-history: {history} is a file; name a folder")
    if not all(spec.strip() for spec in option(config, "model")):
        raise pytest.UsageError("--mt-model: names no model; `mtprobe backends` lists the kinds of models")
    if any(option(config, name) != default for name, _, default, _ in _OPTIONS):
        _check_settings(config)


def _check_settings(config: pytest.Config) -> None:
    from mtprobe.errors import MtprobeError
    from mtprobe.pytest_plugin.settings import settings_of

    try:
        settings_of(config)
    except MtprobeError as error:
        raise usage_error(error) from None


def usage_error(error: Exception) -> pytest.UsageError:
    """A mistake, in the words of the command line: a setting `target` is --mt-target there."""
    from mtprobe.settings import SettingError

    if isinstance(error, SettingError):
        return pytest.UsageError(f"--mt-{error.name}: {error.reason}")
    return pytest.UsageError(with_flags(str(error)))


def with_flags(text: str) -> str:
    """The text with settings in backquotes, `target` or `dtype=fp32`, written as options."""
    names = "|".join(name for name, *_ in _OPTIONS)
    return re.sub(rf"`({names})(=[^`]*)?`", r"--mt-\1\2", text)


def option(config: pytest.Config, name: str) -> Any:
    """An option from the command line, else from the ini file."""
    given = config.getoption(_dest(name))
    if given is not None:
        return given
    old = _OLD_NAMES.get(name)
    return (config.getini(_dest(old)) if old else None) or config.getini(_dest(name))


def _dest(name: str) -> str:
    return "mt_" + name.replace("-", "_")
