"""Puts a run's summary onto a pull request: creates a comment, or updates the one that an earlier run created.

Used by action.yml. The comment begins with a marker, which no reader sees, and which it is found by.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

MOST_CHARACTERS = 60_000  # GitHub takes 65,536


def main(summary: Path) -> int:
    repository, number = os.environ["REPOSITORY"], os.environ["PULL_REQUEST"]
    name = re.sub(r"[^\w.-]+", "-", os.environ["COMMENT_ID"])
    marker = f"<!-- mtprobe: {name} -->"
    body = json.dumps({"body": f"{marker}\n{text_of(summary)}"})
    try:
        comment = existing(f"repos/{repository}/issues/{number}/comments", marker)
        if comment is None:
            gh("--method", "POST", f"repos/{repository}/issues/{number}/comments", body=body)
        else:
            gh("--method", "PATCH", f"repos/{repository}/issues/comments/{comment}", body=body)
    except (OSError, subprocess.CalledProcessError) as error:
        # Pull requests from forks get a token that may only read. The gates have their own exit code.
        reason = (getattr(error, "stderr", "") or str(error)).strip().replace("\n", " ")
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
    fields = ".[] | {id, body, type: .user.type, login: .user.login}"
    comments = [json.loads(line) for line in gh("--paginate", path, "--jq", fields).splitlines()]
    marked = [comment for comment in comments if comment["body"].startswith(marker)]
    owner = owner_of_token() if marked else ""
    for comment in marked:
        if comment["type"] == "Bot" or (owner and comment["login"] == owner):
            return int(comment["id"])
    return None


def owner_of_token() -> str:
    """The user whose personal token it is; empty for the job's own token, which may not ask."""
    try:
        return gh("user", "--jq", ".login").strip()
    except subprocess.CalledProcessError:
        return ""


def gh(*args: str, body: str = "") -> str:
    given = ["--input", "-"] if body else []
    command = ["gh", "api", *args, *given]
    return subprocess.run(command, input=body, text=True, capture_output=True, check=True).stdout


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
