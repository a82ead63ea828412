"""Arrow tables to archives: the other direction of `tables`."""
