"""A training that is killed goes on as if nothing had happened; a full disk loses nothing."""

from __future__ import annotations

import errno
import signal

import pytest

from .conftest import start

WORDS = ("--epochs", "12", "--every", "4", "--dev", "0.3", "--seed", "5", "--batch", "2", "--patience", "0")


@pytest.mark.slow
def test_killed_and_continued_gives_the_same_weights(tune, suite, marian, tmp_path):
    process = start(
        "tune", f"hf:{marian}", suite, "-o", "killed", "--threads", "1", "--no-store", *WORDS, cwd=tmp_path
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("mtprobe: step 8:"):
            process.send_signal(signal.SIGKILL)
            break
    assert process.wait() == -signal.SIGKILL
    killed = tmp_path / "killed"
    checkpoint = max(killed.glob("checkpoint-*"))
    assert int(checkpoint.name.removeprefix("checkpoint-")) in (4, 8)
    assert not (killed / "config.json").exists()
    assert tune(suite, *WORDS, to="killed") == killed
    whole = tune(suite, *WORDS, to="whole")
    assert (killed / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()
    assert (killed / "training.json").read_text() == (whole / "training.json").read_text()
    assert not list(killed.glob("checkpoint*"))


def test_an_interrupted_training_is_not_continued_with_other_settings(tune, suite, monkeypatch, capsys):
    _fail_at(monkeypatch, 2)
    tune(suite, *WORDS, code=2)
    monkeypatch.undo()
    capsys.readouterr()
    folder = tune(suite, *WORDS[2:], "--epochs", "13", code=2)
    error = capsys.readouterr().err
    assert "epochs was 12, now 13" in error
    assert list(folder.glob("checkpoint-*"))


def test_a_full_disk_leaves_the_last_checkpoint(tune, suite, monkeypatch, capsys):
    _fail_at(monkeypatch, 2)
    folder = tune(suite, *WORDS, code=2)
    error = capsys.readouterr().err
    assert "the disk is full; that of step 4 is intact. The same command continues from there" in error
    assert [path.name for path in folder.glob("checkpoint*")] == ["checkpoint-00000004"]
    monkeypatch.undo()
    tune(suite, *WORDS)
    whole = tune(suite, *WORDS, to="whole")
    assert (folder / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()


def test_a_full_disk_at_the_end_loses_no_training(tune, suite, monkeypatch, capsys):
    from mtprobe_train.networks.hugging_face import HuggingFace

    def fail(*_args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(HuggingFace, "save", fail)
    folder = tune(suite, "--steps", "2", "--dev", "0", code=2)
    assert (
        "the model cannot be written: No space left on device. Its checkpoint is intact"
        in capsys.readouterr().err
    )
    monkeypatch.undo()
    assert (tune(suite, "--steps", "2", "--dev", "0") / "config.json").exists()
    assert not list(folder.glob("checkpoint*"))


def _fail_at(monkeypatch, number: int) -> None:
    """The disk is full when this checkpoint is written."""
    from mtprobe_train.training import checkpoint

    save, calls = checkpoint._save, []

    def limited(path, tensors):
        calls.extend([path] if path.name == "optimizer.safetensors" else [])
        if len(calls) == number:
            path.write_bytes(b"half of it")
            raise OSError(errno.ENOSPC, "No space left on device")
        save(path, tensors)

    monkeypatch.setattr(checkpoint, "_save", limited)


def test_a_full_disk_is_recognized_in_the_words_of_safetensors(monkeypatch, tmp_path):
    import safetensors.torch
    from mtprobe_train.training import checkpoint

    def fail(*_args):
        raise safetensors.SafetensorError(
            "Error while serializing: I/O error: No space left on device (os error 28)"
        )

    monkeypatch.setattr(safetensors.torch, "save_file", fail)
    with pytest.raises(OSError, match="No space left") as raised:
        checkpoint._save(tmp_path / "weights.safetensors", {})
    assert raised.value.errno == errno.ENOSPC
