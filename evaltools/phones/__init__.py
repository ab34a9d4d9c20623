"""The server that phones of a class talk to: one question, one's own answer, and nothing else of the app."""
