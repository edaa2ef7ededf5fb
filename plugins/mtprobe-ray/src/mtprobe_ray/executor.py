"""The executor: moves models to a cluster, and connects to it when the first sentence is sent."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from mtprobe.backends import Model, ModelError, OpenRequest, Recipe, parse_device, stays_here
from mtprobe_ray.cluster import Cluster, Needs
from mtprobe_ray.pool import Pool
from mtprobe_ray.remote import remote_model
from mtprobe_ray.settings import Settings, read_settings


class RayExecutor:
    """All models of a run use the same device, so that any worker can run any of them."""

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
        request = self._request_there(model.recipe.request)
        recipe = Recipe(model.recipe.spec, request)
        return replace(model, elsewhere=remote_model(model, recipe, self))

    def _request_there(self, request: OpenRequest) -> OpenRequest:
        """The request for a worker. Ray assigns the GPUs of a node, so none is used unless requested."""
        if request.device.startswith("cuda:"):
            raise ModelError(
                f"`device={request.device}` names a GPU of this machine, but the cluster chooses one itself: "
                "use `device=cuda`"
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
