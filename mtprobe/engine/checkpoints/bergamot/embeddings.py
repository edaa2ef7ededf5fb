"""The embeddings and output projection of a Marian model, which may be tied."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtprobe.engine.checkpoints.bergamot.binary import BergamotFile
from mtprobe.engine.checkpoints.bergamot.options import MarianOptions
from mtprobe.engine.graphs.weights import Linear, Tensor
from mtprobe.errors import ModelError

SHARED, SOURCE, TARGET = "Wemb", "encoder_Wemb", "decoder_Wemb"
OUTPUT, OUTPUT_TRANSPOSED = "decoder_ff_logit_out_Wt", "decoder_ff_logit_out_W"
BIAS = "decoder_ff_logit_out_b"


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Tables are [vocabulary, width]; tied tables are the same array."""

    source: Tensor
    target: Tensor
    output: Linear
    names: frozenset[str]  # of the tensors used

    @property
    def width(self) -> int:
        return int(self.target.shape[1])


def embeddings(file: BergamotFile) -> Embeddings:
    """Tied as in the configuration, or else as the names of the tensors imply."""
    options, tensors = MarianOptions.of(file), file.tensors
    one_table = options.any_of("tied-embeddings-all", "tied-embeddings-src")
    if one_table is None:
        one_table = SHARED in tensors or SOURCE not in tensors
    source_name, target_name = (SHARED, SHARED) if one_table else (SOURCE, TARGET)
    source, target = _matrix(file, source_name), _matrix(file, target_name)
    if source.shape[1] != target.shape[1]:
        raise ModelError(
            f"{file.path}: {source_name} has the width {source.shape[1]} and {target_name} {target.shape[1]}"
        )
    tied = options.any_of("tied-embeddings-all", "tied-embeddings")
    if tied is None:
        tied = OUTPUT not in tensors and OUTPUT_TRANSPOSED not in tensors
    output_name = target_name if tied else OUTPUT_TRANSPOSED if OUTPUT_TRANSPOSED in tensors else OUTPUT
    output = _matrix(file, output_name)
    if output_name == OUTPUT_TRANSPOSED:
        output = np.ascontiguousarray(output.T)
    if output.shape != target.shape:
        raise ModelError(
            f"{file.path}: {output_name} has {output.shape[0]} words of width {output.shape[1]} "
            f"but {target_name} has {target.shape[0]} of width {target.shape[1]}"
        )
    bias = None if options.any_of("output-omit-bias") else _bias(file, len(output))
    used = {source_name, target_name, output_name, BIAS}
    return Embeddings(source, target, Linear(output, bias), frozenset(used))


def _matrix(file: BergamotFile, name: str) -> Tensor:
    matrix = file.tensor(name)
    if matrix.ndim != 2:
        raise ModelError(f"{file.path}: {name} must be a matrix but has the shape {matrix.shape}")
    return matrix


def _bias(file: BergamotFile, size: int) -> Tensor:
    bias = file.tensor(BIAS).reshape(-1)
    if bias.shape != (size,):
        raise ModelError(f'{file.path}: the tensor "{BIAS}" has {len(bias)} values for {size} words')
    return bias
