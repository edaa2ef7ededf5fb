"""The word aligner selected by the user, for methods that need one."""

from __future__ import annotations

from mtprobe.backends.model import Model
from mtprobe.language.alignment import Aligner, open_aligner
from mtprobe.language.alignment.files import Links


def aligner_for(alignment: str, model: Model) -> Aligner:
    """The aligner for translations of this model."""
    aligner = open_aligner(alignment)
    if isinstance(aligner, Links):  # whose lines are those of the file that a `file:` model reads
        return aligner.beside(getattr(model.backend, "paths", None), model.name)
    return aligner
