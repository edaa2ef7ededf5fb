"""The machine: cores, processes, files. Nothing here knows of translation."""
