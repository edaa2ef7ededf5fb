"""Parallel text: read as a stream, counted on all cores."""
