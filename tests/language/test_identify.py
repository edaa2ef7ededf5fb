"""The language of a text, wherever temporary files may or may not be written"""

from __future__ import annotations

import tempfile

import pytest

from mtprobe.errors import MtprobeError
from mtprobe.language import identify
from mtprobe.language.alignment import SentencePair
from mtprobe.language.alignment.eflomal import Eflomal

ENGLISH = "The doctor finished her shift before the others arrived."


@pytest.fixture
def no_temporary_folder(tmp_path, monkeypatch):
    """Whatever asks for a temporary file gets an OSError, as where the disk is full."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "absent"))
    with pytest.raises(OSError), tempfile.TemporaryFile():
        pass


@pytest.mark.usefixtures("no_temporary_folder")
def test_a_language_is_identified_without_a_temporary_folder():
    identify._identifier.cache_clear()
    assert identify.another_language(ENGLISH, "pt") == "en"
    assert identify.another_language(ENGLISH, "en") is None


def test_other_users_of_the_identifier_have_their_temporary_files():
    from py3langid import modelio

    identify._identifier.cache_clear()
    identify.another_language(ENGLISH, "pt")
    assert modelio.tempfile is tempfile


@pytest.mark.usefixtures("no_temporary_folder")
def test_an_aligner_that_needs_the_folder_says_so():
    with pytest.raises(MtprobeError, match=r"needs files in the temporary folder.*set TMPDIR"):
        Eflomal("eflomal", "eflomal-align").align([SentencePair("a b", "c d")])
