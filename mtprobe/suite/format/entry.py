"""What every entry of `data:` has, whatever its format."""

from __future__ import annotations

from typing import ClassVar, Literal

from mtprobe.suite.format.fields import Strict


class Data(Strict):
    """Samples from files. What more stands there depends on the format. Files may be packed with gzip; where a name has no `.gz`, both are looked for."""

    KNOWN: ClassVar[tuple[str, ...]] = ()  # attributes that the format's samples have

    format: str | None = None
    """How the files are laid out; by default told from the file's ending."""
    missing: Literal["error", "skip"] = "error"
    """What happens when a file is not there: `skip` leaves the suite out, visibly, for suites whose data not everybody has."""

    @property
    def known_attributes(self) -> tuple[str, ...]:
        """The attributes that derived attributes of the suite may refer to."""
        return self.KNOWN
