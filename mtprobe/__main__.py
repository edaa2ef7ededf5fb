"""`python -m mtprobe VERB`, where the script `mtprobe` is not on the PATH."""

from mtprobe.cli import main

raise SystemExit(main())
