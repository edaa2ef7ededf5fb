"""The keys of gates: a bound, or a bound with a known failure."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Discriminator, Tag
from pydantic_core import PydanticCustomError

from mtprobe.suite.format.fields import Strict, Text


def _date(value: str) -> str:
    try:
        return datetime.date.fromisoformat(value).isoformat()
    except ValueError:
        raise PydanticCustomError(
            "date", '"{text}" is not a date; write it as 2027-01-31', {"text": value}
        ) from None


class XfailModel(Strict):
    """A gate that is known to fail: it is run and shown, but does not fail the run."""

    reason: Text
    """Why this is accepted for now."""
    until: Annotated[str, AfterValidator(_date)] | None = None
    """The last day on which it is accepted (ISO, `2027-01-31`); after that the gate counts again."""


class GateModel(Strict):
    """A gate with more than a bound."""

    bound: Text
    """The comparison, in quotes: `">= 0.60"`, or `">= 0.60 @95%"` to decide on the confidence interval."""
    xfail: XfailModel | None = None
    """Known to fail."""


def _kind_of_gate(value: Any) -> str:
    if isinstance(value, GateModel) or (isinstance(value, dict) and {"bound", "xfail"} & set(value)):
        return "gate"
    return "language" if isinstance(value, dict) else "bound"


def _bound(value: Any) -> Any:
    if not isinstance(value, str):
        raise PydanticCustomError("bound", 'write a comparison in quotes, for example ">= 0.60"')
    return value


Bound: TypeAlias = Annotated[str, BeforeValidator(_bound)]
LanguageGate: TypeAlias = Annotated[
    Annotated[Bound, Tag("bound")] | Annotated[GateModel, Tag("gate")],
    Discriminator(lambda value: "bound" if _kind_of_gate(value) == "bound" else "gate"),
]
Gate: TypeAlias = Annotated[
    Annotated[Bound, Tag("bound")]
    | Annotated[GateModel, Tag("gate")]
    | Annotated[dict[str, LanguageGate], Tag("language")],
    Discriminator(_kind_of_gate),
]
