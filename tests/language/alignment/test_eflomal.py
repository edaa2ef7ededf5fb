"""eflomal, run as a program of its own"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from mtprobe.errors import MtprobeError
from mtprobe.language.alignment import SentencePair, aligned_to
from mtprobe.language.alignment.eflomal import Eflomal, open_eflomal
from tests.language.alignment.test_ibm1 import pairs
from tests.system_packages import REQUIRED


def eflomal() -> Eflomal:
    try:
        return open_eflomal()
    except MtprobeError as error:
        if os.environ.get(REQUIRED):
            pytest.fail(f"{error}, and {REQUIRED} is set", pytrace=False)
        pytest.skip(str(error))


def test_it_really_aligns():
    known = pairs()
    found = eflomal().align([*known, SentencePair("The nurse", "")])
    right = 0
    for (pair, (noun, form)), links in zip(known.items(), found[:-1], strict=True):
        first = pair.source.rstrip(".").split().index(noun.split()[-1])
        words = {pair.translation.split()[at].strip(".") for at in aligned_to(links, [first])}
        right += bool(words & set(form.split()))
    assert right >= 0.8 * len(known)  # it samples, and there is little to learn from
    assert found[-1] == ()
    assert "eflomal" not in sys.modules  # the GPL stays on its side


def test_its_name_has_its_version():
    assert eflomal().name.startswith("eflomal 2")


def test_what_it_says_when_it_fails_is_told(tmp_path):
    program = tmp_path / "eflomal-align"
    program.write_text("#!/bin/sh\necho out of luck >&2\nexit 3\n", encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    with pytest.raises(MtprobeError, match=r"eflomal-align failed \(3\): out of luck"):
        Eflomal("eflomal", str(program)).align([SentencePair("a", "b")])


def test_without_it_the_error_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(Path(tmp_path) / "python"))
    with pytest.raises(MtprobeError, match=r'pip install "mtprobe\[align\]"'):
        open_eflomal()
