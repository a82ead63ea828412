"""Spec 04: the content of segments. Reads and checks chunks, and returns their values as numpy arrays."""
