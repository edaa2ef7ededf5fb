"""Parts that several models share"""

from __future__ import annotations

import gc

from mtprobe.backends import Shared


class Weights:
    """Something large."""


def test_a_part_is_loaded_once_while_somebody_has_it():
    shared: Shared[Weights] = Shared()
    first = shared.get("m2m", Weights)
    assert shared.get("m2m", Weights) is first
    assert shared.get("nllb", Weights) is not first


def test_a_part_that_nobody_has_is_loaded_again():
    shared: Shared[Weights] = Shared()
    loads = []

    def load() -> Weights:
        loads.append(1)
        return Weights()

    shared.get("m2m", load)
    gc.collect()
    shared.get("m2m", load)
    assert len(loads) == 2
