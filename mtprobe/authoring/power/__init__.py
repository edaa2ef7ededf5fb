"""The power of suites: which errors their gates catch, and from which rate on. Suites are tested by mutation."""
