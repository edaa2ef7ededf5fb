"""`mtprobe.json`: what a folder of saved graphs holds, and by which digests its files are known."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

from mtprobe import __version__
from mtprobe.engine.checkpoints.huggingface.reading import read_json
from mtprobe.engine.graphs.facts import SsruFacts, TransformerFacts
from mtprobe.engine.graphs.network import Facts
from mtprobe.errors import ModelError

FORMAT: Final = 1  # to be raised with every change of this file, or of what the graphs take and give
MANIFEST = "mtprobe.json"
WEIGHTS = "weights.bin"
GRAPH_SUFFIX = ".onnx"

_FACTS: dict[str, type[Facts]] = {"ssru": SsruFacts, "transformer": TransformerFacts}
_HOW = "onnx: reads folders that `mtprobe export SPEC FOLDER` has written"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


# Plain names: whatever a manifest says, nothing outside of its folder is read.
FileName: TypeAlias = Annotated[str, StringConstraints(pattern=r"^\w[\w.-]*$")]


class SavedFile(_Strict):
    size: Annotated[int, Field(ge=0)]
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class SavedNetwork(_Strict):
    kind: Literal["ssru", "transformer"]
    facts: dict[str, Annotated[int, Field(ge=1)] | str]


class SavedFirefox(_Strict):
    """A Firefox Translations model, with the vocabulary of each side; it may be one and the same."""

    kind: Literal["firefox"] = "firefox"
    languages: tuple[str, str]
    vocabularies: tuple[FileName, FileName]
    options: dict[str, str] = {}
    """What stood behind the question mark when it was exported."""


class SavedHf(_Strict):
    """A Hugging Face model. Its own files of configuration and tokenizer stand in the folder."""

    kind: Literal["hf"] = "hf"
    languages: tuple[str | None, str | None]
    """Its own; None where the model has several, or does not say."""
    options: dict[str, str] = {}


class Manifest(_Strict):
    mtprobe: Literal[1]
    made_by: str
    made_from: str
    decoding: str = ""
    """In words, for readers: how it translates when nobody says otherwise."""
    model: Annotated[SavedFirefox | SavedHf, Discriminator("kind")] | None
    """None: a network alone, as the cache keeps it."""
    network: SavedNetwork
    files: dict[FileName, SavedFile]

    @property
    def graphs(self) -> list[str]:
        return [Path(name).stem for name in self.files if name.endswith(GRAPH_SUFFIX)]

    @property
    def digest(self) -> str:
        """Stands for all that outputs depend on, and for nothing else."""
        lines = [f"{name} {file.sha256}" for name, file in sorted(self.files.items())]
        facts = json.dumps(self.network.model_dump(), sort_keys=True)
        return hashlib.sha256("\n".join([*lines, facts]).encode()).hexdigest()[:12]

    def facts(self) -> Facts:
        said = json.dumps(self.network.facts)  # as JSON: Python's own dataclasses are strict about dicts
        return TypeAdapter(_FACTS[self.network.kind]).validate_json(said, strict=True)


def describe(
    facts: Facts,
    files: dict[str, SavedFile],
    made_from: str,
    decoding: str = "",
    model: SavedFirefox | SavedHf | None = None,
) -> Manifest:
    """What is to be said of a network that was written, and of the model that it belongs to."""
    kind = next(kind for kind, known in _FACTS.items() if isinstance(facts, known))
    network = SavedNetwork(kind=kind, facts={name: getattr(facts, name) for name in facts.__slots__})  # type: ignore[arg-type]
    return Manifest(
        mtprobe=FORMAT,
        made_by=f"mtprobe {__version__}",
        made_from=made_from,
        decoding=decoding,
        model=model,
        network=network,
        files=files,
    )


def read_manifest(folder: Path) -> Manifest:
    """What the folder says of itself; one that is not ours, or of another version, is a `ModelError`."""
    path = folder / MANIFEST
    if not folder.is_dir():
        what = "a file; give the folder that holds it" if folder.exists() else "not there"
        raise ModelError(f"{folder}: the folder of the model is {what}")
    if not path.is_file():
        raise ModelError(f"{folder}: there is no {MANIFEST}{_instead(folder)}; {_HOW}")
    found = read_json(path)
    version = found.get("mtprobe")
    if version != FORMAT:
        raise ModelError(
            f'{path}: "mtprobe" is {json.dumps(version)} where this mtprobe reads {FORMAT}; '
            "export the model again with this version"
        )
    try:
        manifest = Manifest.model_validate_json(json.dumps(found))
        _check(manifest, path)
        manifest.facts()
    except ValidationError as error:
        raise ModelError(f"{path}: {_first(error.errors())}") from None
    return manifest


def _check(manifest: Manifest, path: Path) -> None:
    known = set(_FACTS[manifest.network.kind].__slots__)
    if odd := known.symmetric_difference(manifest.network.facts):
        raise ModelError(f'{path}: "network.facts" should have {_list(known)}; look at {_list(odd)}')
    named = manifest.model.vocabularies if isinstance(manifest.model, SavedFirefox) else ()
    if missing := {*named} - {*manifest.files}:
        raise ModelError(f'{path}: "files" does not name {_list(missing)}, which "model" does')
    if WEIGHTS not in manifest.files or not manifest.graphs:
        raise ModelError(f'{path}: "files" names no {WEIGHTS} or no graph (*{GRAPH_SUFFIX})')


def _instead(folder: Path) -> str:
    """What the folder may be, for those who took it from elsewhere."""
    if any(folder.rglob("*.onnx")):
        return "; the ONNX files in it were made by something else, and take and give other things"
    if (folder / "config.json").is_file():
        return "; should it be a Hugging Face model, hf: reads it"
    if any(folder.glob("model*.bin")):
        return "; should it be a Firefox Translations model, firefox: reads it"
    return ""


def _first(errors: Iterable[Any]) -> str:
    error = next(iter(errors))
    where = ".".join(str(part) for part in error["loc"])
    return f'"{where}": {error["msg"][:1].lower()}{error["msg"][1:]}'


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
