"""A page as a tree, as far as tests ask of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"meta", "input", "br", "img", "link"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All that it says, with white space as a reader sees it."""
        return " ".join(self._raw().split())

    def _raw(self) -> str:
        if self.tag in ("style", "script"):
            return ""
        return "".join(child if isinstance(child, str) else child._raw() for child in self.children)

    def walk(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def all(self, tag: str, kind: str | None = None) -> list[Element]:
        """Every element of this tag, and of this class when one is named."""
        return [
            one
            for one in self.walk()
            if one.tag == tag and (kind is None or kind in one.attributes.get("class", "").split())
        ]

    def one(self, tag: str, kind: str | None = None) -> Element:
        found = self.all(tag, kind)
        assert len(found) == 1, f"{len(found)} × <{tag} class={kind}>"
        return found[0]


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("page")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in _VOID:
            self.open.append(self.open[-1].children[-1])  # type: ignore[arg-type]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            closed = self.open.pop()
            assert closed.tag == tag, f"</{tag}> closes <{closed.tag}>"

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parse(text: str) -> Element:
    """The page; every element must be closed where it should be."""
    parser = _Parser()
    parser.feed(text)
    parser.close()
    assert len(parser.open) == 1, f"<{parser.open[-1].tag}> is not closed"
    return parser.open[0]
