"""Examples as tokens, and the positions at which right and wrong targets diverge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from mtprobe.backends import Tokenizer, is_encodable

from ..material.example import Example

LONGEST = 256  # tokens of a source or a target

Tokens = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Focus:
    """A token of the target, and what wrong targets have in its place."""

    place: int
    alternatives: Tokens


@dataclass(frozen=True, slots=True)
class Encoded:
    """An example as tokens. Targets end with the end of the sentence."""

    id: str
    source: Tokens
    prefix: Tokens  # what the decoder is given first
    target: Tokens
    rejected: tuple[Tokens, ...] = ()
    foci: tuple[Focus, ...] = ()
    replay: bool = False


def encode(examples: Sequence[Example], tokenizer: Tokenizer, longest: int = LONGEST) -> Iterator[Encoded]:
    """Examples that have a lone surrogate, or more tokens than this, are skipped."""
    prefix = tuple(tokenizer.prefix)
    for example in examples:
        if not all(map(is_encodable, (example.source, example.target, *example.rejected))):
            continue
        source = tuple(tokenizer.source_ids(example.source))
        target, *others = (tuple(tokenizer.target_ids(text)) for text in (example.target, *example.rejected))
        rejected = tuple(tokens for tokens in others if tokens != target)
        if max(map(len, (source, target, *rejected))) <= longest:
            foci = tuple(foci_of(target, rejected))
            yield Encoded(example.id, source, prefix, target, rejected, foci, example.replay)


def foci_of(target: Tokens, rejected: Sequence[Tokens]) -> Iterator[Focus]:
    """The first token of each part in which the target differs from a rejected one.

    The alternatives are the tokens with which rejected targets go on in that place.
    """
    alternatives: dict[int, dict[int, None]] = {}
    for other in rejected:
        opcodes = SequenceMatcher(None, target, other, autojunk=False).get_opcodes()
        for kind, place, _, other_place, _ in opcodes:
            if kind == "equal":
                continue
            # "a a b" and "a b" are aligned at their ends, but it is the second "a" that parts them.
            shared = _shared(target[place:], other[other_place:])
            if (at := place + shared) < len(target) and other_place + shared < len(other):
                alternatives.setdefault(at, {})[other[other_place + shared]] = None
    for place in sorted(alternatives):
        yield Focus(place, tuple(alternatives[place]))


def _shared(first: Tokens, second: Tokens) -> int:
    """The number of tokens with which both begin."""
    pairs = zip(first, second, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(first), len(second)))
