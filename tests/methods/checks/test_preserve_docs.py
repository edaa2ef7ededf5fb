"""docs/howto/preserve.md lists every kind as it describes itself."""

from pathlib import Path

from mtprobe.language.invariants import KINDS
from mtprobe.methods.checks.glossary import Terms

PAGE = Path(__file__).parents[3] / "docs" / "howto" / "preserve.md"


def test_the_table_has_every_kind_in_its_own_words():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    expected = [f"| `{kind.name}` | {kind.about} |" for kind in (*KINDS.values(), Terms)]
    assert rows[1:] == expected
