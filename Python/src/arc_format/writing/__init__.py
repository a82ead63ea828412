"""Conversion of Arrow tables to archives, the reverse of `tables`."""
