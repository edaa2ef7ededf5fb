"""The options of `lm:`, after a question mark."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import SpecOptions
from mtprobe.engine.search.decoding import beams_and_penalty
from mtprobe.engine.search.sampling import Sampling
from mtprobe.errors import ModelError
from mtprobe.language import tags

OPTIONS = (
    *("revision", "source", "target", "prompt"),
    *("beams", "length_penalty", "max_new_tokens", "sample", "temperature", "top_p", "seed"),
)
SEARCH = ("beams", "length_penalty", "max_new_tokens", "sample", "temperature", "top_p", "seed")
NO_PROMPT = "none"
MAX_NEW_TOKENS = 256
_MOST_NEW_TOKENS = 4096
_HOTTEST = 10.0


@dataclass(frozen=True, slots=True)
class LmSpec:
    """The name of a model and the options that follow it."""

    name: str
    revision: str | None = None
    prompt: str | None = None  # None: chat where the model has a template for it
    prompt_name: str | None = None  # None: the name of its file
    beams: int = 1
    length_penalty: float = 1.0
    max_new_tokens: int = MAX_NEW_TOKENS
    sampling: Sampling | None = None
    seed: int = 1

    def options(self) -> dict[str, str]:
        """The options that a search with these settings needs, as they are written in a spec."""
        given: dict[str, object] = {"max_new_tokens": self.max_new_tokens}
        if self.sampling is None:
            given |= {"beams": self.beams, "length_penalty": self.length_penalty}
        else:
            drawn = self.sampling
            given |= {
                "sample": "true",
                "temperature": drawn.temperature,
                "top_p": drawn.top_p,
                "seed": self.seed,
            }
        return {name: str(value) for name, value in given.items()}

    @classmethod
    def from_options(cls, name: str, options: SpecOptions) -> LmSpec:
        beams, length_penalty = beams_and_penalty(options)
        max_new_tokens = options.positive("max_new_tokens") or MAX_NEW_TOKENS
        if max_new_tokens > _MOST_NEW_TOKENS:
            raise ModelError(f"{options.spec}: max_new_tokens={max_new_tokens}: at most {_MOST_NEW_TOKENS:,}")
        sampling = _sampling(options)
        if sampling is not None and beams not in (None, 1):
            raise ModelError(f"{options.spec}: beams={beams} searches and sample draws: give one of them")
        return cls(
            name=name,
            revision=options.given.get("revision"),
            prompt=options.given.get("prompt"),
            beams=beams or 1,
            length_penalty=1.0 if length_penalty is None else length_penalty,
            max_new_tokens=max_new_tokens,
            sampling=sampling,
            seed=options.positive("seed") or 1,
        )


def _sampling(options: SpecOptions) -> Sampling | None:
    given = options.given.get("sample", "false")
    if given not in ("true", "false"):
        raise ModelError(f"{options.spec}: sample={given}: write true or false")
    if given == "false":
        for name in ("temperature", "top_p", "seed"):
            if name in options.given:
                raise ModelError(f"{options.spec}: {name} is for answers that are drawn: add sample=true")
        return None
    temperature, top_p = options.real("temperature"), options.real("top_p")
    if temperature is not None and not 0 < temperature <= _HOTTEST:
        raise ModelError(
            f"{options.spec}: temperature={temperature:g} is not between 0 and {_HOTTEST:g}; "
            "without sample=true, the likeliest token is chosen"
        )
    if top_p is not None and not 0 < top_p <= 1:
        raise ModelError(f"{options.spec}: top_p={top_p:g} is not between 0 and 1")
    return Sampling(temperature or 1.0, top_p or 1.0)


def with_languages(request: OpenRequest, options: SpecOptions) -> OpenRequest:
    """The request with the languages that the spec names; a contradiction is a `ModelError`."""
    for side in ("source", "target"):
        given = options.given.get(side)
        if given is None:
            continue
        if not tags.is_language(given):
            raise ModelError(f"{options.spec}: {side}={given}: not a language tag; write BCP 47, such as fr")
        asked = request.source if side == "source" else request.target
        if asked is not None and not tags.fits(asked, given):
            raise ModelError(f"{options.spec}: {side}={given}, but {asked} was asked for")
        if asked is None:
            language = tags.standard(given)
            request = (
                replace(request, source=language) if side == "source" else replace(request, target=language)
            )
    return request
