"""Audit pairs: can an evaluator distinguish the readings? Measured on translations of known reading."""
