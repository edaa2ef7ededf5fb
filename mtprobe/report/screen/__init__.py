"""The default output of a pytest run: one screen. `-v` shows `report.terminal` instead."""
