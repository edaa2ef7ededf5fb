"""From what the decoder has made of a token to the probabilities of the next one.

The vocabulary is gone through in blocks: what a block leaves behind is small, so neither logits nor
log-probabilities over the vocabulary are ever held together, however large it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mtprobe.nets.builder import FLOAT, INT64, GraphBuilder
from mtprobe.nets.graph import Graph
from mtprobe.nets.transformer import Linear

BLOCK = 1024  # words; the logits of some hundred tokens still fit into the cache of a core


def projection_graph(output: Linear) -> Graph:
    """Log-probabilities behind `hidden` [rows, width]: of given words, and of the likeliest.

    `logprobs` [asked] are those of the words `target` [asked] behind the rows `asked_rows` [asked];
    `top_logprobs` and `top_words`, [rows, top], those of the likeliest, best first,
    equal ones by rising id; `top` [1] may be as large as the vocabulary. Either may be none.
    """
    graph = GraphBuilder("projection")
    hidden = graph.input("hidden", FLOAT, ["rows", output.matrix.shape[1]])
    rows, target = (graph.input(name, INT64, ["asked"]) for name in ("asked_rows", "target"))
    top = graph.input("top", INT64, [1])

    blocks = [_block(graph, output, hidden, words, top) for words in _ranges(len(output.matrix))]
    totals = graph("Concat", *(block.total for block in blocks), axis=1)
    total = graph("ReduceLogSumExp", totals, graph.numbers(1), keepdims=1)

    logits = _logits_of(graph, output, graph("Gather", hidden, rows, axis=0), target)
    asked_total = graph("Squeeze", graph("Gather", total, rows, axis=0), graph.numbers(1))
    graph.output(graph("Sub", logits, asked_total), "logprobs", FLOAT, ["asked"])

    best, places = graph.several("TopK", 2, graph("Concat", *(block.best for block in blocks), axis=1), top)
    words = graph(
        "GatherElements", graph("Concat", *(block.words for block in blocks), axis=1), places, axis=1
    )
    graph.output(graph("Sub", best, total), "top_logprobs", FLOAT, ["rows", "top"])
    graph.output(words, "top_words", INT64, ["rows", "top"])
    return graph.build()


@dataclass(frozen=True, slots=True)
class _Block:
    """What a part of the vocabulary leaves behind."""

    total: str  # [rows, 1] the logarithm of the sum of all exponentiated logits
    best: str  # [rows, top] the largest logits
    words: str  # [rows, top] whose they are


def _ranges(vocabulary: int) -> list[range]:
    """Blocks of as good as equal size."""
    count = -(-vocabulary // BLOCK)
    ends = [vocabulary * number // count for number in range(count + 1)]
    return [range(*pair) for pair in pairwise(ends)]


def _block(graph: GraphBuilder, output: Linear, hidden: str, words: range, top: str) -> _Block:
    part = slice(words.start, words.stop)
    inputs = [hidden, graph.weight(output.matrix[part])]  # rows of a matrix: a view, not a copy
    common = 0
    if output.bias is not None:
        inputs.append(graph.weight(output.bias[part]))
        common = int(output.bias[part].argmax())
    logits = graph("Gemm", *inputs, transB=1)
    # The runtime is several times faster at normalising a row than at summing it up, and what it has
    # subtracted from one word it has subtracted from all. The word must not be one that is ruled out.
    normal, column = graph("LogSoftmax", logits, axis=-1), graph.numbers(common)
    total = graph("Sub", graph("Gather", logits, column, axis=1), graph("Gather", normal, column, axis=1))
    best, places = graph.several("TopK", 2, logits, graph("Min", top, graph.numbers(len(words))))
    # Put together and taken apart again, both are done before the runtime turns to the next block; else it
    # would do all multiplications first and hold all logits until then.
    both, one, axis = graph("Concat", total, best, axis=1), graph.numbers(1), graph.numbers(1)
    return _Block(
        total=graph("Slice", both, graph.numbers(0), one, axis),
        best=graph("Slice", both, one, graph.numbers(np.iinfo(np.int64).max), axis),
        words=graph("Add", places, graph.numbers(words.start)),
    )


def _logits_of(graph: GraphBuilder, output: Linear, hidden: str, target: str) -> str:
    """The logit of one word a row."""
    rows = graph("Gather", graph.weight(output.matrix), target, axis=0)
    logits = graph("ReduceSum", graph("Mul", hidden, rows), graph.numbers(1), keepdims=0)
    if output.bias is None:
        return logits
    return graph("Add", logits, graph("Gather", graph.weight(output.bias), target, axis=0))
