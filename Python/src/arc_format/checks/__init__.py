"""Spec 05.4, steps 8 and 9: the checks that a whole file is sound."""
