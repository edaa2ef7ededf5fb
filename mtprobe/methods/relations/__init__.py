"""The method `relation`: several sources whose translations must satisfy a relation."""

from __future__ import annotations

from mtprobe.methods.relations.contains import Contains
from mtprobe.methods.relations.differs_in import DiffersIn
from mtprobe.methods.relations.negated import Negated
from mtprobe.methods.relations.relation import Relation
from mtprobe.methods.relations.round_trip import RoundTrip
from mtprobe.methods.relations.same import Same
from mtprobe.methods.relations.symmetric import Symmetric

RELATIONS: dict[str, Relation] = {
    relation.name: relation
    for relation in (Same(), DiffersIn(), Contains(), Negated(), Symmetric(), RoundTrip())
}

__all__ = ["RELATIONS", "Relation"]
