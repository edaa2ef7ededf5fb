"""Cores, processes, files: nothing here is specific to translation."""
