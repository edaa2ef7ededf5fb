"""The format of saved models. Later versions open an exported folder, or refuse it by its format number.

The inputs and outputs of graphs and the dimensions of networks are part of the format. If one of these tests fails,
raise `FORMAT` and describe the new format here. Only a further graph may come without that: `encode_without` and `attend`
are missing in folders of earlier versions, which says so when they are needed; without `block` and `screen` there are no
drafts.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import onnx
import pytest

from mtprobe.engine.build import bergamot_definition
from mtprobe.engine.checkpoints.bergamot.folder import find_model
from mtprobe.engine.converted.manifest import FORMAT
from mtprobe.engine.graphs.definition import NetworkDefinition
from tests.engine.converted.models import put_firefox
from tests.engine.tiny import Shape

SOURCE = "source source_places source_rows source_unpack source_mask"
TARGET = "target target_places target_rows target_unpack"
BLOCK = "tokens places block_places block_rows block_unpack"
ROWS = "source_mask row_places row_rows row_unpack"
INTERFACES = {
    "ssru": {
        "encode": f"{SOURCE} -> memory cross",
        "encode_without": f"{SOURCE} source_kept -> memory cross",
        "score": f"cross source_unpack source_mask previous {TARGET} -> logprobs",
        "attend": "cross source_unpack source_mask previous target_places target_rows target_unpack wanted -> attention",
        "greedy_step": "previous places source_mask cells_1 keys_1 values_1 -> next_cells_1 token logprob",
        "step": f"previous places parents {ROWS} cells_1 keys_1 values_1 -> next_cells_1 hidden",
        "project": "hidden top -> top_logprobs top_words",
        "block": f"{BLOCK} source_mask cells_1 keys_1 values_1 -> next_cells_1 hidden",
        "screen": "hidden -> word lead",
    },
    "transformer": {
        "encode": f"{SOURCE} -> cross",
        "encode_without": f"{SOURCE} source_kept -> cross",
        "read": f"cross source_unpack source_mask {TARGET} target_depths target_mask wanted -> hidden",
        "attend": f"cross source_unpack source_mask {TARGET} target_depths target_mask wanted -> attention",
        "step": f"tokens places slots seen {ROWS} keys_0 values_0 cross_keys_0 cross_values_0"
        " -> next_keys_0 next_values_0 hidden",
        "judge": "hidden asked_rows target -> logprobs",
        "project": "hidden top -> top_logprobs top_words",
        "block": f"{BLOCK} past_filled block_mask source_mask keys_0 values_0 cross_keys_0 cross_values_0"
        " -> next_keys_0 next_values_0 hidden",
        "screen": "hidden -> word lead",
    },
}
COMMON = "decoder_layers heads width source_vocabulary target_vocabulary"
FACTS = {"ssru": f"{COMMON} longest dtype", "transformer": f"{COMMON} longest_source longest_target dtype"}


@pytest.fixture(scope="module", params=["ssru", "transformer"])
def network(request, tmp_path_factory) -> tuple[str, NetworkDefinition]:
    shape = Shape(vocabulary=90, decoder=1, attends=request.param == "transformer")
    folder: Path = put_firefox(tmp_path_factory.mktemp("models") / "m", shape=shape)
    return request.param, bergamot_definition(find_model(folder), longest=20)


def test_format_2_is_what_graphs_take_and_give(network):
    kind, parts = network
    interfaces = {}
    for name, graph in parts.graphs.items():
        written = onnx.ModelProto.FromString(graph.serialized).graph
        taken, given = ([value.name for value in side] for side in (written.input, written.output))
        interfaces[name] = " ".join([*taken, "->", *given])
    assert (FORMAT, interfaces) == (2, INTERFACES[kind])


def test_format_2_has_these_facts(network):
    kind, parts = network
    assert (FORMAT, [field.name for field in fields(parts.dimensions)]) == (2, FACTS[kind].split())
