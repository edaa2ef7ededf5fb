"""Damage to what a file says: keys and values dropped, doubled, renamed, of another type, or far too many."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import yaml

from mtprobe.suite.format.evidence import Evidence
from mtprobe.suite.format.fields import Strict
from mtprobe.suite.format.suite import suite_model
from mtprobe.suite.format.template import Template
from mtprobe.suites import vocabulary

VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 10**399, 1e308, float("inf"), float("nan"), 0.5, "", " ", "x", "no", "~", "a\nb",
    "\t", "\u2028", "\u202e", [], {}, [[]], [None], {"": None}, ["a", "a"], {"a": "b"}, {"a": {"b": "c"}}, [{"a": "b"}],
    "{job}", "{x}{x}", "{", "}}", "<", "<>", "<a> <b>", "<a>", "_", "a _ b _", ">= 0.5", ">= 200", "<= 0.1 @95%", ">= 1 @1%",
    "accuracy", "accuracy[x=y]", "gap[category]", "minimum_accuracy", "bias[gender]", "any", ["any"], "de", "de-DE", "zz", "und",
    "x-private", "i-klingon", "zh-min-nan", "sl-rozaj-biske", "de-" + "a" * 9, "en-a-bbb-a-ccc", "../x", "/dev/zero", ".", "a.jsonl",
    "cues.jsonl", "fuzz.mt.yaml", "correct", "incorrect", "male", "category", "typical == category",
    "not " * 100 + "a", "[" * 150 + "]" * 150, "a == " * 90 + "a", "'" + "x" * 480 + "'", "9" * 490 + " == 1", "1j == 1",
    "a * b", "*", "a|noun", "a|b", "[a|b]", "[a|b|c] [a|b]", "[|b]", "{|b}", "{a|b} [c|d]", "2027-01-31", "2027-02-31", "0000-00-00",
    "x" * 100_000, "a " * 50_000, "<" * 10_000, "{a}" * 3_000, "a an " * 20_000, "." * 100_000, ". " * 50_000, "é" * 60_000,
    ["x"] * 5_000, [f"w{n}" for n in range(3_000)], {f"k{n}": "v" for n in range(3_000)}, {f"k{n}": {"category": "male"} for n in range(500)},
    [{"source": f"s {n}", "categry": "x"} for n in range(500)], {"file": "a.jsonl"}, {"file": "fuzz.mt.yaml"}, {"file": "/dev/zero"},
    "parametrize", "skipif", "_private", "usefixtures", "xfail", "jsonl", "winomt", "senses", "pairs", "schemas", "blimp", "gate",
]  # fmt: skip


def _names(model: type[Strict]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


KEYS = [*dict.fromkeys([*_names(suite_model(vocabulary())), *_names(Evidence), *_names(Template)]), "file", "format", "correct",
        "incorrect", "good", "bad", "targets", "xfail", "until", "bound", "reason", "by", "without", "missing", "category",
        "target", "words", "pairs", "schemas", "polysemy", "rank", "contexts", "human", "machine", "stereotype", "neutral",
        "folder", "split", "", "<<", "0", "null", "é", "a b", "a.b", "[", "x" * 5_000, "de", "male", "copy", "sense_rank"]  # fmt: skip

LARGEST = 50_000  # nodes
LONGEST = 2_000_000  # characters of all texts
Path = tuple[Any, ...]


def _paths(value: Any, at: Path = ()) -> Iterator[Path]:
    yield at
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _paths(one, (*at, key))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from _paths(one, (*at, number))


def _get(tree: Any, path: Path) -> Any:
    for part in path:
        tree = tree[part]
    return tree


def _chosen(tree: Any, rng: Random) -> Path:
    """Any place but the root; a place near the root as often as one far below."""
    paths = [path for path in _paths(tree) if path]
    if not paths:
        return ()
    depth = rng.choice(sorted({len(path) for path in paths}))
    return rng.choice([path for path in paths if len(path) == depth])


def _set(tree: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    _get(tree, path[:-1])[path[-1]] = value
    return tree


def other_value(tree: Any, rng: Random) -> Any:
    return _set(tree, _chosen(tree, rng), copy.deepcopy(rng.choice(VALUES)))


def delete(tree: Any, rng: Random) -> Any:
    path = _chosen(tree, rng)
    if path:
        del _get(tree, path[:-1])[path[-1]]
    return tree


def duplicate(tree: Any, rng: Random) -> Any:
    """A list's entry stands twice, or a mapping's under another name."""
    path = _chosen(tree, rng)
    if path:
        owner, value = _get(tree, path[:-1]), copy.deepcopy(_get(tree, path))
        if isinstance(owner, list):
            owner.extend([value] * rng.choice((1, 1, 30)))
        else:
            owner[rng.choice(KEYS)] = value
    return tree


def rename(tree: Any, rng: Random) -> Any:
    """A key gets another name, or a typo."""
    paths = [path for path in _paths(tree) if path and isinstance(path[-1], str)]
    if paths:
        path = rng.choice(paths)
        owner, key = _get(tree, path[:-1]), path[-1]
        at = rng.randrange(len(key) + 1)
        new = rng.choice((key[:at] + key[at + 1 :], key[:at] + "x" + key[at:], key.upper(), rng.choice(KEYS)))
        changed = [(new if name == key else name, value) for name, value in owner.items()]
        owner.clear()
        owner.update(changed)
    return tree


def swap(tree: Any, rng: Random) -> Any:
    """What stands at one place stands at another, too."""
    return _set(tree, _chosen(tree, rng), copy.deepcopy(_get(tree, _chosen(tree, rng))))


def add_key(tree: Any, rng: Random) -> Any:
    places = [path for path in _paths(tree) if isinstance(_get(tree, path), dict)]
    if places:
        _get(tree, rng.choice(places))[rng.choice(KEYS)] = copy.deepcopy(rng.choice(VALUES))
    return tree


def other_type(tree: Any, rng: Random) -> Any:
    path = _chosen(tree, rng)
    value = _get(tree, path)
    turned: Any = [value]
    if isinstance(value, list):
        turned = rng.choice(
            ({str(number): one for number, one in enumerate(value)}, value[0] if value else None)
        )
    elif isinstance(value, dict):
        turned = rng.choice((list(value), list(value.values()), str(value)))
    elif isinstance(value, str):
        turned = rng.choice(([value], {value: None}, {value: value}, len(value), [*value]))
    return _set(tree, path, turned)


def many(tree: Any, rng: Random) -> Any:
    """A list or a mapping with thousands of entries, like those that it has."""
    places = [
        path
        for path in _paths(tree)
        if path and isinstance(_get(tree, path), list | dict) and _get(tree, path)
    ]
    if places:
        value = _get(tree, rng.choice(places))
        first = value[0] if isinstance(value, list) else next(iter(value.values()))
        size = sum(1 for _ in _paths(first))
        count = min(rng.choice((100, 1_000, 3_000)), 30_000 // size)  # files that people could have
        if isinstance(value, list):
            value.extend([copy.deepcopy(first)] * count)
        else:
            value.update({f"name{number}": first for number in range(count)})
    return tree


def explode(tree: Any, rng: Random) -> Any:
    """Slots whose product nobody could write out, or many templates whose sum is as bad."""
    if not isinstance(tree, dict) or "mtprobe" not in tree:
        return other_value(tree, rng)
    slots, size = rng.choice(((9, 10), (4, 100), (2, 20_000), (30, 2), (3_000, 2)))
    table = {f"s{number}": [f"v{one}" for one in range(size)] for number in range(slots)}
    source = rng.choice(("", "<", "x" * 5_000)) + " ".join(f"{{{name}}}" for name in table)
    template = {"source": source, "category": "male", "cues": {"correct": "{s0}", "incorrect": "{s1}"}}
    tree["slots"] = table
    tree["generate"] = [{**template, "id": f"t{number}"} for number in range(rng.choice((1, 1, 40)))]
    return tree


def recurse(tree: Any, rng: Random) -> Any:
    """Slots that name slots, themselves too."""
    if isinstance(tree, dict) and "mtprobe" in tree:
        tree["slots"] = {"a": ["{b}", "{a}"], "b": ["{a}", "x"], "{a}": ["b"]}
        tree["generate"] = [{"source": rng.choice(("{a}", "{{a}}", "{{{a}}}", "<{a}> {b}", "{a}" * 20))}]
    return tree


def nest(tree: Any, rng: Random) -> Any:
    path = _chosen(tree, rng)
    value = _get(tree, path)
    for _ in range(rng.choice((5, 31, 40, 60))):
        value = [value] if rng.random() < 0.5 else {"a": value}
    return _set(tree, path, value)


TreeMutation = Callable[[Any, Random], Any]
MUTATIONS: tuple[TreeMutation, ...] = (
    other_value, other_value, other_value, other_value, delete, delete, duplicate, rename, rename, swap, swap, add_key,
    add_key, other_type, other_type, many, explode, recurse, nest,
)  # fmt: skip


def damaged(tree: Any, rng: Random) -> Any:
    """The tree after one to three mutations, fewer when it has grown large; it is changed in place."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        before = copy.deepcopy(tree)
        tree = rng.choice(MUTATIONS)(tree, rng)
        if _too_large(tree):  # many times many: larger than any file that is read
            return before
    return tree


