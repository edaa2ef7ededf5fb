"""Computation and search settings of a CTranslate2 model, from its spec and the options of the run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mtprobe.backends import Device, Dtype, ModelError, OpenRequest, SpecOptions, did_you_mean, parse_device

OPTIONS = ("beams", "length_penalty", "max_length", "compute_type", "device", "threads", "tokenizer")
_COMPUTE_TYPES = (
    *("float32", "float16", "bfloat16", "int16"),
    *("int8", "int8_float32", "int8_float16", "int8_bfloat16"),
)
_BY_DTYPE: dict[Dtype, str] = {"fp32": "float32", "fp16": "float16", "int8": "int8"}


@dataclass(frozen=True, slots=True)
class Settings:
    """An option of the spec takes precedence over the same option of the run."""

    device: Device
    threads: int | None
    compute_type: str
    beams: int = 1
    length_penalty: float = 1.0
    max_length: int = 256  # tokens, including the end of the sentence

    @classmethod
    def read(cls, options: SpecOptions, request: OpenRequest) -> Settings:
        defaults = cls(
            parse_device(options.given.get("device", request.device)),
            options.positive("threads") or request.threads,
            _compute_type(options, request.dtype),
        )
        penalty = options.real("length_penalty")
        return replace(
            defaults,
            beams=options.positive("beams") or defaults.beams,
            length_penalty=defaults.length_penalty if penalty is None else penalty,
            max_length=options.positive("max_length") or defaults.max_length,
        )

    @property
    def with_own_search(self) -> Settings:
        """Without options of the search, which change no score."""
        return Settings(self.device, self.threads, self.compute_type)

    @property
    def mark(self) -> str:
        """The part of the fingerprint: whatever may change outputs."""
        search = "greedy" if self.beams == 1 else f"beam={self.beams}:lp={self.length_penalty:g}"
        return f"{search}:max={self.max_length}:{self.compute_type}"

    @property
    def words(self) -> str:
        """The search as reports describe it."""
        search = "greedy" if self.beams == 1 else f"beam {self.beams}, length penalty {self.length_penalty:g}"
        return f"{search}, max {self.max_length} tokens"


def _compute_type(options: SpecOptions, dtype: Dtype) -> str:
    given, wanted = options.given.get("compute_type"), _BY_DTYPE[dtype]
    if given is None:
        return wanted
    if given not in _COMPUTE_TYPES:
        raise ModelError(
            f"{options.spec}: CTranslate2 has no compute_type={given}{did_you_mean(given, _COMPUTE_TYPES)}"
        )
    if dtype != "fp32" and given != wanted:
        raise ModelError(f"{options.spec}: compute_type={given} contradicts `dtype={dtype}`: give only one")
    return given
