"""What all tests share. Heavy modules are imported here once, so that pytester's in-process runs find them."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
from pathlib import Path

# Tests run side by side: libraries that start a thread a core would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Tables are as wide as they like, whatever terminal the tests run in.
os.environ["COLUMNS"] = "160"

# In the background of a shell Ctrl-C is ignored, and by everything that is started there: tests interrupt programs.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Converted models of tests stay out of the user's own cache. Set here, so that processes of tests inherit it.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["MTPROBE_CACHE"] = tempfile.mkdtemp(prefix="mtprobe-tests-")
    atexit.register(shutil.rmtree, os.environ["MTPROBE_CACHE"], ignore_errors=True)

import hypothesis
import pytest

import mtprobe.pytest_plugin.runtime  # noqa: F401 - see above

# How long an example takes depends on what else the machine does.
hypothesis.settings.register_profile("mtprobe", deadline=None)
hypothesis.settings.load_profile("mtprobe")

pytest_plugins = ["pytester"]

# A law does not break because a machine is busy.
hypothesis.settings.register_profile(
    "busy machines", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("busy machines")

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def shipped_suites() -> list[Path]:
    return sorted((ROOT / "suites").rglob("*.mt.yaml"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public test sets. Where it is named, a file that is missing there is a failure."""
    if "MTPROBE_DATA" not in os.environ:
        pytest.skip("MTPROBE_DATA does not name the folder of public test sets")
    return Path(os.environ["MTPROBE_DATA"])
