"""The executor: takes models to a cluster, which is connected to when the first sentence is sent."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from mtprobe.backends.device import parse_device
from mtprobe.backends.executor import Recipe
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import OpenRequest, stays_here
from mtprobe.errors import ModelError
from mtprobe_ray.cluster import Cluster, Needs
from mtprobe_ray.elsewhere import elsewhere
from mtprobe_ray.pool import Pool
from mtprobe_ray.settings import Settings, read_settings


class RayExecutor:
    """All models of a run have the same device, so that any worker can run any of them."""

    def __init__(self, rest: str, settings: Settings) -> None:
        self.name = f"ray:{rest}" if rest and not rest.startswith("?") else f"ray{rest}"
        self._settings = settings
        self._gpus = 0

    @cached_property
    def cluster(self) -> Cluster:
        return Cluster(self._settings.address)

    @cached_property
    def pool(self) -> Pool:
        self.cluster.connect()
        return Pool(self.cluster, Needs(self._settings.threads, self._gpus), self._settings.workers)

    def place(self, model: Model) -> Model:
        if model.recipe is None or stays_here(model.backend):
            return model
        request = self._there(model.recipe.request)
        recipe = Recipe(model.recipe.spec, request)
        return replace(model, elsewhere=elsewhere(model, recipe, self))

    def _there(self, request: OpenRequest) -> OpenRequest:
        """What a worker is asked for. A node's cards are Ray's to give away, so none is taken unasked."""
        if request.device.startswith("cuda:"):
            raise ModelError(
                f"--mt-device={request.device} names a card of this machine, and the cluster chooses one itself: "
                "take --mt-device=cuda"
            )
        wants_gpu = parse_device(request.device).name == "cuda" or request.dtype == "fp16"
        self._gpus = max(self._gpus, int(wants_gpu))
        return replace(request, device="cuda" if wants_gpu else "cpu", threads=self._settings.threads)

    def close(self) -> None:
        if "pool" in self.__dict__:
            self.pool.close()
        if "cluster" in self.__dict__:
            self.cluster.close()


def open_ray(rest: str) -> RayExecutor:
    return RayExecutor(rest, read_settings(rest))
