"""From the hidden states of the decoder to the probabilities of the next token.

The vocabulary is processed in blocks whose results are small, so that neither logits nor log-probabilities are
ever held for all of a large vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mtprobe.backends.device import Dtype
from mtprobe.engine.graphs.builder import FLOAT, INT64, GraphBuilder
from mtprobe.engine.graphs.definition import Graph
from mtprobe.engine.graphs.logits import Logits
from mtprobe.engine.graphs.weights import Linear

# Words per block; for many rows or few, the logits of all rows fit into the cache of a core.
JUDGE_BLOCK, PROJECT_BLOCK = 512, 4096
CHUNK = 32  # words whose maximum logit is found in one step


def judge_graph(output: Linear, dtype: Dtype = "fp32") -> Graph:
    """Scores given words: `logprobs` [asked] of the words `target` [asked] after the rows `asked_rows` [asked]."""
    graph = GraphBuilder("judge", dtype)
    logits = Logits(graph, output)
    hidden = graph.input("hidden", graph.floating, ["rows", output.matrix.shape[1]])
    rows, target = (graph.input(name, INT64, ["asked"]) for name in ("asked_rows", "target"))
    blocks = _ranges(len(output.matrix), JUDGE_BLOCK)
    totals = [_total(logits, logits.of_block(hidden, words), words) for words in blocks]
    total = graph("ReduceLogSumExp", graph("Concat", *totals, axis=1), graph.numbers(1), keepdims=0)
    target_logits = logits.of_words(graph("Gather", hidden, rows, axis=0), target)
    logprobs = graph("Sub", target_logits, graph("Gather", total, rows, axis=0))
    graph.output(logprobs, "logprobs", FLOAT, ["asked"])
    return graph.build()


def project_graph(output: Linear, dtype: Dtype = "fp32") -> Graph:
    """Finds the likeliest words: `top_logprobs` and `top_words`, [rows, top], best first, ties by ascending id.

    `top` [1] may be as large as the vocabulary.
    """
    graph = GraphBuilder("project", dtype)
    logits = Logits(graph, output)
    hidden = graph.input("hidden", graph.floating, ["rows", output.matrix.shape[1]])
    top = graph.input("top", INT64, [1])
    blocks = [_block(logits, hidden, words, top) for words in _chunked_ranges(len(output.matrix))]
    totals = graph("Concat", *(block.total for block in blocks), axis=1)
    total = graph("ReduceLogSumExp", totals, graph.numbers(1), keepdims=1)
    best, places = graph.several("TopK", 2, graph("Concat", *(block.logits for block in blocks), axis=1), top)
    chunks = graph("Concat", *(block.chunks for block in blocks), axis=1)
    chunk = graph("GatherElements", chunks, graph("Div", places, graph.numbers(CHUNK)), axis=1)
    inside = graph("Mod", places, graph.numbers(CHUNK))
    graph.output(graph("Sub", best, total), "top_logprobs", FLOAT, ["rows", "top"])
    words = graph("Add", graph("Mul", chunk, graph.numbers(CHUNK)), inside)
    graph.output(words, "top_words", INT64, ["rows", "top"])
    return graph.build()


@dataclass(frozen=True, slots=True)
class _Block:
    """The results of a block of the vocabulary: its log-sum-exp and the chunks that may have the best words."""

    total: str  # [rows, 1]
    logits: str  # [rows, chunks × CHUNK] by ascending word; the last chunk of the vocabulary may be shorter
    chunks: str  # [rows, chunks] the numbers of these chunks in the vocabulary


def _ranges(vocabulary: int, block: int) -> list[range]:
    """Blocks of nearly equal size."""
    count = -(-vocabulary // block)
    ends = [vocabulary * number // count for number in range(count + 1)]
    return [range(*pair) for pair in pairwise(ends)]


def _chunked_ranges(vocabulary: int) -> list[range]:
    """Blocks of a multiple of `CHUNK` words; the remainder is the last one."""
    count, rest = divmod(vocabulary, CHUNK)
    chunk_ranges = _ranges(count, PROJECT_BLOCK // CHUNK) if count else []
    blocks = [range(chunks.start * CHUNK, chunks.stop * CHUNK) for chunks in chunk_ranges]
    return [*blocks, range(vocabulary - rest, vocabulary)] if rest else blocks


def _total(projection: Logits, logits: str, words: range) -> str:
    """[rows, 1], the log-sum-exp of the logits of a block.

    The runtime normalises a row several times faster than it sums it, and subtracts the same number from every
    word; so one word is enough to recover it. That word must not be excluded by the bias.
    """
    graph, bias = projection.graph, projection.output.bias
    possible = 0 if bias is None else int(bias[words.start : words.stop].argmax())
    normal, column = graph("LogSoftmax", logits, axis=-1), graph.numbers(possible)
    return graph("Sub", graph("Gather", logits, column, axis=1), graph("Gather", normal, column, axis=1))


def _block(projection: Logits, hidden: str, words: range, top: str) -> _Block:
    graph, logits = projection.graph, projection.of_block(hidden, words)
    total = _total(projection, logits, words)
    candidates, chunks = _likely_chunks(graph, logits, words, top)
    # Concatenating and slicing makes the runtime finish both before it turns to the next block; otherwise it
    # would do all multiplications first and hold all logits until then.
    both, one, axis = graph("Concat", total, candidates, axis=1), graph.numbers(1), graph.numbers(1)
    return _Block(
        total=graph("Slice", both, graph.numbers(0), one, axis),
        logits=graph("Slice", both, one, graph.numbers(np.iinfo(np.int64).max), axis),
        chunks=chunks,
    )


def _likely_chunks(graph: GraphBuilder, logits: str, words: range, top: str) -> tuple[str, str]:
    """The logits of the chunks with the `top` largest maxima, and the numbers of these chunks.

    The `top` largest logits are among them. The runtime finds a maximum many times faster than it keeps the best in
    order.
    """
    count, rest = divmod(len(words), CHUNK)
    first = graph.numbers(words.start // CHUNK)
    if rest:
        rows = graph("Shape", logits, start=0, end=1)
        return logits, graph("Expand", first, graph("Concat", rows, graph.numbers(1), axis=0))
    chunks = graph("Reshape", logits, graph.numbers(-1, count, CHUNK))
    maxima = graph("ReduceMax", chunks, graph.numbers(2), keepdims=0)
    chunk_count = graph("Min", top, graph.numbers(count))
    _, likely = graph.several("TopK", 2, maxima, chunk_count, sorted=0)
    likely, _ = graph.several("TopK", 2, likely, chunk_count, largest=0)  # by ascending place
    candidates = graph("GatherND", chunks, graph("Unsqueeze", likely, graph.numbers(2)), batch_dims=1)
    return graph("Reshape", candidates, graph.numbers(0, -1)), graph("Add", likely, first)
