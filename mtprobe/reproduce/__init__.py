"""Published tables with our figures next to the printed ones.

One module per test set: its suites in `settings/` are the published procedure, `printed/` has the figures of the papers.
"""
