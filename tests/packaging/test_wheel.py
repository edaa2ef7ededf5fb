"""What the wheel and the source distribution contain"""

from __future__ import annotations

import tarfile
import zipfile

import pytest

from tests.conftest import ROOT
from tests.packaging.conftest import build


def names_in(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_carries_every_file_of_the_suites(wheel):
    files = {
        path.relative_to(ROOT / "suites").as_posix()
        for path in (ROOT / "suites").rglob("*")
        if path.is_file()
    }
    shipped = {
        name.removeprefix("mtprobe/shipped/")
        for name in names_in(wheel)
        if name.startswith("mtprobe/shipped/")
    }
    assert shipped == files


def test_the_wheel_carries_every_file_of_the_package(wheel):
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "mtprobe").rglob("*") if path.is_file()}
    assert {file for file in files if "__pycache__" not in file} - names_in(wheel) == set()


def test_the_wheel_has_one_package_and_no_tests(wheel):
    assert {name.partition("/")[0] for name in names_in(wheel)} == {"mtprobe", "mtprobe-0.1.0.dist-info"}


@pytest.mark.slow
def test_the_source_distribution_builds_the_same_wheel(wheel, source_tree, tmp_path):
    with tarfile.open(build("sdist", source_tree, tmp_path)) as archive:
        archive.extractall(tmp_path, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    again = build("wheel", tmp_path / "mtprobe-0.1.0", tmp_path)
    assert names_in(again) == names_in(wheel)
