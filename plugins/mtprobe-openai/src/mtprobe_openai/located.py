"""Finds the tokens of a target among those of a whole prompt.

Servers show tokens in different ways. llama-cpp-python shows special tokens, and tokens that are part of a character, as
empty texts, and its offsets do not count them; vLLM decodes each token by itself, so that the space before a word may be
missing, part of a character is U+FFFD, and offsets are those of what is shown. So offsets are not used: tokens are compared
with the text that was sent, from its end. Tokens that do not match, or match in more than one way, are an error; nothing is
guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_PART = "\ufffd"  # what decoders show for part of a character
_BARRIER = re.compile(
    r"[\r\n]$|^<[^<>]+>$"
)  # no tokenizer joins what follows a line break or a special token to it
_SHOWN = 4  # tokens in a message
_MOST = 4  # characters that a token without readable text may stand for


class Unlocated(Exception):
    """Why the tokens of a target cannot be told from others."""


def locate(tokens: Sequence[str], prompt: str, target: str, end: str) -> int:
    """The number of the first token of the target, if the tokens end with it and the end of the turn; raises `Unlocated`."""
    last = len(tokens) - _tokens_of_end(tokens, end)
    hides_spaces = not any(token.startswith(" ") for token in tokens)
    starts = _starts(tokens[:last], target, hides_spaces=hides_spaces)
    if not starts:
        raise Unlocated(_no_boundary(tokens[:last], target))
    if not target or target[0].isascii():
        return max(starts)  # special tokens before it belong to the prompt
    first = min(starts)
    if all(token and _PART not in token for token in tokens[first:last]):
        return first
    before = tokens[first - 1] if first else ""
    if prompt.endswith(before) and _BARRIER.search(before):
        return first
    raise Unlocated(
        "characters of the target are in parts, and it cannot be told whether the last token of the prompt has one of "
        "them: end the prompt with a line break"
    )


def _tokens_of_end(tokens: Sequence[str], end: str) -> int:
    """How many tokens the end of the turn has. A special token may be shown without its text."""
    if not end:
        return 0
    visible = ""
    for count, token in enumerate(reversed(tokens), start=1):
        visible = token + visible
        if visible == end or (not token and end.endswith(visible)):
            return count
        if not end.endswith(visible):
            break
    raise Unlocated(
        f"the prompt ends with “{_line(end)}”, but its last token is “{_line(tokens[-1]) if tokens else ''}”"
    )


def _starts(tokens: Sequence[str], target: str, *, hides_spaces: bool) -> list[int]:
    """The tokens at which the target may start, where the tokens end with it."""
    ends = {len(target)}  # of what is still to be found, in characters
    starts = [len(tokens)] if not target else []
    for number in range(len(tokens) - 1, -1, -1):
        ends = {before for end in ends for before in _before(target, end, tokens[number], hides_spaces)}
        if not ends:
            break
        if 0 in ends:
            starts.append(number)
    return starts


def _before(target: str, end: int, token: str, hides_spaces: bool) -> set[int]:
    """The places where a token may start that ends at a place of the target."""
    places: set[int] = set()
    if token and _PART not in token:
        if target.startswith(token, start := end - len(token)) and start >= 0:
            places.add(start)
            if hides_spaces and start > 1 and target[start - 1] == " ":
                places.add(start - 1)
        return places
    pattern = re.compile("".join(map(_part, re.split(f"({_PART}+)", token))) if token else "[^\x00-\x7f]?")
    for start in range(max(0, end - len(token) - _MOST), end + 1):
        if pattern.fullmatch(target, start, end):
            places.add(start)
    return places


def _part(text: str) -> str:
    return f"[^\x00-\x7f]{{0,{_MOST}}}" if text.startswith(_PART) else re.escape(text)


def _no_boundary(tokens: Sequence[str], target: str) -> str:
    """Names the tokens where prompt and target meet."""
    length, number = 0, len(tokens)
    while number and length < len(target):
        number -= 1
        length += len(tokens[number])
    shown = " ".join(f"“{_line(token)}”" for token in tokens[max(0, number - 1) : number - 1 + _SHOWN])
    return (
        f"no token starts where the target starts (“{_line(target[:20])}”; the tokens there are {shown}): "
        "end the prompt in another way, for example with a line break"
    )


def _line(text: str) -> str:
    return text.encode("unicode_escape").decode("ascii") if not text.isprintable() else text
