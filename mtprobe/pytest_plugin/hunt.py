"""The item `hunt` of a suite, which fails with the smallest sentence of the templates that the model gets wrong."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from mtprobe.errors import MtprobeError
from mtprobe.methods.verdict import first_repeat
from mtprobe.plan.tracker import Tracker
from mtprobe.printable import printable
from mtprobe.progress import Progress, notices_to
from mtprobe.pytest_plugin.collected import HUNT
from mtprobe.pytest_plugin.collection import GateFailed, ProbeItem

if TYPE_CHECKING:
    from mtprobe.authoring.hunt.search import Hunt


class HuntItem(ProbeItem):
    """Goes on from the verdicts of the suite's samples, which its gates read, too."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(name=HUNT, **rest)
        self._hunt: Hunt | BaseException | None = None

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        place = self.results.suite.place_of(HUNT)
        return printable(place.path), max(0, place.line - 1), printable(f"{self.results.suite.name}: {HUNT}")

    def prepare(self) -> None:
        """Failures here are raised again in the item's setup."""
        super().prepare()
        if self.get_closest_marker("skip") is not None or self._hunt is not None or not self._has_run():
            return
        progress = self.results.session.progress()
        try:
            with notices_to(progress.note):
                self._hunt = self._search(progress)
        except (KeyboardInterrupt, pytest.exit.Exception):
            raise
        except BaseException as error:
            self._hunt = error
        finally:
            progress.done()

    def _has_run(self) -> bool:
        try:
            return bool(self.results.run_of())
        except Exception:  # reported for every item of the suite
            return False

    def _search(self, progress: Progress) -> Hunt:
        from mtprobe.authoring.hunt.ask import Asker, Limits
        from mtprobe.authoring.hunt.search import Search

        session, plan = self.results.session, self.results.plan
        budget = plan.suite.hunt or 1
        tracker = Tracker(progress)
        results = first_repeat(self.results.run_of().results)

        def work() -> Hunt:
            asker = Asker(plan, session.store, tracker, Limits(budget, session.dollars_per_hunt))
            search = Search(asker, plan.suite.seed)
            tracker.start("hunting", budget)
            asker.know(results)
            asker.fit(counts=False)
            search.know(results)
            return search.run()

        return session.work.do(work, tracker.stop)

    def not_judged(self) -> str | None:
        self.results.run_of()  # raises what keeps the suite from being judged
        if isinstance(self._hunt, BaseException):
            raise self._hunt
        if self._hunt is None:
            raise MtprobeError(f"{self.results.suite.name}: the hunt has not run")
        if self._hunt.tried and self._hunt.errors == self._hunt.tried:
            return f"{self.results.suite.name}: {HUNT} cannot be judged: no sentence could be"
        return None

    def runtest(self) -> None:
        from mtprobe.report.screen.hunt import found_lines, headline, last_lines

        hunt = self._hunt
        if hunt is None or isinstance(hunt, BaseException):
            raise AssertionError("the setup has failed")
        counts = {"tried": hunt.tried, "failing": hunt.failing, "asked": hunt.spent.asked}
        self.user_properties.extend((f"mtprobe_{name}", count) for name, count in counts.items())
        if not hunt.found:
            return
        model = self.results.model.name if self.results.model else ""
        lines = [f"{self.results.suite.name}: {HUNT} = {headline(hunt)}"]
        for found in hunt.found:
            lines += ["", *found_lines(found)]
        raise GateFailed("\n".join([*lines, "", *last_lines(hunt, model)]))
