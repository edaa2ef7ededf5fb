"""A fresh virtual environment outside of the source tree: install the wheel, run the README's first commands"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys

import pytest

from tests.packaging.conftest import Environment
from tests.system_packages import REQUIRED

FIRST_RESULT = 60.0  # seconds after the installation, of computing: a busy machine takes longer by the clock


@pytest.fixture
def fresh(wheel, tmp_path):
    """An environment with `mtprobe[demo-cpu]`, which pip takes from its index: all but mtprobe itself."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    environment = Environment(tmp_path / "venv")
    installed = environment.run(
        "python", "-m", "pip", "install", "--quiet", f"mtprobe[demo-cpu] @ {wheel.as_uri()}", cwd=tmp_path
    )
    if installed.returncode:
        reason = f"pip cannot install the demo model here: {installed.stdout.strip().splitlines()[-1]}"
        pytest.fail(reason, pytrace=False) if os.environ.get(REQUIRED) else pytest.skip(reason)
    return environment


def _computed() -> float:
    """The seconds that processes which have ended have computed, on all cores together."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.slow
def test_the_first_result_takes_less_than_a_minute_of_computing(fresh, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    before = _computed()
    run = fresh.run(
        "pytest", "--mt-model=demo", "--mt-suite=gender", cwd=project, MTPROBE_CACHE=str(tmp_path / "cache")
    )
    seconds = _computed() - before
    assert run.returncode == 1, run.stdout  # the demo model is biased, and gates say so
    assert "FAILED mtprobe:gender/occupations.mt.yaml::accuracy[female]" in run.stdout
    assert seconds < FIRST_RESULT, f"it took {seconds:.0f} s"
    record = (project / ".mtprobe/last-run.jsonl").read_text("utf-8").splitlines()
    gates = [line for line in map(json.loads, record) if line["kind"] == "gate"]
    assert {gate["decision"] for gate in gates} <= {"passed", "failed", "undecided"}

    packages = fresh.run("python", "-m", "pip", "list", "--format=freeze", cwd=project).stdout
    assert "onnxruntime==" in packages
    assert "onnxruntime-gpu==" not in packages
    assert "torch==" not in packages

    back = fresh.run(
        "pytest",
        "-q",
        "--mt-model=demo:pt-en",
        "--mt-suite=pt-en",
        cwd=project,
        MTPROBE_CACHE=str(tmp_path / "cache"),
    )
    assert "mtprobe:pt-en/pronouns.mt.yaml" in back.stdout, back.stdout
    assert "Traceback" not in back.stdout
    listed = fresh.run("mtprobe", "suites", "--json", cwd=project)
    assert {"gender/occupations", "pt-en/words"} <= {row["name"] for row in json.loads(listed.stdout)}
