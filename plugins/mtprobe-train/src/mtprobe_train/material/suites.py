"""Converts suites to training material; the held-out part is written as suites."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mtprobe.backends import LanguagePair, MtprobeError
from mtprobe.verbs import (
    Sample,
    Store,
    Suite,
    counted,
    load_suite,
    open_store,
    progress_of_a_verb,
    suite_files,
    warn,
    write_part,
    write_text,
)

from ..networks.base import Base
from ..objectives.objective import Objective
from .counterfactuals import counterfactual_pairs
from .example import Example, rank
from .files import Material
from .split import Shares, Split, check_parts, split, take, untrained
from .targets import examples_of, without_targets
from .text import replay_sentences, translated_text

HELD_OUT = "held-out"
SPLIT = "split.json"


def read_suites(paths: Sequence[Path], data_root: Path | None, languages: LanguagePair) -> list[Suite]:
    """Suites that do not fit the model's languages are skipped; if none fits, that is an error."""
    suites = [load_suite(path, data_root) for path in suite_files(paths)]
    fitting = [suite for suite in suites if suite.fits(languages.source, languages.target)]
    if not fitting:
        raise MtprobeError(
            "\n".join(
                f"{suite.path}: the suite is for {suite.languages}, but the model translates {languages}"
                for suite in suites
            )
        )
    for suite in suites:
        if suite not in fitting:
            warn(f"skipped: {suite.path} is for {suite.languages}")
    return fitting


@dataclass(frozen=True, slots=True)
class Selection:
    """The user's selection of training material."""

    shares: Shares
    take: int | None
    counterfactuals: bool
    replay: Path | None
    objective: Objective
    tests: Sequence[Suite] = ()  # not trained on

    def collect(self, suites: Sequence[Suite], base: Base, store_path: Path | None, folder: Path) -> Material:
        """Makes all examples, and writes the split and the held-out suites."""
        parts = [split(suite.samples, self.shares) for suite in suites]
        check_parts(parts, self.shares)
        tests = [untrained(suite.samples, parts) for suite in self.tests]
        for suite, part in zip(self.tests, tests, strict=True):
            if not part.held_out:
                raise MtprobeError(
                    f"{suite.path}: cannot test: no sample has a cluster that is not trained on"
                )
        replay = replay_sentences(self.replay) if self.replay else []
        with open_store(store_path) as store:
            train, dev = [], []
            for suite, part in zip(suites, parts, strict=True):
                chosen = take(part.train, self.take, self.shares.seed)
                both = list(self._examples(suite, (*chosen, *part.dev), base, store))
                in_dev = {sample.id for sample in part.dev}
                train += [example for id_, example in both if id_ not in in_dev]
                dev += [example for id_, example in both if id_ in in_dev]
            self._check(suites, train, dev)
            replayed = translated_text(replay, base.model, store, progress_of_a_verb(), replay=True)
            for example in replayed:
                (dev if rank("dev", self.shares.seed, example.id) < self.shares.dev else train).append(
                    example
                )
        _write_split(folder, [*suites, *self.tests], [*parts, *tests])
        return Material(tuple(train), tuple(dev))

    def _examples(
        self, suite: Suite, samples: Sequence[Sample], base: Base, store: Store | None
    ) -> Iterator[tuple[str, Example]]:
        """Each with the id of its sample; the ids of examples name the suite as well."""
        found = [*examples_of(samples, base.model.languages.target)]
        if self.counterfactuals and (rest := without_targets(samples, base.model.languages.target)):
            made = [*counterfactual_pairs(suite, rest, base.model, store, progress_of_a_verb())]
            warn(f"{suite.path}: {len(made):,} of {counted(len(rest), 'translation')} have a counterfactual")
            found += made
        for example in found:
            named = Example(f"{suite.name}/{example.id}", example.source, example.target, example.rejected)
            yield example.id.rpartition("#")[0], named

    def _check(self, suites: Sequence[Suite], train: Sequence[Example], dev: Sequence[Example]) -> None:
        names = ", ".join(str(suite.path) for suite in suites)
        if not train or (self.shares.dev and not dev):
            part = "development" if train else "training"
            hint = "" if self.counterfactuals else (
                "; --counterfactuals makes pairs from the model's own translations"
            )  # fmt: skip
            raise MtprobeError(f"{names}: the {part} part has no sample with targets in this language{hint}")
        if self.objective.needs_pairs and not any(example.rejected for example in train):
            raise MtprobeError(
                f"{names}: the objective {self.objective.name} needs incorrect targets, and no sample has any; "
                "cross-entropy needs none"
            )


def _write_split(folder: Path, suites: Sequence[Suite], parts: Sequence[Split]) -> None:
    """The ids of every part, and the held-out part as suites that pytest runs."""
    record = [
        {
            "suite": suite.name,
            "train": [sample.id for sample in part.train],
            "dev": [sample.id for sample in part.dev],
            "held_out": [sample.id for sample in part.held_out],
        }
        for suite, part in zip(suites, parts, strict=True)
    ]
    held_out = folder / HELD_OUT
    for old in held_out.glob("*"):  # of an attempt that was interrupted here
        old.unlink()
    for suite, part in zip(suites, parts, strict=True):
        if part.held_out:
            write_part(
                held_out,
                suite,
                part.held_out,
                f"The part of {suite.path.name} that `mtprobe tune` held out: no sample shares its cluster with training.",
            )
    write_text(folder / SPLIT, json.dumps(record, indent=1, ensure_ascii=False) + "\n")
