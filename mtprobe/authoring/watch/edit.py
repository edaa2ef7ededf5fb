"""A suite while it is being edited: after each save it is checked, expanded, judged, and compared with its previous state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mtprobe.authoring.check import Check, check_suite
from mtprobe.authoring.watch.changes import (
    GateChange,
    SampleChange,
    VerdictChange,
    gate_changes,
    sample_changes,
    verdict_changes,
)
from mtprobe.errors import MtprobeError
from mtprobe.language.wordnet import WordNet
from mtprobe.plan import Models, Planner
from mtprobe.progress import Progress
from mtprobe.records import Run
from mtprobe.runner import run_plan
from mtprobe.settings import Settings
from mtprobe.suite import Suite


@dataclass(frozen=True, slots=True)
class Edit:
    """The result of a save, compared with the last usable version."""

    check: Check
    first: bool  # there is nothing to compare with
    same_warnings: bool = False  # as before, apart from their lines
    samples: Sequence[SampleChange] = ()
    verdicts: Mapping[str, Sequence[VerdictChange]] = field(default_factory=dict)  # by id, one per method
    gates: Sequence[GateChange] = ()
    not_judged: str = ""  # why a suite without errors has no verdicts, though there is a model


class EditedSuite:
    """Judges with models that stay loaded; the store of the settings has what did not change."""

    def __init__(
        self, path: Path, settings: Settings, models: Models | None, wordnet: WordNet | None = None
    ) -> None:
        self._path, self._settings, self._models, self._wordnet = path, settings, models, wordnet
        self._suite: Suite | None = None
        self._run: Run | None = None
        self._warnings: Sequence[str] = ()
        self.files: tuple[Path, ...] = (path,)  # whose changes matter

    def look(self, progress: Progress | None = None) -> Edit:
        """Reads the file as it is now. A version with errors is not remembered."""
        check = check_suite(self._path, self._settings.data_root, self._wordnet)
        self.files = self._files(check)
        first = self._suite is None
        if check.suite is None or check.errors:
            return Edit(check, first)
        messages = [problem.message for problem in check.warnings]
        same_warnings = not first and messages == self._warnings
        changed = sample_changes(self._suite, check.suite)
        self._suite, self._warnings = check.suite, messages
        run, reason = self._judge(progress)
        if run is None:
            return Edit(check, first, same_warnings, changed, not_judged=reason)
        edit = Edit(
            check,
            first,
            same_warnings,
            changed,
            verdict_changes(self._run, run),
            tuple(gate_changes(self._run, run)),
        )
        self._run = run
        return edit

    def _files(self, check: Check) -> tuple[Path, ...]:
        """The suite and the files that it names. Of a suite that cannot be loaded, what it named before; and its folder,
        where a missing file may appear."""
        if check.suite is not None:
            return tuple(dict.fromkeys([self._path, *check.suite.files]))
        places = [problem.place.path for problem in (*check.errors, *check.missing)]
        return tuple(dict.fromkeys([*self.files, *places, self._path.parent]))

    def _judge(self, progress: Progress | None) -> tuple[Run | None, str]:
        """The run, or why there is none."""
        if self._models is None:
            return None, ""
        try:
            plan = Planner(self._settings, self._models, has_baseline=False).plan([self._path])
            if not plan.running:
                return None, "; ".join(
                    filter(None, (suite.mistake or suite.obstacle or suite.skip for suite in plan.suites))
                )
            return run_plan(plan, None, progress), ""
        except MtprobeError as error:
            return None, str(error)
