"""Links into the sample browser, as its script reads them."""

from __future__ import annotations

from urllib.parse import urlencode

from mtprobe.records import SuiteRun


def address(suite: SuiteRun, **facets: str) -> str:
    """The samples of a suite run, narrowed by further facets: `outcome`, `category`, `text` …"""
    query = {"suite": suite.suite, "model": suite.model.name, "method": suite.method, **facets}
    return "#samples?" + urlencode(query, errors="replace")
