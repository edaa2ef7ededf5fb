"""How a Firefox Translations model searches for translations."""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.backends.registry import SEARCH, SpecOptions
from mtprobe.errors import ModelError

LONGEST_OUTPUT = 256  # tokens, EOS included
LONGEST_INPUT = 512  # tokens, without EOS


@dataclass(frozen=True, slots=True)
class FirefoxSearch:
    """Search settings. The decoder has no start token, so none is counted."""

    beams: int = 1
    length_penalty: float = 1.0  # as in transformers' `generate`; see `Decoding`
    max_length: int = LONGEST_OUTPUT  # tokens, EOS included

    @classmethod
    def from_options(cls, options: SpecOptions) -> FirefoxSearch:
        beams, penalty = options.positive("beams"), options.real("length_penalty")
        longest = options.positive("max_length") or LONGEST_OUTPUT
        if longest > LONGEST_INPUT:
            raise ModelError(f"{options.spec}: max_length={longest} is too large: at most {LONGEST_INPUT}")
        return cls(beams or 1, 1.0 if penalty is None else penalty, longest)

    def options(self) -> dict[str, str]:
        """The spec options that give this search."""
        default = FirefoxSearch()
        return {
            name: str(value) for name in SEARCH if (value := getattr(self, name)) != getattr(default, name)
        }

    def __str__(self) -> str:
        strategy = "greedy" if self.beams == 1 else f"beam={self.beams}:lp={self.length_penalty:g}"
        return f"{strategy}:max={self.max_length}"
