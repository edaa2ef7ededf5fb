"""What a pytest run shows by default: one screen. `-v` shows `report.terminal` instead."""