def _too_large(tree: Any) -> bool:
    characters = 0
    for nodes, path in enumerate(_paths(tree)):
        value = _get(tree, path)
        characters += len(value) if isinstance(value, str) else 0
        characters += len(path[-1]) if path and isinstance(path[-1], str) else 0
        if nodes > LARGEST or characters > LONGEST:
            return True
    return False


def reader_of(name: str) -> tuple[Callable[[bytes], Any], Callable[[Any], bytes]] | None:
    """How the files with such a name are read into a tree and written again, where they hold one."""
    if name.endswith((".yaml", ".yml")):
        return _read_yaml, _write_yaml
    if name.endswith(".jsonl"):
        return _read_lines, _write_lines
    if name.endswith(".json"):
        return json.loads, lambda tree: json.dumps(tree, default=str).encode()
    return None


_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _NoAliases(_Dumper):
    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


def _read_yaml(data: bytes) -> Any:
    return yaml.load(data, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _write_yaml(tree: Any) -> bytes:
    return yaml.dump(tree, Dumper=_NoAliases, allow_unicode=True, sort_keys=False, width=10_000).encode(
        "utf-8", "replace"
    )


def _read_lines(data: bytes) -> Any:
    return [json.loads(line) for line in data.splitlines()]


def _write_lines(tree: Any) -> bytes:
    lines = tree if isinstance(tree, list) else [tree]
    return b"".join(json.dumps(line, default=str).encode() + b"\n" for line in lines)
