"""Arrays in, arrays out: the inner loops, compiled by numba.

Nothing here knows about files, labels as strings, or metrics. Every kernel releases the GIL, is
cached on disk, and has its argument types pinned so that a stray literal compiles no second version.
A kernel is loaded, and numba with it, at its first call.
"""
