"""Ray's errors: a lost worker, or an exception in what it ran."""

from __future__ import annotations


def is_lost(error: Exception) -> bool:
    """Whether a worker, its node or its answer was lost, so that another worker may try."""
    from ray import exceptions

    losses = (
        exceptions.RayActorError,  # killed, crashed, out of memory, unreachable
        exceptions.NodeDiedError,
        exceptions.ObjectLostError,
        exceptions.OutOfMemoryError,
        exceptions.WorkerCrashedError,
        exceptions.LocalRayletDiedError,
    )
    return isinstance(error, losses) and not isinstance(error, exceptions.RayTaskError)


def own_error(error: Exception) -> Exception:
    """The exception that a backend raised, with the remote traceback as a note."""
    from ray import exceptions

    if not isinstance(error, exceptions.RayTaskError):
        return error
    cause = error.cause
    if not isinstance(cause, Exception):
        return RuntimeError(str(error))
    cause.add_note(f"on a worker of the cluster:\n{error}")
    return cause
