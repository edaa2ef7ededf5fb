"""Puts a run's summary onto a pull request: creates a comment, or updates the one that an earlier run created.

Used by action.yml. The comment begins with a marker, which no reader sees, and which it is found by. Asks the API that
GITHUB_API_URL names, so that it works on GitHub Enterprise and on runners without `gh` too.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

MOST_CHARACTERS = 60_000  # GitHub takes 65,536
PER_PAGE = 100  # the most that GitHub returns
SECONDS = 30  # per request


def main(summary: Path) -> int:
    repository, number = os.environ["REPOSITORY"], os.environ["PULL_REQUEST"]
    name = re.sub(r"[^\w.-]+", "-", os.environ["COMMENT_ID"])
    marker = f"<!-- mtprobe: {name} -->"
    body = {"body": f"{marker}\n{text_of(summary)}"}
    try:
        comment = existing(f"/repos/{repository}/issues/{number}/comments", marker)
        if comment is None:
            ask("POST", f"/repos/{repository}/issues/{number}/comments", body)
        else:
            ask("PATCH", f"/repos/{repository}/issues/comments/{comment}", body)
    except (OSError, HTTPException, ValueError) as error:
        # Pull requests from forks get a token that may only read. The gates have their own exit code.
        reason = " ".join(str(error).split()).replace("%", "%25")
        sys.stdout.write(f"::warning title=mtprobe::the pull request could not be commented on: {reason}\n")
    return 0


def text_of(summary: Path) -> str:
    """The summary, cut to what a comment may hold, and where the rest is."""
    run = os.environ["RUN_URL"]
    if not summary.is_file():
        return f"mtprobe wrote no summary: see [the run]({run})."
    text = summary.read_text(encoding="utf-8")
    if len(text) > MOST_CHARACTERS:
        text = text[:MOST_CHARACTERS].rpartition("\n")[0] + "\n\n… and more"
    return f"{text.rstrip()}\n\n[The run, with record and report]({run})\n"


def existing(path: str, marker: str) -> int | None:
    """The id of the comment with the marker, if a bot or the token's owner wrote it: anybody may write the marker."""
    marked = [comment for comment in comments(path) if (comment["body"] or "").startswith(marker)]
    owner = owner_of_token() if marked else ""
    for comment in marked:
        user = comment["user"] or {}  # none where the account was deleted
        if user.get("type") == "Bot" or (owner and user.get("login") == owner):
            return int(comment["id"])
    return None


def comments(path: str) -> Iterator[Any]:
    page: list[Any] = [None] * PER_PAGE
    number = 0
    while len(page) == PER_PAGE:
        number += 1
        page = ask("GET", f"{path}?per_page={PER_PAGE}&page={number}")
        yield from page


def owner_of_token() -> str:
    """The user whose personal token it is; empty for the job's own token, which may not ask."""
    try:
        return str(ask("GET", "/user")["login"])
    except HTTPError:
        return ""


def ask(method: str, path: str, body: Any = None) -> Any:
    """What the API answers; HTTPError if it refuses."""
    headers = {
        "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
        "Accept": "application/vnd.github+json",
        "Content-Type": "application/json",
    }
    data = None if body is None else json.dumps(body).encode()
    request = Request(os.environ["GITHUB_API_URL"] + path, data, headers, method=method)
    with urlopen(request, timeout=SECONDS) as answer:
        return json.load(answer)


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
