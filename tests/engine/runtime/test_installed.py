"""Which builds of ONNX Runtime are installed, and what to do about none and about two"""

from __future__ import annotations

import subprocess
import sys

import pytest

from mtprobe.engine.runtime import installed
from mtprobe.engine.runtime.installed import CPU, GPU, pip_install, require_runtime
from mtprobe.errors import ModelError


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """An import path that has the named distributions, as far as their metadata goes."""

    def having(*names, others=()):
        for name in names:
            folder = tmp_path / f"{name.replace('-', '_')}-1.31.1.dist-info"
            folder.mkdir()
            (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.31.1\n")
        monkeypatch.setattr(sys, "path", [str(tmp_path), *others])

    installed._warn_of_two.cache_clear()
    yield having
    installed._warn_of_two.cache_clear()


@pytest.mark.parametrize(
    ("builds", "command"),
    [
        ([], 'pip install "mtprobe[demo-cpu]", or "mtprobe[demo]" for a GPU'),
        ([CPU], 'pip install "mtprobe[demo-cpu]"'),
        ([GPU], 'pip install "mtprobe[demo]"'),
    ],
)
def test_the_command_fits_what_is_installed(environment, builds, command):
    environment(*builds)
    assert pip_install("demo") == command


def test_a_missing_engine_is_named_with_the_command(environment, monkeypatch):
    for name in ("onnx", "onnxruntime", "sentencepiece"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    environment()
    with pytest.raises(
        ModelError,
        match=r'^hf:mine needs onnxruntime, onnx, sentencepiece: pip install "mtprobe\[hf-cpu\]"',
    ):
        require_runtime("hf:mine", extra="hf")


def test_two_builds_at_once_are_explained_once(environment, caplog):
    environment(CPU, GPU, others=sys.path)
    require_runtime("demo")
    require_runtime("demo")
    (record,) = caplog.records
    assert "onnxruntime and onnxruntime-gpu are both installed" in record.getMessage()
    assert "pip uninstall -y onnxruntime onnxruntime-gpu" in record.getMessage()


def test_what_is_left_of_two_builds_is_explained(tmp_path):
    """After `pip uninstall` of one of two builds, the package may be there without its contents."""
    (tmp_path / "onnxruntime").mkdir()
    (tmp_path / "onnxruntime" / "__init__.py").touch()
    code = "from mtprobe.cli import main; raise SystemExit(main(['translate', 'demo']))"
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}"],
        input="Hello.\n", text=True, capture_output=True, timeout=120,
    )  # fmt: skip
    assert run.returncode == 2, run.stderr
    assert "ONNX Runtime is installed but does not work" in run.stderr
    assert "Traceback" not in run.stderr
