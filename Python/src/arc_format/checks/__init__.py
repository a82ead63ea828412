"""Spec 05.4, steps 8 and 9: whether a file as a whole is sound."""
