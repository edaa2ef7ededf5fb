"""How paths of shipped suites are shown."""

from __future__ import annotations

import pytest

from mtprobe.suite.shipped import shipped_suite, shown_path


@pytest.mark.parametrize(
    "path",
    [
        "/home/me/.venv/lib/python3.12/site-packages/mtprobe/shipped/gender/neutral.mt.yaml",
        "C:\\venv\\Lib\\site-packages\\mtprobe\\shipped\\gender\\neutral.mt.yaml",
        str(shipped_suite("gender/neutral")),
    ],
)
def test_a_shipped_suite_is_shown_by_its_name_wherever_mtprobe_is_installed(path):
    assert shown_path(path) == "mtprobe:gender/neutral.mt.yaml"


@pytest.mark.parametrize("path", ["suites/gender/neutral.mt.yaml", "/home/me/mine/a.mt.yaml", ""])
def test_any_other_path_is_shown_as_it_is(path):
    assert shown_path(path) == path
