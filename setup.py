"""Puts the suites of the source tree into the wheel, as `mtprobe/shipped`; everything else is in pyproject.toml.

An editable install needs no copy: `mtprobe.suite.shipped` finds `suites/` beside the package.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithSuites(build_py):
    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            shipped = Path(self.build_lib) / "mtprobe" / "shipped"
            shutil.rmtree(shipped, ignore_errors=True)  # what an earlier build left there
            shutil.copytree("suites", shipped, ignore=shutil.ignore_patterns(".*", "__pycache__"))


setup(cmdclass={"build_py": BuildWithSuites})
