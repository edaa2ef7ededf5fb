"""The run record: everything that happened, as JSON Lines. Every comparison and report is drawn from it.

A record is a `run` line, then for each suite and model a `suite` line, its `sample` lines and its
`gate` lines, a `failed` line for each suite that could not be run or was interrupted, and an `end` line, which says whether
the run came to its own end. A reader takes any record of its own major version and passes over lines and fields that
it does not know.
"""

from mtprobe.backends.model import ModelFacts
from mtprobe.records.merge import merged
from mtprobe.records.read import RecordError, read_part, read_run
from mtprobe.records.run import VERSION, FailedSuite, Interruption, Run, RunFacts, SuiteRun
from mtprobe.records.write import Recorder, write_failed, write_run, write_suite

__all__ = [
    "VERSION",
    "FailedSuite",
    "Interruption",
    "ModelFacts",
    "RecordError",
    "Recorder",
    "Run",
    "RunFacts",
    "SuiteRun",
    "merged",
    "read_part",
    "read_run",
    "write_failed",
    "write_run",
    "write_suite",
]
