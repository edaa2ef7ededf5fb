"""The spec of a Hugging Face model: `hf:NAME?key=value&…`."""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.backends.registry import SEARCH, split_options
from mtprobe.errors import ModelError

_OPTIONS = ("revision", *SEARCH, "prefix")


@dataclass(frozen=True, slots=True)
class HfSpec:
    """The name of a model and the options that follow it."""

    name: str
    revision: str | None = None
    beams: int | None = None
    length_penalty: float | None = None
    max_length: int | None = None
    prefix: str = ""  # prepended to every source, for models that need an instruction, such as T5


def read_spec(rest: str) -> HfSpec:
    """Parses what follows `hf:`."""
    name, options = split_options("hf", rest, _OPTIONS)
    if not name:
        raise ModelError("hf: needs a model, as in hf:Helsinki-NLP/opus-mt-en-de or hf:models/mine")
    return HfSpec(
        name=name,
        revision=options.given.get("revision"),
        beams=options.positive("beams"),
        length_penalty=options.real("length_penalty"),
        max_length=options.positive("max_length"),
        prefix=options.given.get("prefix", ""),
    )
