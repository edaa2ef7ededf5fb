"""What translations must preserve: numbers, money, dates, units, addresses, placeholders, tags, names and form."""

from __future__ import annotations

from mtprobe.language.invariants.currency import Currency
from mtprobe.language.invariants.dates import Dates
from mtprobe.language.invariants.kind import Change, Item, Kind, Text
from mtprobe.language.invariants.literals import Emails, Emoji, Urls
from mtprobe.language.invariants.markup import Tags
from mtprobe.language.invariants.names import Names
from mtprobe.language.invariants.numbers import Numbers
from mtprobe.language.invariants.placeholders import Placeholders
from mtprobe.language.invariants.surface import Casing, Length, Punctuation, Quotes
from mtprobe.language.invariants.units import Units

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Numbers(),
        Currency(),
        Dates(),
        Units(),
        Urls(),
        Emails(),
        Placeholders(),
        Tags(),
        Names(),
        Emoji(),
        Quotes(),
        Casing(),
        Punctuation(),
        Length(short=10),
    )
}

__all__ = ["KINDS", "Change", "Item", "Kind", "Text"]
