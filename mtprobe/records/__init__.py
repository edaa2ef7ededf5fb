"""The run record: everything that happened, as JSON Lines. All comparisons and reports are based on it.

A record is a `run` line, then for each suite and model a `suite` line with its `sample` and `gate` lines, a `failed`
line for each suite that could not be run or was interrupted, an `unjudged` line for each suite with gates that the
run did not come to, an `unselected` line for each suite of which no gate was selected, and an `end` line, which says whether the record is whole. A reader accepts any record of its own major version and ignores unknown lines and fields.
"""

from mtprobe.backends.model import ModelFacts
from mtprobe.records.merge import merged
from mtprobe.records.read import RecordError, read_part, read_run
from mtprobe.records.run import (
    VERSION,
    EarlyStop,
    FailedSuite,
    Interruption,
    Run,
    RunFacts,
    SuiteRun,
    Unjudged,
    Unselected,
)
from mtprobe.records.write import Recorder, write_failed, write_run, write_suite

__all__ = [
    "VERSION",
    "EarlyStop",
    "FailedSuite",
    "Interruption",
    "ModelFacts",
    "RecordError",
    "Recorder",
    "Run",
    "RunFacts",
    "SuiteRun",
    "Unjudged",
    "Unselected",
    "merged",
    "read_part",
    "read_run",
    "write_failed",
    "write_run",
    "write_suite",
]
