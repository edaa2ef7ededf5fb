"""Fetches models from the hub, or from the local cache of `huggingface_hub`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mtprobe.engine.checkpoints.huggingface.files import (
    CONFIG,
    GENERATION_CONFIG,
    TOKENIZER_FILES,
    WEIGHTS,
    lacks,
)
from mtprobe.engine.runtime.installed import pip_install
from mtprobe.errors import ModelError

_PART = re.compile(r"(model|pytorch_model)-\d+-of-\d+(\.safetensors|\.bin)")
_TOKEN = "set a token in the environment variable HF_TOKEN"  # noqa: S105 - advice, not a token


def fetch(repository: str, revision: str | None) -> Path:
    """The folder of a complete snapshot. Only what the cache lacks is downloaded."""
    try:
        import huggingface_hub  # noqa: F401 - checked once for everything below
    except ImportError:
        raise ModelError(
            f"{repository}: there is no such folder; models from the hub need: {pip_install('hf')}"
        ) from None
    snapshot = _cached(repository, revision)
    if snapshot is not None and lacks(snapshot) is None:
        return snapshot
    with _clear_errors(repository, revision, snapshot):
        return _download(repository, revision)


def _cached(repository: str, revision: str | None) -> Path | None:
    from huggingface_hub import try_to_load_from_cache

    config = try_to_load_from_cache(repository, CONFIG, revision=revision)
    return Path(config).parent if isinstance(config, str) else None


def _download(repository: str, revision: str | None) -> Path:
    from huggingface_hub import HfApi, snapshot_download

    info = HfApi(library_name="mtprobe").model_info(repository, revision=revision)
    names = [sibling.rfilename for sibling in info.siblings or ()]
    wanted = needed(repository, names)
    # By the name of the revision, not its commit, so that the cache remembers the name.
    snapshot = Path(
        snapshot_download(repository, revision=revision, allow_patterns=wanted, library_name="mtprobe")
    )
    if missing := lacks(snapshot):
        raise ModelError(
            f"{repository}: the hub did not provide {missing}; it has {', '.join(sorted(names))}"
        )
    return snapshot


def needed(repository: str, names: Iterable[str]) -> list[str]:
    """The files of a repository to download: one format of weights, configuration and tokenizer."""
    available = set(names)
    if CONFIG not in available:
        raise ModelError(f"{repository}: the repository has no {CONFIG}, so it does not contain a model")
    small_files = [name for name in (CONFIG, GENERATION_CONFIG, *TOKENIZER_FILES) if name in available]
    for single, index in WEIGHTS:
        if single in available:
            return [*small_files, single]
        if index in available:
            suffix = Path(single).suffix
            parts = (name for name in available if _PART.fullmatch(name) and name.endswith(suffix))
            return [*small_files, index, *sorted(parts)]
    raise ModelError(
        f"{repository}: the repository has no readable weights: "
        f"neither {' nor '.join(single for single, _ in WEIGHTS)}"
    )


@contextmanager
def _clear_errors(repository: str, revision: str | None, snapshot: Path | None) -> Iterator[None]:
    """Turns errors of the hub into one line. Never repeats its messages: they may contain a token."""
    from huggingface_hub import errors

    cached = "is neither a folder nor in the local cache"
    if snapshot is not None:
        cached = f"lacks {lacks(snapshot)} in the local cache"
    try:
        yield
    except ModelError:
        raise
    except errors.GatedRepoError:
        raise ModelError(
            f"{repository}: the repository is gated: request access on its page, and {_TOKEN}"
        ) from None
    except errors.RepositoryNotFoundError:
        raise ModelError(
            f"{repository}: there is no such folder and no such repository on the hub; "
            f"if it is private, {_TOKEN}"
        ) from None
    except errors.RevisionNotFoundError:
        raise ModelError(f"{repository}: the repository has no revision {revision}") from None
    except errors.OfflineModeIsEnabled:
        raise ModelError(f"{repository} {cached}, and HF_HUB_OFFLINE forbids downloads") from None
    except Exception as error:  # depends on its HTTP library
        raise ModelError(f"{repository} {cached} and could not be downloaded ({_kind(error)})") from None


def _kind(error: Exception) -> str:
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status is not None:
        return f"HTTP {status}"
    return (isinstance(error, OSError) and error.strerror) or type(error).__name__
