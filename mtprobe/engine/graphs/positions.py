"""Sinusoidal position embeddings: sines in the first half, cosines in the second.

Model families differ in their rates and in the precision of the computation; each is reproduced exactly.
"""

from __future__ import annotations

import math

import numpy as np

from mtprobe.engine.graphs.weights import Tensor


def marian_positions(count: int, width: int) -> Tensor:
    """Positions as computed by transformers for Marian: wavelengths of 10000^(2i/width), in double precision."""
    wavelengths = np.power(10000.0, 2 * np.arange((width + 1) // 2) / width)
    angles = np.arange(count)[:, None] / wavelengths
    table = np.concatenate([np.sin(angles), np.cos(angles[:, : width // 2])], axis=1)
    return table.astype(np.float32)


def fairseq_positions(count: int, width: int, first: int) -> Tensor:
    """Positions as computed by fairseq, in single precision; sentences start at position `first`.

    Rates of 10000^(-i/(half - 1)); an odd width is padded with a zero.
    """
    half = width // 2
    rates = np.exp(np.arange(half, dtype=np.float32) * np.float32(-(math.log(10000) / (half - 1))))
    angles = np.arange(first, first + count, dtype=np.float32)[:, None] * rates
    return np.concatenate([np.sin(angles), np.cos(angles), np.zeros((count, width % 2), np.float32)], axis=1)


def bergamot_positions(count: int, width: int) -> Tensor:
    """Positions as computed by Marian: rates of 10000^(-i/(half - 1))."""
    half = width // 2
    angles = np.arange(count)[:, None] * 10000.0 ** (-np.arange(half) / (half - 1))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1).astype(np.float32)
