"""Items that are in digits in one text and in words in the other: *300 dollars*, *trezentos dólares*."""

from __future__ import annotations

from collections.abc import Sequence

from mtprobe.language.invariants.kind import Change, Item, Kind, Text, unmatched
from mtprobe.language.invariants.numerals import values_in
from mtprobe.language.invariants.spelled import in_digits
from mtprobe.language.invariants.spelled_out import spelled_out


class WordedKind(Kind):
    """A kind whose items contain numbers, which either text may write as words."""

    def source_items(self, source: Text) -> Sequence[Item]:
        return self.items(spelled_out(source))

    def changes(self, source: Text, target: Text) -> list[Change]:
        source = spelled_out(source)
        lost, added = self.compared(source, target)
        if lost:  # what the translation has in words
            digits = Text(
                in_digits(target.text, target.language, values_in(source.text, source.language)),
                target.language,
            )
            missing, extra = self.compared(source, digits)
            lost = [item for item in lost if item in missing]
            added = _like(added, extra)
        if added:  # what the source has in words
            digits = Text(
                in_digits(source.text, source.language, values_in(target.text, target.language)),
                source.language,
            )
            missing, extra = self.compared(digits, target)
            added = [item for item in added if item in extra]
            lost = _like(lost, missing)
        return self.described(self.missing(lost, source, target), self.missing(added, target, source))

    def compared(self, source: Text, target: Text) -> tuple[list[Item], list[Item]]:
        """The items of either text that the other does not have, as they are written."""
        return unmatched(self.items(source), self.items(target))

    def missing(self, items: Sequence[Item], text: Text, other: Text) -> list[Item]:  # noqa: ARG002 - a default
        """The items that only one text has, without those that the other expresses differently."""
        return list(items)


def _like(items: Sequence[Item], others: Sequence[Item]) -> list[Item]:
    return [item for item in items if any(item.values == other.values for other in others)]
