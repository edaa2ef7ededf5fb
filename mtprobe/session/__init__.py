"""One pytest session that runs suites: what it was asked for, what it knows, how it is stopped and shared among workers."""
