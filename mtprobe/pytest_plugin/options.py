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
    ("model", "linelist", [], {"action": "append", "metavar": "[NAME=]SPEC", "help": "The model under test. To test several models, repeat the option and name each model. `mtprobe backends` lists the kinds of models."}),
    ("evaluator", "linelist", [], {"action": "append", "metavar": "[TAG=]SPEC", "help": "The model that scores the translations, for one target language (de=SPEC) or for all. The log-probabilities of several evaluators are averaged. Without an evaluator, a model that can score judges itself."}),
    ("back", "linelist", [], {"action": "append", "metavar": "[NAME=]SPEC", "help": "The model for back-translation, for suites with round trips. Repeat the option for several target languages."}),
    ("suite", "linelist", [], {"action": "append", "metavar": "NAME", "help": "Run a suite shipped with mtprobe, or a folder of them: gender, gender/occupations or all; `mtprobe suites` lists them. May be repeated. Without a path, nothing else is run."}),
    ("source", "string", "", {"metavar": "TAG", "help": "The source language, if the model does not declare it."}),
    ("target", "linelist", [], {"action": "append", "metavar": "TAG[,TAG…]", "help": "The target language, if the model does not declare it. With several languages, a multilingual model runs once for each."}),
    ("method", "linelist", [], {"action": "append", "metavar": "METHOD[,METHOD…]", "help": "Judge only with this method. Several methods judge independently, and the report shows where they agree. Suites that have none of these methods are skipped."}),
    ("lemmatizer", "string", "auto", {"metavar": "KIND", "help": "The lemmatizer for the method lexicon: simplemma, stanza[:FOLDER], pymorphy3, jieba, spacy:MODEL or surface (default: auto, which is simplemma, or jieba for Chinese)."}),
    ("alignment", "string", "", {"metavar": "ibm1|eflomal|[PAIRS,]LINKS", "help": "The word aligner for the method gender-morphology: an aligner, or files in Pharaoh format (default: ibm1)."}),
    ("take", "string", "", {"metavar": "N", "help": "Use only N samples per suite, the same ones each time. The run is marked as partial."}),
    ("repeat", "string", "", {"metavar": "N", "help": "For models that sample: translate each sentence N times. Gates are decided on the mean over the repeats, and samples with varying verdicts are listed."}),
    ("judge-repeat", "string", "", {"metavar": "N", "help": "For judges that sample (method question): ask each question N times. Verdicts are decided on the mean, and a note reports how often the answers differ."}),
    ("sequential", "bool", False, {"action": "store_true", "help": "Process samples in random order, and stop when the gates are decided. A suite can set this itself (sequential: true)."}),
    ("no-sequential", "bool", False, {"action": "store_true", "help": "Process all samples, even in suites with sequential: true."}),
    ("salience", "string", "", {"metavar": "N", "help": "Show in the report which source words influence the model, for N minimal pairs per suite."}),
    ("set", "linelist", [], {"action": "append", "metavar": "SUITE:GATE=BOUND", "help": "Override the bound of a gate, as in 'gendered-occupations:gap=<= 0.3'."}),
    ("report", "string", "", {"metavar": "PATH", "help": "Write an HTML report."}),
    ("markdown", "string", "", {"metavar": "PATH", "help": "Write a summary as Markdown, for a pull request."}),
    ("baseline", "string", "", {"metavar": "RECORD", "help": "The record of an earlier run, for regression gates; none skips these gates."}),
    ("record", "string", "", {"metavar": "PATH", "help": "The file for the run record (default: .mtprobe/last-run.jsonl)."}),
    ("history", "string", "", {"metavar": "DIR", "help": "Also save the record in this folder, named by date. `mtprobe trend DIR` shows every gate over these runs."}),
    ("store", "string", "", {"metavar": "PATH", "help": "The file for stored translations and scores (default: .mtprobe/store.sqlite); none stores nothing."}),
    ("no-store", "bool", False, {"action": "store_true", "help": "Do not store or reuse translations and scores."}),
    ("budget", "string", "", {"metavar": "USD", "help": "Do not start a run if paid services would cost more than this, in US dollars. Stored translations cost nothing."}),
    ("timeout", "string", "", {"metavar": "SECONDS", "help": "Time limit for one call of a python: function or a cmd: program (default: 3600; 0 means no limit). If a call takes longer, its sentences are errors."}),
    ("data-root", "string", "", {"metavar": "DIR", "help": "A folder that suites may read data files from, in addition to their own folders."}),
    ("device", "string", "auto", {"metavar": "DEVICE", "help": "auto, cpu, cuda or cuda:N."}),
    ("dtype", "string", "fp32", {"choices": _DTYPES, "help": "The number format of models on ONNX Runtime: fp32 is exact, fp16 (CUDA only) and int8 (CPU only) are faster (default: fp32)."}),
    ("executor", "string", "", {"metavar": "local|KIND[:REST]", "help": "Where models run: on this machine (local, the default), or on a cluster through a plugin, as in ray or ray:ADDRESS."}),
    ("undecided", "string", "fail", {"choices": ("fail", "skip"), "help": "What happens to undecided gates (default: fail)."}),
    ("unfit", "string", "undecided", {"choices": _UNFIT, "help": "What happens to a gate if the audit on the run's own translations finds its verdicts unfit (default: undecided); warn decides it anyway."}),
    ("unaudited", "string", "warn", {"choices": _UNFIT, "help": "What happens to a gate if an evaluator's verdicts on the run's own translations could not be audited (default: warn)."}),
    ("counterfactuals", "string", "", {"metavar": "N", "help": "Audit the evaluator on counterfactuals (translations changed to the other reading) of at most N translations per suite (default: 200; 0 disables this)."}),
    ("allow-skips", "bool", False, {"action": "store_true", "help": "Do not fail if no gate was judged."}),
)  # fmt: skip


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("mtprobe", "behaviour tests for machine translation (mtprobe)")
    for name, kind, default, settings in _OPTIONS:
        group.addoption(f"--mt-{name}", dest=_dest(name), default=None, **settings)
        parser.addini(_dest(name), settings["help"], type=kind, default=default)
    for name, old in _OLD_NAMES.items():
        group.addoption(f"--mt-{old}", dest=_dest(name), default=None, help=argparse.SUPPRESS)
        parser.addini(_dest(old), f"The old name of {_dest(name)}.", type="string", default="")
    parser.addini(
        "mt_suites", "Glob patterns of additional files to collect as suites.", type="linelist", default=[]
    )


def check_options(config: pytest.Config) -> None:
    """Reports what is wrong before anything is collected. A run that sets no option pays nothing."""
    if (marks := str(config.getoption("markexpr", ""))).startswith("t-"):
        raise pytest.UsageError(f"-m{marks}: options of mtprobe begin with two dashes: --m{marks}")
    if option(config, "undecided") not in ("fail", "skip"):
        raise pytest.UsageError("mt_undecided is fail or skip")
    for name in ("report", "markdown", "record", "baseline", "store"):
        if option(config, name) and is_folder(Path(option(config, name))):
            raise pytest.UsageError(f"--mt-{name}: {option(config, name)} is a folder; name a file")
    for name, other, suffixes in (
        ("report", "markdown", (".md", ".markdown")),
        ("markdown", "report", (".html", ".htm")),
    ):
        if (path := option(config, name)).lower().endswith(suffixes):
            raise pytest.UsageError(
                f"--mt-{name}: {path} has the wrong ending for it; use --mt-{other}={path}"
            )
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
