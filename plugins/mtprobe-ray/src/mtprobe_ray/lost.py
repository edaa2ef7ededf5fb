"""Ray's errors: a worker that is gone, or an exception of what it ran."""

from __future__ import annotations


def is_lost(error: Exception) -> bool:
    """Whether a worker, its node or its answer is gone, so that another may try."""
    from ray import exceptions

    gone = (
        exceptions.RayActorError,  # killed, crashed, out of memory, out of reach
        exceptions.NodeDiedError,
        exceptions.ObjectLostError,
        exceptions.OutOfMemoryError,
        exceptions.WorkerCrashedError,
        exceptions.LocalRayletDiedError,
    )
    return isinstance(error, gone) and not isinstance(error, exceptions.RayTaskError)


def own_error(error: Exception) -> Exception:
    """The exception that a backend raised, with where it was raised as a note; a bug keeps its traceback."""
    from ray import exceptions

    if not isinstance(error, exceptions.RayTaskError):
        return error
    cause = error.cause
    if not isinstance(cause, Exception):
        return RuntimeError(str(error))
    cause.add_note(f"on a worker of the cluster:\n{error}")
    return cause
