"""Two runs of the same suites: what can be compared, and what changed."""
