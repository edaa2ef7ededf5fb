"""The findings of a hunt as lines, for a terminal and for a failing test."""

from __future__ import annotations

from collections.abc import Iterator

from mtprobe.authoring.hunt.search import Found, Hunt
from mtprobe.backends.costs import Cost
from mtprobe.printable import printable
from mtprobe.report.failure import describe_sample


def headline(hunt: Hunt) -> str:
    """`the smallest of 12 failing sentences: The nurse lost his way. (6 words)`."""
    if not hunt.found:
        return f"none of {_sentences(hunt.tried)} fails"
    sample = hunt.found[0].sample
    failing = (
        "the only failing sentence" if hunt.failing == 1 else f"the smallest of {hunt.failing:,} that fail"
    )
    return printable(f"{failing}: {sample.source} ({_words(sample.source)})")


def found_lines(found: Found) -> Iterator[str]:
    """One cause: what its sentences share, and the smallest of them with translation and verdict."""
    like = f"{found.failing:,} of {_sentences(found.tried)} like it fail; " if found.tried > 1 else ""
    yield printable(f"{found.cause}: {like}the smallest has {_words(found.sample.source)}")
    yield from (f"  {line}" for line in describe_sample(found.result))
    if found.first != found.sample.source:
        yield printable(f"    smaller than {found.first}")


def last_lines(hunt: Hunt, model: str) -> Iterator[str]:
    """How much was tried, what was asked for, and what it cost."""
    failing = f", {hunt.failing:,} fail" if hunt.failing else ", none fails" if hunt.tried else ""
    errors = f", {hunt.errors:,} could not be judged" if hunt.errors else ""
    yield f"{_sentences(hunt.tried)} tried{failing}{errors}{'; there are no others' if hunt.every else ''}"
    spent = hunt.spent
    yield printable(
        "nothing was translated: given targets are judged"
        if spent.untranslated
        else f"{spent.asked:,} translations were asked of {model}, {spent.stored:,} came from the store"
    )
    if spent.costs:
        yield printable(_total(spent.costs))
    if spent.over:
        missed = "smaller sentences, and other causes" if hunt.found else "others that fail"
        yield f"the budget is used up; there may be {missed}"
    elif hunt.more:
        yield f"of those that fail, {hunt.more:,} for other causes, which were not looked into"


def _total(costs: list[Cost]) -> str:
    first = costs[0]
    dollars = [cost.estimate.dollars for cost in costs]
    known = None if None in dollars else sum(amount or 0.0 for amount in dollars)
    characters = sum(cost.estimate.characters for cost in costs)
    estimate = type(first.estimate)(characters, known, first.estimate.basis)
    return str(Cost(first.model, estimate))


def _sentences(count: int) -> str:
    return "1 sentence" if count == 1 else f"{count:,} sentences"


def _words(text: str) -> str:
    count = len(text.split())
    return "1 word" if count == 1 else f"{count} words"
