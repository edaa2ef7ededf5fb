"""Parallel text, streamed and counted on all cores."""
