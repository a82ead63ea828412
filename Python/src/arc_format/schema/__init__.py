"""Spec 03 and 09: the class table, columns and their types."""
