"""From what the decoder has made of a token to the probabilities of the next one.

The vocabulary is gone through in blocks: what a block leaves behind is small, so neither logits nor
log-probabilities over the vocabulary are ever held together, however large it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mtprobe.backends.dtype import Dtype
from mtprobe.engine.graphs.builder import FLOAT, INT64, GraphBuilder
from mtprobe.engine.graphs.graph import Graph
from mtprobe.engine.graphs.logits import Logits
from mtprobe.engine.graphs.transformer import Linear

# Words of a block; the logits of all rows, many or few, still fit into the cache of a core.
JUDGE_BLOCK, PROJECT_BLOCK = 512, 4096
FEW = 32  # words whose largest logit is found at once


def judge_graph(output: Linear, dtype: Dtype = "fp32") -> Graph:
    """Of given words: `logprobs` [asked], of the words `target` [asked] behind the rows `asked_rows` [asked]."""
    graph = GraphBuilder("judge", dtype)
    logits = Logits(graph, output)
    hidden = graph.input("hidden", graph.floating, ["rows", output.matrix.shape[1]])
    rows, target = (graph.input(name, INT64, ["asked"]) for name in ("asked_rows", "target"))
    blocks = _ranges(len(output.matrix), JUDGE_BLOCK)
    totals = [_total(logits, logits.of_block(hidden, words), words) for words in blocks]
    total = graph("ReduceLogSumExp", graph("Concat", *totals, axis=1), graph.numbers(1), keepdims=0)
    asked = logits.of_words(graph("Gather", hidden, rows, axis=0), target)
    logprobs = graph("Sub", asked, graph("Gather", total, rows, axis=0))
    graph.output(logprobs, "logprobs", FLOAT, ["asked"])
    return graph.build()


def project_graph(output: Linear, dtype: Dtype = "fp32") -> Graph:
    """Of the likeliest words: `top_logprobs` and `top_words`, [rows, top], best first, equal ones by rising id.

    `top` [1] may be as large as the vocabulary.
    """
    graph = GraphBuilder("project", dtype)
    logits = Logits(graph, output)
    hidden = graph.input("hidden", graph.floating, ["rows", output.matrix.shape[1]])
    top = graph.input("top", INT64, [1])
    blocks = [_block(logits, hidden, words, top) for words in _ranges_of_few(len(output.matrix))]
    totals = graph("Concat", *(block.total for block in blocks), axis=1)
    total = graph("ReduceLogSumExp", totals, graph.numbers(1), keepdims=1)
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


def _ranges(vocabulary: int, block: int) -> list[range]:
    """Blocks of as good as equal size."""
    count = -(-vocabulary // block)
    ends = [vocabulary * number // count for number in range(count + 1)]
    return [range(*pair) for pair in pairwise(ends)]


def _ranges_of_few(vocabulary: int) -> list[range]:
    """Blocks of a multiple of `FEW` words; what is left over is the last one."""
    count, rest = divmod(vocabulary, FEW)
    parts = _ranges(count, PROJECT_BLOCK // FEW) if count else []
    blocks = [range(part.start * FEW, part.stop * FEW) for part in parts]
    return [*blocks, range(vocabulary - rest, vocabulary)] if rest else blocks


def _total(made: Logits, logits: str, words: range) -> str:
    """[rows, 1], the logarithm of the sum of all exponentiated logits of a block.

    The runtime is several times faster at normalising a row than at summing it up, and what it has
    subtracted from one word it has subtracted from all. The word must not be one that is ruled out.
    """
    graph, bias = made.graph, made.output.bias
    possible = 0 if bias is None else int(bias[words.start : words.stop].argmax())
    normal, column = graph("LogSoftmax", logits, axis=-1), graph.numbers(possible)
    return graph("Sub", graph("Gather", logits, column, axis=1), graph("Gather", normal, column, axis=1))


def _block(made: Logits, hidden: str, words: range, top: str) -> _Block:
    graph, logits = made.graph, made.of_block(hidden, words)
    total = _total(made, logits, words)
    best, places = _largest(graph, logits, len(words), top)
    # Put together and taken apart again, both are done before the runtime turns to the next block; else it
    # would do all multiplications first and hold all logits until then.
    both, one, axis = graph("Concat", total, best, axis=1), graph.numbers(1), graph.numbers(1)
    return _Block(
        total=graph("Slice", both, graph.numbers(0), one, axis),
        best=graph("Slice", both, one, graph.numbers(np.iinfo(np.int64).max), axis),
        words=graph("Add", places, graph.numbers(words.start)),
    )


def _largest(graph: GraphBuilder, logits: str, words: int, top: str) -> tuple[str, str]:
    """[rows, top]: the largest of a block and their places in it, equal ones by rising place.

    The runtime finds a maximum many times faster than it keeps the best in order. The `top` largest stand among
    the few that have the `top` largest maxima, so only those are looked at one by one.
    """
    most = graph("Min", top, graph.numbers(words))
    count, rest = divmod(words, FEW)
    if rest:
        best, places = graph.several("TopK", 2, logits, most)
        return best, places
    beside = graph("Reshape", logits, graph.numbers(-1, count, FEW))
    maxima = graph("ReduceMax", beside, graph.numbers(2), keepdims=0)
    chosen = graph("Min", top, graph.numbers(count))
    _, likely = graph.several("TopK", 2, maxima, chosen, sorted=0)
    likely, _ = graph.several("TopK", 2, likely, chosen, largest=0)  # by rising place
    looked_at = graph("GatherND", beside, graph("Unsqueeze", likely, graph.numbers(2)), batch_dims=1)
    best, at = graph.several("TopK", 2, graph("Reshape", looked_at, graph.numbers(0, -1)), most)
    few, inside = graph("Div", at, graph.numbers(FEW)), graph("Mod", at, graph.numbers(FEW))
    before = graph("Mul", graph("GatherElements", likely, few, axis=1), graph.numbers(FEW))
    return best, graph("Add", before, inside)
