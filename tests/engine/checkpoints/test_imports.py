from __future__ import annotations

import pkgutil
import subprocess
import sys

import mtprobe.engine.checkpoints.huggingface
import mtprobe.engine.tokenizers

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
    """A run that finds everything in its store opens the model only for its fingerprint."""
    packages = (mtprobe.engine.checkpoints.huggingface, mtprobe.engine.tokenizers)
    modules = [
        f"{package.__name__}.{module.name}"
        for package in packages
        for module in pkgutil.iter_modules(package.__path__)
    ]
    code = f"import sys, {', '.join(modules)}; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
