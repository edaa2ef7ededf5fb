"""`mtprobe.json`, the manifest of a folder of saved graphs."""

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
from mtprobe.engine.checkpoints.reading import MOST_LAYERS, read_json, require_folder, shown_value
from mtprobe.engine.graphs.definition import (
    CausalDimensions,
    Dimensions,
    SsruDimensions,
    TransformerDimensions,
)
from mtprobe.errors import ModelError
from mtprobe.language import tags

FORMAT: Final = 2  # raise it with every change to this file, or to the inputs and outputs of the graphs
MANIFEST = "mtprobe.json"
WEIGHTS = "weights.bin"
GRAPH_SUFFIX = ".onnx"
PROMPT = "prompt.yaml"  # of a language model

# The graphs that a network cannot do without, and the largest facts; anything larger is forged.
_GRAPHS = {
    "ssru": {"encode", "score", "greedy_step", "step", "project"},
    "transformer": {"encode", "read", "step", "judge", "project"},
    "causal": {"read", "step", "judge", "project"},
}
_LARGEST = {
    "decoder_layers": MOST_LAYERS,
    "heads": 65_536,
    "key_heads": 65_536,
    "head_width": 65_536,
    "width": 65_536,
    "longest": 1 << 24,
    "window": 1 << 24,
    "longest_source": 65_536,
    "longest_target": 65_536,
    "source_vocabulary": 10_000_001,  # Marian's decoders have one word more, the start token
    "target_vocabulary": 10_000_001,
}
_DIMENSIONS: dict[str, type[Dimensions]] = {
    "ssru": SsruDimensions,
    "transformer": TransformerDimensions,
    "causal": CausalDimensions,
}
_USAGE = "onnx: reads folders written by `mtprobe export SPEC FOLDER`"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


# Plain names: whatever a manifest says, nothing outside its folder is read.
FileName: TypeAlias = Annotated[str, StringConstraints(pattern=r"^\w[\w.-]*$")]


class SavedFile(_Strict):
    size: Annotated[int, Field(ge=0)]
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class SavedNetwork(_Strict):
    kind: Literal["ssru", "transformer", "causal"]
    facts: dict[str, Annotated[int, Field(ge=1)] | str]
    """The dimensions of the network."""


class SavedFirefox(_Strict):
    """A Firefox Translations model, with the vocabulary of each side, which may be the same."""

    kind: Literal["firefox"] = "firefox"
    languages: tuple[str, str]
    vocabularies: tuple[FileName, FileName]
    options: dict[str, str] = {}
    """The spec options with which it was exported."""


class SavedHf(_Strict):
    """A Hugging Face model. The folder contains its own configuration and tokenizer files."""

    kind: Literal["hf"] = "hf"
    languages: tuple[str | None, str | None]
    """None if the model has several, or does not say."""
    options: dict[str, str] = {}


class SavedLm(_Strict):
    """A language model. The folder contains its configuration and tokenizer files, and the prompt."""

    kind: Literal["lm"] = "lm"
    languages: tuple[()] = ()
    """None in particular: the prompt names them."""
    prompt: FileName
    """The name of the prompt; its file is `prompt.yaml`."""
    options: dict[str, str] = {}


SavedModel: TypeAlias = SavedFirefox | SavedHf | SavedLm


class Manifest(_Strict):
    mtprobe: Literal[2]
    made_by: str
    made_from: str
    decoding: str = ""
    """The default search in words, for readers."""
    model: Annotated[SavedModel, Discriminator("kind")] | None
    """None for a network without a tokenizer, as in the cache."""
    network: SavedNetwork
    files: dict[FileName, SavedFile]

    @property
    def graphs(self) -> list[str]:
        return [Path(name).stem for name in self.files if name.endswith(GRAPH_SUFFIX)]

    @property
    def digest(self) -> str:
        """Identifies everything that the outputs depend on, and nothing else."""
        lines = [f"{name} {file.sha256}" for name, file in sorted(self.files.items())]
        network = json.dumps(self.network.model_dump(), sort_keys=True)
        return hashlib.sha256("\n".join([*lines, network]).encode()).hexdigest()[:12]

    def dimensions(self) -> Dimensions:
        text = json.dumps(self.network.facts)  # strict validation accepts JSON, but no dict, for a dataclass
        return TypeAdapter(_DIMENSIONS[self.network.kind]).validate_json(text, strict=True)


