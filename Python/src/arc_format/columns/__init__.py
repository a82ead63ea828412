"""Spec 04: what segments hold. Chunks are cut and checked here, and their values given as numpy arrays."""
