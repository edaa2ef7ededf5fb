"""`python -m mtprobe VERB`, for systems where the script `mtprobe` is not on the PATH."""

from mtprobe.cli import main

raise SystemExit(main())
