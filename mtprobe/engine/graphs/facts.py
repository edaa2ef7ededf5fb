"""What a network has to know of its model besides the graphs: a few sizes, and none of the weights."""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.backends.dtype import Dtype


@dataclass(frozen=True, slots=True)
class SsruFacts:
    decoder_layers: int
    heads: int
    width: int
    source_vocabulary: int
    target_vocabulary: int
    longest: int  # tokens that a sentence may have, EOS included
    dtype: Dtype = "fp32"  # what the graphs compute in


@dataclass(frozen=True, slots=True)
class TransformerFacts:
    decoder_layers: int
    heads: int  # of the decoder
    width: int
    source_vocabulary: int
    target_vocabulary: int
    longest_source: int  # tokens that a source may have
    longest_target: int  # tokens that the decoder may read: the prefix and the target without its end
    dtype: Dtype = "fp32"  # what the graphs compute in
