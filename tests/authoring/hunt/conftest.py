"""A suite about numbers, and a model that gets large ones wrong: real parts, and every sentence that is asked is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import pytest

from mtprobe.authoring.hunt.ask import Asker, Limits
from mtprobe.authoring.hunt.search import Hunt, Search
from mtprobe.backends.protocols import LanguagePair
from mtprobe.plan import Planner, open_models
from mtprobe.progress import Silent
from mtprobe.settings import read_settings

NUMBERS = ["18", "148", "999", "1,250", "12,480", "45,000", "640,000", "2,200,112", "1,500,340"]
SUITE = f"""\
mtprobe: 1
name: numbers
about: Do numbers survive?
languages: {{source: en, targets: any}}
method: preserve
preserve: numbers
gates: {{accuracy: ">= 0.95"}}
slots:
  number: [{", ".join(f'"{number}"' for number in NUMBERS)}]
  what: [cars, old bicycles, houses]
generate:
  - source: "[Last year] the shop [on the corner] sold <{{number}}> {{what}} to our neighbours."
  - source: "They sold <{{number}}> {{what}} [again]."
take: 6
"""


WORDS = {
    "Last year the shop": "No ano passado, a loja",
    "The shop": "A loja",
    "on the corner": "da esquina",
    "They sold": "Eles venderam",
    "sold": "vendeu",
    "cars": "carros",
    "old bicycles": "bicicletas velhas",
    "houses": "casas",
    "to our neighbours": "aos nossos vizinhos",
    "again": "de novo",
}


def every_sentence() -> set[str]:
    """Written out by hand: what the templates can make."""
    return {
        f"{start} shop{where} sold {number} {what} to our neighbours."
        for start, where, number, what in product(
            ["Last year the", "The"], [" on the corner", ""], NUMBERS, ["cars", "old bicycles", "houses"]
        )
    } | {
        f"They sold {number} {what}{more}."
        for number, what, more in product(NUMBERS, ["cars", "old bicycles", "houses"], [" again", ""])
    }


class Shop:
    """Translates into Portuguese, more or less; `breaks` says which sentences lose their number."""

    fingerprint = "shop-1"
    languages = LanguagePair("en", "pt")

    def __init__(self, breaks: Callable[[int, str], bool]) -> None:
        self._breaks = breaks
        self.asked: list[str] = []

    def translate(self, sources: Sequence[str]) -> list[str]:
        self.asked += sources
        return [self._translation(source) for source in sources]

    def _translation(self, source: str) -> str:
        number = int(re.sub(r"\D", "", source))
        shown = "muitos" if self._breaks(number, source) else f"{number:,}".replace(",", ".")
        text = re.sub(r"[\d,]+\d|\d+", shown, source)
        for english, portuguese in WORDS.items():
            text = text.replace(english, portuguese)
        return text


@pytest.fixture(scope="session")
def suite(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("numbers") / "numbers.mt.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def hunted(suite) -> Callable[..., Hunt]:
    def hunted(model: Shop, budget: int = 100, seed: int = 0, causes: int = 5) -> Hunt:
        settings = read_settings()
        models = open_models(settings, model=model)
        planner = Planner(settings, models, has_baseline=False)
        asker = Asker(
            planner.plan_suite(planner.load(suite), models.tested[0]), None, Silent(), Limits(budget)
        )
        search = Search(asker, seed, causes)
        return search.run(asker.fit())

    return hunted
