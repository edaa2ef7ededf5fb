"""What a spec and a run say about how a CTranslate2 model computes and searches."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mtprobe.backends.device import Device, parse_device
from mtprobe.backends.dtype import Dtype
from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.spec_options import SEARCH, SpecOptions
from mtprobe.engine.search.decoding import in_words
from mtprobe.errors import ModelError, did_you_mean

OPTIONS = (*SEARCH, "compute_type", "device", "threads", "tokenizer")
_COMPUTE_TYPES = (
    *("float32", "float16", "bfloat16", "int16"),
    *("int8", "int8_float32", "int8_float16", "int8_bfloat16"),
)
_BY_DTYPE: dict[Dtype, str] = {"fp32": "float32", "fp16": "float16", "int8": "int8"}


@dataclass(frozen=True, slots=True)
class Settings:
    """An option of the spec wins over what the whole run was told."""

    device: Device
    threads: int | None
    compute_type: str
    beams: int = 1
    length_penalty: float = 1.0
    max_length: int = 256  # tokens, the end of the sentence included

    @classmethod
    def asked(cls, options: SpecOptions, request: OpenRequest) -> Settings:
        own = cls(
            parse_device(options.given.get("device", request.device)),
            options.positive("threads") or request.threads,
            _compute_type(options, request.dtype),
        )
        penalty = options.real("length_penalty")
        return replace(
            own,
            beams=options.positive("beams") or own.beams,
            length_penalty=own.length_penalty if penalty is None else penalty,
            max_length=options.positive("max_length") or own.max_length,
        )

    @property
    def mark(self) -> str:
        """What of it may change outputs."""
        way = "greedy" if self.beams == 1 else f"beam={self.beams}:lp={self.length_penalty:g}"
        return f"{way}:max={self.max_length}:{self.compute_type}"

    @property
    def words(self) -> str:
        return in_words(self.beams, self.length_penalty, self.max_length)


def _compute_type(options: SpecOptions, dtype: Dtype) -> str:
    given, wanted = options.given.get("compute_type"), _BY_DTYPE[dtype]
    if given is None:
        return wanted
    if given not in _COMPUTE_TYPES:
        raise ModelError(
            f"{options.spec}: compute_type={given} is none of CTranslate2's{did_you_mean(given, _COMPUTE_TYPES)}"
        )
    if dtype != "fp32" and given != wanted:
        raise ModelError(f"{options.spec}: compute_type={given} and --mt-dtype={dtype}: say only one of them")
    return given
