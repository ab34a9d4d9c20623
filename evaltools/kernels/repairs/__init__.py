"""Kernels of the repair of one tree into another."""
