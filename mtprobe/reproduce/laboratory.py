"""The input of a reproduction: the folder of published files and the user's models, and how suites are run on them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from mtprobe.api import run
from mtprobe.backends.registry import ModelSpec
from mtprobe.errors import MtprobeError
from mtprobe.metrics import Measure, MetricContext, answered, tally
from mtprobe.progress import Progress
from mtprobe.records import SuiteRun
from mtprobe.studies.figures import read_figure

_PACKED = ".gz"
_LANGUAGES = re.compile(r"^languages: .*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Laboratory:
    """Published files, and models to fill the cells that need one."""

    data: Path
    folder: Path  # where suites are written
    models: tuple[str, ...] = ()  # specs, as `--mt-model` takes them
    evaluators: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)  # of runs on the user's models
    progress: Progress | None = None

    def find(self, *names: str) -> str | None:
        """The first of these files or folders that there is, as a path inside of `data`; packed files count too."""
        for name in names:
            path = self.data / name
            if path.exists() or path.with_name(path.name + _PACKED).is_file():
                return name
        return None

    def found(self, *names: str) -> Path | None:
        """The first of these files, packed or not."""
        name = self.find(*names)
        if name is None:
            return None
        path = self.data / name
        return path if path.exists() else path.with_name(path.name + _PACKED)

    def listed(self, *patterns: str) -> list[Path]:
        """All files that fit one of the patterns, packed or not."""
        fitting = {
            path for pattern in patterns for end in ("", _PACKED) for path in self.data.glob(pattern + end)
        }
        return sorted(fitting)

    def suite(
        self, settings: str, data: Sequence[Mapping[str, Any]], target: str, source: str = "en"
    ) -> Path:
        """The published settings with the files at hand, as a suite that pytest runs too."""
        text = (files(__package__) / "settings" / f"{settings}.yaml").read_text(encoding="utf-8")
        text = _LANGUAGES.sub(f"languages: {{source: {source}, targets: {target}}}", text)
        path = self.folder / f"{settings}.{source}-{target}.mt.yaml"
        entries = "".join(f"  - {json.dumps(entry, ensure_ascii=False)}\n" for entry in data)
        path.write_text(f"{text}data:\n{entries}", encoding="utf-8")
        return path

    def judge(self, suite: Path, model: str, **settings: Any) -> SuiteRun:
        """One suite on published outputs or scores."""
        return run(suite, model, data_root=self.data, progress=self.progress, **settings).suites[0]

    def judge_models(self, suite: Path, evaluators: Sequence[str] = (), **settings: Any) -> list[SuiteRun]:
        """One suite on each of the user's models."""
        return [
            run(
                suite,
                model,
                list(evaluators) or None,
                data_root=self.data,
                progress=self.progress,
                **{**self.settings, **settings},
            ).suites[0]
            for model in self.models
        ]

    @property
    def model_names(self) -> str:
        """For the row of the user's models."""
        names = [ModelSpec.parse(spec).name for spec in self.models]
        return names[0] if len(names) == 1 else f"mean of {', '.join(names)}"


def value(suite: SuiteRun, key: str) -> Measure:
    """A figure of a suite, named as in gates: `accuracy`, `weighted_accuracy[male]`, `bias[gender]`."""
    figure = read_figure(key)
    context = MetricContext(
        tally(suite.results, suite.seed, suite.variants), answered(suite.categories, suite.results)
    )
    return figure.metric.measure(context, figure.selector)


def percents(suites: Sequence[SuiteRun], metric: str) -> list[Measure]:
    """A share over the results of several models, in percent; models that have none are excluded."""
    return [
        replace(found, value=100 * found.value, low=100 * found.low, high=100 * found.high)
        for found in values(suites, metric)
        if found.value is not None
    ]


def values(suites: Sequence[SuiteRun], metric: str) -> list[Measure]:
    """A figure over the results of several models; models that have none are excluded."""
    return [found for suite in suites if (found := value(suite, metric)).value is not None]


@cache
def printed(name: str) -> Mapping[str, Any]:
    """The printed figures of a test set, from its file."""
    import yaml

    text = (files(__package__) / "printed" / f"{name}.yaml").read_text(encoding="utf-8")
    tables: Mapping[str, Any] = yaml.load(text, yaml.BaseLoader)  # noqa: S506 - our file; figures stay texts
    return tables


def nothing_found(paper: str, data: Path, wanted: str) -> MtprobeError:
    return MtprobeError(f"{data} has no data of {paper}, which is looked for in {wanted}")
