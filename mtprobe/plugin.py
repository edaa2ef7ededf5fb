"""The pytest plugin: options, and the door to everything else.

Nothing heavy is imported here: a run without a suite pays for a few options and one look at each
file's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from mtprobe.collect import SuiteFile

SUFFIXES = (".mt.yaml", ".mt.yml")

# name, ini type, default, argparse settings. Every flag --mt-x has an ini twin mt_x.
_OPTIONS: tuple[tuple[str, Any, Any, dict[str, Any]], ...] = (
    ("model", "linelist", [], {"action": "append", "metavar": "[NAME=]SPEC", "help": "The model under test; may be given several times, with names. `mtprobe backends` lists the kinds."}),
    ("evaluator", "string", "", {"metavar": "SPEC", "help": "The model that scores the translations; without it a model that can score judges itself."}),
    ("source", "string", "", {"metavar": "TAG", "help": "The source language, where the model does not say."}),
    ("target", "string", "", {"metavar": "TAG", "help": "The target language, where the model does not say."}),
    ("method", "string", "", {"metavar": "METHOD", "help": "Judge by this method only; suites without it are skipped."}),
    ("take", "string", "", {"metavar": "N", "help": "Take N samples a suite, the same ones each time; marks the run as partial."}),
    ("set", "linelist", [], {"action": "append", "metavar": "SUITE:GATE=BOUND", "help": "Another bound for a gate, as in 'occupations:gap=<= 0.3'."}),
    ("report", "string", "", {"metavar": "PATH", "help": "Write an HTML report."}),
    ("record", "string", "", {"metavar": "PATH", "help": "Where the run record goes (default: .mtprobe/last-run.jsonl)."}),
    ("store", "string", "", {"metavar": "PATH", "help": "Where translations and scores are kept (default: .mtprobe/store.sqlite)."}),
    ("no-store", "bool", False, {"action": "store_true", "help": "Keep nothing and reuse nothing."}),
    ("data-root", "string", "", {"metavar": "DIR", "help": "A folder outside the suites' own in which they may name data files."}),
    ("device", "string", "auto", {"metavar": "DEVICE", "help": "auto, cpu, cuda or cuda:N."}),
    ("undecided", "string", "fail", {"choices": ("fail", "skip"), "help": "What an undecided gate does (default: fail)."}),
    ("allow-skips", "bool", False, {"action": "store_true", "help": "Do not fail a run in which no gate was judged."}),
)  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mtprobe", "behaviour tests for machine translation (mtprobe)")
    for name, kind, default, settings in _OPTIONS:
        group.addoption(f"--mt-{name}", dest=_dest(name), default=None, **settings)
        parser.addini(_dest(name), settings["help"], type=kind, default=default)
    parser.addini("mt_suites", "More files that are suites, as glob patterns.", type="linelist", default=[])


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    from mtprobe import hooks

    pluginmanager.add_hookspecs(hooks)


def option(config: pytest.Config, name: str) -> Any:
    """An option from the command line, or else from its ini twin."""
    given = config.getoption(_dest(name))
    return config.getini(_dest(name)) if given is None else given


def _dest(name: str) -> str:
    return "mt_" + name.replace("-", "_")


def is_suite(path: Path, config: pytest.Config) -> bool:
    """By its name only: other people's YAML is left alone."""
    if path.name.endswith(SUFFIXES):
        return True
    patterns = config.getini("mt_suites")
    if not patterns or not path.is_relative_to(config.rootpath):
        return False
    relative = path.relative_to(config.rootpath).as_posix()
    return any(fnmatch(relative, pattern) for pattern in patterns)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SuiteFile | None:
    if not is_suite(file_path, parent.config):
        return None
    from mtprobe.collect import SuiteFile
    from mtprobe.session import start

    start(parent.config)
    return SuiteFile.from_parent(parent, path=file_path)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Under xdist the controller never collects, but it merges and reports."""
    config = session.config
    distributes = config.getoption("dist", "no") != "no" and not hasattr(config, "workerinput")
    if distributes and option(config, "model"):
        from mtprobe.session import start

        start(config).check_models()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The gates of one suite stay on one worker; everything else is spread as before."""
    if not option(config, "model") or config.getoption("dist", "no") not in ("load", "worksteal"):
        return None
    from mtprobe.schedule import SuiteScheduling

    return SuiteScheduling(config, log)


def pytest_report_header(config: pytest.Config) -> Sequence[str]:
    from mtprobe.session import started

    session = started(config)
    return [session.headline()] if session else []
