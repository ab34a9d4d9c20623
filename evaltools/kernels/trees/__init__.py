"""Kernels of tree distance, lineages and yields."""
