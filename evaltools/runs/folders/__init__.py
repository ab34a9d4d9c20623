"""The folder of a run: parts, digests, checks, and its tables as a database."""
