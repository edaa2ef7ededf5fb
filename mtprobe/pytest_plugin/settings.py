"""What the user asked for on the command line or in the ini file, as settings of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtprobe.backends.registry import ModelSpec
from mtprobe.pytest_plugin.options import budget, option, overrides, salience, take
from mtprobe.settings import DEFAULT_STORE, Settings
from mtprobe.system.cores import share_of_cores


def settings_of(config: pytest.Config) -> Settings:
    def text(name: str) -> str | None:
        return option(config, name) or None

    def path(name: str) -> Path | None:
        return Path(given) if (given := text(name)) else None

    evaluator = text("evaluator")
    store = None if option(config, "no-store") else path("store") or config.rootpath / DEFAULT_STORE
    return Settings(
        models=tuple(ModelSpec.parse(spec) for spec in option(config, "model")),
        evaluator=ModelSpec.parse(evaluator) if evaluator else None,
        source=text("source"),
        target=text("target"),
        method=text("method"),
        lemmatiser=option(config, "lemmatiser"),
        alignment=text("alignment"),
        take=take(config),
        salience=salience(config),
        overrides=overrides(config),
        data_root=path("data-root"),
        store=store,
        device=option(config, "device"),
        dtype=option(config, "dtype"),
        threads=share_of_cores(),
        executor=text("executor"),
        budget=budget(config),
    )


def shown_path(path: Path) -> Path:
    """Seen from where the user stands, if it lies below: it is what errors and reports show."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
