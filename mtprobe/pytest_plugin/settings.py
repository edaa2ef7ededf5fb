"""Converts command-line and ini options to the settings of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtprobe.pytest_plugin.options import option
from mtprobe.settings import DEFAULT_STORE, Settings, read_settings
from mtprobe.system.cores import share_of_cores

_SAME_NAME = (
    "back",
    "source",
    "target",
    "method",
    "lemmatizer",
    "alignment",
    "take",
    "repeat",
    "salience",
    "unfit",
    "unaudited",
    "counterfactuals",
    "baseline",
    "device",
    "dtype",
    "executor",
    "budget",
    "timeout",
)


def settings_of(config: pytest.Config) -> Settings:
    """The settings, or a `SettingError` that names the option."""
    store = option(config, "store") or config.rootpath / DEFAULT_STORE
    return read_settings(
        models=option(config, "model"),
        evaluators=option(config, "evaluator"),
        overrides=option(config, "set"),
        data_root=option(config, "data-root"),
        store=None if option(config, "no-store") else store,
        threads=share_of_cores(),
        judge_repeat=option(config, "judge-repeat"),
        sequential=_sequential(config),
        **{name: option(config, name) for name in _SAME_NAME},
    )


def _sequential(config: pytest.Config) -> bool | None:
    """None: as suites say. The command line takes precedence over the ini file."""
    for given in (config.getoption, config.getini):
        if given("mt_no_sequential"):
            return False
        if given("mt_sequential"):
            return True
    return None


def shown_path(path: Path) -> Path:
    """Relative to the working directory if it is below it: what errors and reports show."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
