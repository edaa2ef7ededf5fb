"""`--mt-executor=ray[:ADDRESS]`: translates and scores on a Ray cluster. Ray is imported with the first sentence."""

from mtprobe_ray.executor import RayExecutor, open_ray

__all__ = ["RayExecutor", "open_ray"]
