"""`cmd:COMMAND`: a program that reads one source per line and writes one translation per line. No shell."""

from __future__ import annotations

import hashlib
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from mtprobe.backends.protocols import LONE_SURROGATE, LanguagePair, OpenRequest, is_encodable, languages_from
from mtprobe.errors import Failure, ModelError
from mtprobe.system.programs import run_program
from mtprobe.system.secrets import without_secrets

_TAIL = 500  # characters of the program's stderr that an error quotes


class CommandBackend:
    """Starts the program once per chunk, so that one that buffers its output cannot block."""

    chunk = 2000

    def __init__(self, words: Sequence[str], program: Path, languages: LanguagePair) -> None:
        self.languages = languages
        self._words = words
        status = program.stat()
        described = "\0".join([*words, str(status.st_size), str(status.st_mtime_ns)])
        self.fingerprint = f"cmd:{hashlib.sha256(described.encode()).hexdigest()[:12]}:{languages}"

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        encodable = [source for source in sources if is_encodable(source)]
        translations = iter(self._lines(encodable) if encodable else [])
        return [next(translations) if is_encodable(source) else LONE_SURROGATE for source in sources]

    def _lines(self, sources: Sequence[str]) -> list[str]:
        lines = [" ".join(source.split()) for source in sources]
        try:
            done = run_program(self._words, "".join(f"{line}\n" for line in lines).encode())
        except OSError as error:
            raise ModelError(f"cmd:{self._words[0]} cannot be started: {error.strerror}") from None
        stderr = without_secrets(done.stderr.decode(errors="replace").strip())[-_TAIL:]
        quoted = f": {stderr}" if stderr else ""
        if done.returncode:
            how = f"exit code {done.returncode}" if done.returncode > 0 else f"signal {-done.returncode}"
            raise ModelError(f"cmd:{self._words[0]} died ({how}){quoted}")
        try:
            outputs = done.stdout.decode().removesuffix("\n").split("\n")
        except UnicodeDecodeError:
            raise ModelError(f"cmd:{self._words[0]} wrote output that is not UTF-8") from None
        if len(outputs) != len(lines):
            raise ModelError(
                f"cmd:{self._words[0]} wrote {len(outputs)} lines for {len(lines)} sources{quoted}"
            )
        return [line.rstrip("\r") for line in outputs]


def open_command(rest: str, request: OpenRequest) -> CommandBackend:
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise ModelError(f"cmd: cannot parse the command: {error}") from None
    if not words:
        raise ModelError("cmd: needs a command, for example cmd:apertium -u eng-spa")
    program = shutil.which(words[0])
    if program is None:
        raise ModelError(f"cmd: there is no program “{without_secrets(words[0])}”")
    return CommandBackend(words, Path(program), languages_from(request, f"cmd:{words[0]}"))
