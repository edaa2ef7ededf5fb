"""A file is complete or as it was before"""

from __future__ import annotations

import pytest

from mtprobe.system.atomic import replacing, write_text


def test_a_file_is_replaced(tmp_path):
    path = tmp_path / "new" / "file.txt"
    write_text(path, "before")
    write_text(path, "after\n")
    assert path.read_bytes() == b"after\n"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_after_an_error_the_file_is_as_before(tmp_path, error):
    path = tmp_path / "file.txt"
    write_text(path, "before")
    with pytest.raises(error), replacing(path) as unfinished:  # noqa: PT012 - half of it is written
        unfinished.write_text("half")
        raise error
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
