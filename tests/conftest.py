"""Shared by all tests."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path

# Tests run in parallel: libraries that start one thread per core would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Tables are never wrapped, whatever terminal the tests run in.
os.environ["COLUMNS"] = "160"

# Hundreds of processes import mtprobe: with bytecode, each starts a third of a second sooner.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Processes in the background of a shell ignore Ctrl-C, and so would the programs that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Converted models stay out of the user's cache. Set here, so that subprocesses inherit it.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["MTPROBE_CACHE"] = tempfile.mkdtemp(prefix="mtprobe-tests-")
    atexit.register(shutil.rmtree, os.environ["MTPROBE_CACHE"], ignore_errors=True)

import hypothesis
import pytest

import mtprobe.pytest_plugin.runtime
import mtprobe.report.terminal  # noqa: F401

pytest_plugins = ["pytester"]

# A property does not fail because the machine is busy.
hypothesis.settings.register_profile(
    "mtprobe", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("mtprobe")

ROOT = Path(__file__).parent.parent


# pytester forgets what a run in this process was the first to import, and the next run would import it again, and load
# the models and dictionaries again that belong to it.
_IN_PROCESS = (
    "babel.localedata",
    "onnx",
    "onnxruntime",
    "py3langid.langid",
    "regex",
    "rich.console",
    "rich.table",
    "scipy.stats",
    "sentencepiece",
    "simplemma",
    "mtprobe.engine.build",
    "mtprobe.engine.converted.write",
    "mtprobe.engine.demo",
    "mtprobe.engine.engines",
    "mtprobe.engine.hf",
    "mtprobe.engine.selftest.agreement",
    "mtprobe.language.alignment.ibm1",
    "mtprobe.language.alignment.kept",
    "mtprobe.records.history",
    "mtprobe.report.html.report",
    "mtprobe.report.markdown",
    "mtprobe.report.rich_text",
)


@pytest.fixture(scope="session")
def _imported_once():
    for name in _IN_PROCESS:
        with suppress(ImportError):
            import_module(name)


@pytest.fixture
def pytester(_imported_once, pytester) -> pytest.Pytester:
    return pytester


@pytest.fixture(scope="session")
def shipped_suites() -> list[Path]:
    return sorted((ROOT / "suites").rglob("*.mt.yaml"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public test sets. If it is set, a file missing there is a failure."""
    if "MTPROBE_DATA" not in os.environ:
        pytest.skip("MTPROBE_DATA is not set to the folder of public test sets")
    return Path(os.environ["MTPROBE_DATA"])