def describe(
    dimensions: Dimensions,
    files: dict[str, SavedFile],
    made_from: str,
    decoding: str = "",
    model: SavedModel | None = None,
) -> Manifest:
    """The manifest of a network that was written, and of the model that it belongs to."""
    kind = next(kind for kind, known_type in _DIMENSIONS.items() if isinstance(dimensions, known_type))
    facts = {name: getattr(dimensions, name) for name in dimensions.__slots__}
    network = SavedNetwork(kind=kind, facts=facts)  # type: ignore[arg-type]
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
    """Raises `ModelError` if the folder was not exported by mtprobe, or by another version of the format."""
    path = folder / MANIFEST
    require_folder(folder)
    if not path.is_file():
        raise ModelError(f"{folder}: there is no {MANIFEST}{_guess(folder)}; {_USAGE}")
    content = read_json(path)
    version = content.get("mtprobe")
    if version != FORMAT:
        raise ModelError(
            f'{path}: "mtprobe" is {json.dumps(version)[:40]}, but this version of mtprobe reads {FORMAT}; '
            "export the model again with this version"
        )
    try:
        manifest = Manifest.model_validate_json(json.dumps(content))
        _check(manifest, path)
        manifest.dimensions()
        _check_facts(manifest, path)
    except ValidationError as error:
        raise ModelError(f"{path}: {_first(error.errors(include_url=False))}") from None
    except RecursionError:
        raise ModelError(f"{path}: nested too deeply") from None
    return manifest


def _check(manifest: Manifest, path: Path) -> None:
    expected = set(_DIMENSIONS[manifest.network.kind].__slots__)
    if differing := expected.symmetric_difference(manifest.network.facts):
        raise ModelError(f'{path}: "network.facts" should have {_list(expected)}; check {_list(differing)}')
    named: tuple[str, ...] = manifest.model.vocabularies if isinstance(manifest.model, SavedFirefox) else ()
    if isinstance(manifest.model, SavedLm):
        named = (PROMPT,)
    if missing := {*named} - {*manifest.files}:
        raise ModelError(f'{path}: "files" does not name {_list(missing)}, which "model" does')
    if WEIGHTS not in manifest.files or not manifest.graphs:
        raise ModelError(f'{path}: "files" names no {WEIGHTS} or no graph (*{GRAPH_SUFFIX})')
    if missing := _GRAPHS[manifest.network.kind] - {*manifest.graphs}:
        raise ModelError(f'{path}: "files" does not name the graphs {_list(missing)}')
    for language in manifest.model.languages if manifest.model else ():
        if language is not None and not tags.is_tag(language):
            raise ModelError(
                f'{path}: "model.languages" has {shown_value(language)}, which is not a language'
            )


def _check_facts(manifest: Manifest, path: Path) -> None:
    """Compares the facts with the size of the weights, so that nothing is allocated for forged ones."""
    facts = {name: value for name, value in manifest.network.facts.items() if isinstance(value, int)}
    for name, value in facts.items():
        if value > _LARGEST[name]:
            raise ModelError(
                f'{path}: "network.facts.{name}" is {shown_value(value)}; at most {_LARGEST[name]:,}'
            )
    if "head_width" not in facts and facts["width"] % facts["heads"]:
        raise ModelError(
            f'{path}: "network.facts": a width of {facts["width"]} cannot be divided into {facts["heads"]} heads'
        )
    # Each number takes at least a byte: an attention has four square matrices, and each word a row.
    width, weights = facts["width"], manifest.files[WEIGHTS].size
    heads, head_width = facts["heads"], facts.get("head_width", width // facts["heads"])
    keys = facts.get("key_heads", heads)
    rows = max(
        2 * (heads + keys) * head_width, facts.get("source_vocabulary", 0), facts["target_vocabulary"] - 1
    )
    if rows * width > weights:
        raise ModelError(
            f'{path}: "network.facts": {rows:,} rows of width {width:,} do not fit into {WEIGHTS}, which has '
            f"{weights:,} bytes"
        )


def _guess(folder: Path) -> str:
    """A guess what the folder is instead."""
    if any(folder.rglob("*.onnx")):
        return "; its ONNX files were made by another program and have other inputs and outputs"
    if (folder / "config.json").is_file():
        return "; if it is a Hugging Face model, use hf:"
    if any(folder.glob("model*.bin")):
        return "; if it is a Firefox Translations model, use firefox:"
    return ""


def _first(errors: Iterable[Any]) -> str:
    error = next(iter(errors))
    where = ".".join(str(part)[:40] for part in error["loc"])
    return f'"{where}": {error["msg"][:1].lower()}{error["msg"][1:]}'


def _list(names: Iterable[str]) -> str:
    listed = sorted(name[:40] for name in names)
    return ", ".join(listed[:10] + ["…"] * (len(listed) > 10))
