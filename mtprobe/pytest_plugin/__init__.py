"""The pytest plugin: its options, and the entry point for everything else.

Nothing heavy is imported here: a run without a suite pays for a few options and one look at each
file's name.
"""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mtprobe import SHIPPED, SUITE_SUFFIXES
from mtprobe.pytest_plugin import hooks
from mtprobe.pytest_plugin.options import add_options, check_options, option

if TYPE_CHECKING:
    from mtprobe.pytest_plugin.collection import SuiteFile


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(hooks)


def pytest_configure(config: pytest.Config) -> None:
    check_options(config)
    if option(config, "suite") or any(argument.startswith(SHIPPED) for argument in config.args):
        from mtprobe.pytest_plugin.shipped import add_suites

        add_suites(config)
    for argument in config.args:
        path = Path(config.invocation_params.dir, argument.partition("::")[0])
        if path.suffix in (".yaml", ".yml", ".txt") and not is_suite(path, config):
            from mtprobe.pytest_plugin.misnamed import check_name

            check_name(path, config)


def is_suite(path: Path, config: pytest.Config) -> bool:
    """Decides by the file name only; other people's YAML is left alone."""
    if path.name.endswith(SUITE_SUFFIXES):
        return True
    patterns = config.getini("mt_suites")
    if not patterns or not path.is_relative_to(config.rootpath):
        return False
    relative = path.relative_to(config.rootpath).as_posix()
    return any(fnmatch(relative, pattern) for pattern in patterns)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SuiteFile | None:
    if not is_suite(file_path, parent.config):
        return None
    from mtprobe.pytest_plugin.collection import SuiteFile
    from mtprobe.pytest_plugin.session import start

    start(parent.config)
    return SuiteFile.at(file_path, parent)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Under xdist the controller never collects, but it merges and reports."""
    config = session.config
    distributes = config.getoption("dist", "no") != "no" and not hasattr(config, "workerinput")
    if distributes and option(config, "model"):
        from mtprobe.pytest_plugin.session import start

        start(config).check_models()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    """A model was named and there is nothing to run on it: say where suites come from."""
    nothing = exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and config.getoption("mt_model")
    if nothing and not config.pluginmanager.has_plugin("mtprobe-runtime"):
        terminalreporter.write_line(
            "mtprobe: no suite (*.mt.yaml) was found; `mtprobe suites` lists those that come with mtprobe, "
            "--mt-suite=NAME runs them, and `mtprobe new suite` starts your own"
        )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The gates of one suite stay on one worker; everything else is spread as before."""
    if not option(config, "model") or config.getoption("dist", "no") not in ("load", "worksteal"):
        return None
    from mtprobe.pytest_plugin.xdist import SuiteScheduling

    return SuiteScheduling(config, log)
