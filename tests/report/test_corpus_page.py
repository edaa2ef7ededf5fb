"""The page of a corpus study, in a real browser"""

from __future__ import annotations

import pytest

from mtprobe.cli import main

from .tabs import barriers, tab, width_of

OCCUPATIONS = """\
occupations:
  doctor: {male: Arzt, female: Ärztin}
  nurse: {male: Pfleger, female: [Pflegerin, Krankenschwester]}
"""


@pytest.fixture
def page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.yaml").write_text(OCCUPATIONS, encoding="utf-8")
    (tmp_path / "en").write_text("The doctor came.\nA doctor.\nThe nurse came.\n", encoding="utf-8")
    (tmp_path / "de").write_text("Die Ärztin kam.\nEin Arzt.\nDas Personal kam.\n", encoding="utf-8")
    (tmp_path / "teacher").write_text("Der Arzt kam.\nEin Arzt.\nDer Pfleger kam.\n", encoding="utf-8")
    assert main(["genders", "--occupations", "jobs.yaml", "en", "de", "teacher", "--html", "page.html"]) == 0
    return tmp_path / "page.html"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_barrier(chromium, page, scheme):
    with tab(chromium, page, color_scheme=scheme) as shown:
        assert barriers(shown) == []


def test_every_version_and_every_occupation_has_a_bar(chromium, page):
    with tab(chromium, page, viewport={"width": 400, "height": 800}) as shown:
        assert width_of(shown) <= 400
        assert shown.locator("tbody .stacked").count() == 4
        widths = [
            float(part.get_attribute("width"))
            for part in shown.locator("tbody .stacked").nth(1).locator("rect").all()
        ]
        assert widths == [1, 0, 0]
