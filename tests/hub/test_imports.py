from __future__ import annotations

import pkgutil
import subprocess
import sys

import mtprobe.hub

HEAVY = (
    "torch",
    "transformers",
    "tokenizers",
    "safetensors",
    "huggingface_hub",
    "sentencepiece",
    "onnxruntime",
)


def test_importing_the_package_loads_nothing_heavy() -> None:
    """A run that finds everything in its store opens the model only to know its fingerprint."""
    modules = [f"mtprobe.hub.{module.name}" for module in pkgutil.iter_modules(mtprobe.hub.__path__)]
    code = f"import sys, {', '.join(modules)}; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
