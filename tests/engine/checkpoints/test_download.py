"""Downloads from a small hub on loopback, each in its own process, because the real package reads its settings once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.checkpoints.mini_hub import COMMIT, MiniHub, mini_hub

pytest.importorskip("huggingface_hub")

NEEDED = {
    name: f"this is {name}".encode()
    for name in (
        "config.json",
        "generation_config.json",
        "source.spm",
        "target.spm",
        "vocab.json",
        "model.safetensors",
    )
}
OTHERS = dict.fromkeys(("README.md", "pytorch_model.bin", "tf_model.h5", "handler.py"), b"not needed")
TOKEN = "hf_verysecret"

SCRIPT = """
import sys
from mtprobe.errors import ModelError
from mtprobe.engine.checkpoints.huggingface.files import resolve
try:
    folder = resolve(sys.argv[1], sys.argv[2] or None)
except ModelError as error:
    print("error:", error)
else:
    print(folder.digest(), folder.path)
"""


@pytest.fixture
def hub() -> Iterator[MiniHub]:
    with mini_hub({**NEEDED, **OTHERS}) as hub:
        yield hub


def resolved(hub: MiniHub, home: Path, name: str, revision: str = "", **settings: str) -> str:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("HF_")}
    environment |= {"HF_HOME": str(home), "HF_ENDPOINT": hub.address, "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    environment |= {"HF_TOKEN": TOKEN, "no_proxy": "*", **settings}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, name, revision],
        env=environment,
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert TOKEN not in done.stdout + done.stderr
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_only_what_is_needed_is_downloaded_and_only_once(hub: MiniHub, tmp_path: Path) -> None:
    digest, _, path = resolved(hub, tmp_path, "org/model").partition(" ")
    assert digest == COMMIT
    assert {entry.name: entry.read_bytes() for entry in Path(path).iterdir()} == NEEDED
    assert hub.downloaded == set(NEEDED)
    hub.requests.clear()
    assert resolved(hub, tmp_path, "org/model") == f"{COMMIT} {path}"
    assert hub.requests == []


def test_a_revision_is_asked_for_by_its_name(hub: MiniHub, tmp_path: Path) -> None:
    assert resolved(hub, tmp_path, "org/model", "v1").startswith(COMMIT)
    hub.requests.clear()
    assert resolved(hub, tmp_path, "org/model", "v1").startswith(COMMIT)
    assert hub.requests == []


def test_the_token_of_the_environment_is_sent(hub: MiniHub, tmp_path: Path) -> None:
    resolved(hub, tmp_path, "org/model")
    assert f"Bearer {TOKEN}" in hub.tokens


@pytest.mark.parametrize(
    ("name", "revision", "message"),
    [
        (
            "org/gated",
            "",
            "org/gated: the repository is gated: request access on its page, and "
            "set a token in the environment variable HF_TOKEN",
        ),
        (
            "org/missing",
            "",
            "org/missing: there is no such folder and no such repository on the hub; if it is private, "
            "set a token in the environment variable HF_TOKEN",
        ),
        ("org/model", "v9", "org/model: the repository has no revision v9"),
        (
            "org/broken",
            "",
            "org/broken is neither a folder nor in the local cache and could not be downloaded (HTTP 500)",
        ),
    ],
)
def test_errors(hub: MiniHub, tmp_path: Path, name: str, revision: str, message: str) -> None:
    assert resolved(hub, tmp_path, name, revision) == f"error: {message}"


def test_offline(hub: MiniHub, tmp_path: Path) -> None:
    answer = resolved(hub, tmp_path, "org/model", HF_HUB_OFFLINE="1")
    assert (
        answer
        == "error: org/model is neither a folder nor in the local cache, and HF_HUB_OFFLINE forbids downloads"
    )
    assert hub.requests == []


def test_a_hub_that_is_not_there(hub: MiniHub, tmp_path: Path) -> None:
    answer = resolved(hub, tmp_path, "org/model", HF_ENDPOINT="http://127.0.0.1:9")
    assert answer.startswith(
        "error: org/model is neither a folder nor in the local cache and could not be downloaded ("
    )


def test_a_repository_without_a_vocabulary(tmp_path: Path) -> None:
    with mini_hub({"config.json": b"{}", "model.safetensors": b"x", **OTHERS}) as hub:
        answer = resolved(hub, tmp_path, "org/model")
    assert answer.startswith(
        "error: org/model: the hub did not provide the vocabulary; it has README.md, config.json"
    )
