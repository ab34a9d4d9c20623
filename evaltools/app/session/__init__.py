"""What the reader has open and has chosen: runs, jobs, the URL, and what was read of a run."""
