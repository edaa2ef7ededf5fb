"""The power of suites, by mutation testing: which errors their gates catch, and from which rate on."""
