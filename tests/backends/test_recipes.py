"""The recipes for `cmd:` in docs/howto/backends.md do what they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mtprobe.backends.cmd import open_command
from mtprobe.backends.protocols import OpenRequest
from mtprobe.testing import SOURCES, TranslationConformance
from tests.soak import SOAKING
from tests.system_packages import require_program

DOCS = Path(__file__).parents[2] / "docs" / "howto" / "backends.md"
REQUEST = OpenRequest(source="en", target="es")
READ_ON = ["the big", "red cats", "I have", "been there"]


@pytest.fixture
def script(tmp_path):
    """The script that the page shows."""
    require_program("apertium")
    path = tmp_path / "apertium-lines"
    path.write_text(re.search(r"```sh\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)[1])
    path.chmod(0o755)
    return path


if SOAKING:  # it starts Apertium a hundred times

    class TestApertium(TranslationConformance):
        opening = REQUEST
        sources = (*SOURCES[:2], *READ_ON)
        fails_on = ("half \ud83d a character",)
        test_a_stream_gives_each_translation_once = None

        @pytest.fixture
        def spec(self, script):
            return f"cmd:{script} eng-spa"


def test_without_the_script_apertium_reads_on_over_the_end_of_a_line(script):
    bare, kept_apart = (open_command(f"{program} eng-spa", REQUEST) for program in ("apertium -u", script))
    alone = [kept_apart.translate([source])[0] for source in READ_ON]
    assert kept_apart.translate(READ_ON) == alone
    assert bare.translate(READ_ON) != alone
