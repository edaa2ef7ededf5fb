"""How often gates are wrong: each cell simulates one situation in which the truth is known.

`make test` runs a few cells briefly; `make soak` runs them all and writes the tables of docs/explanation/error-rates.md. To add
cells, write a module with a function that yields them, and name it in `everything.py`.
"""
