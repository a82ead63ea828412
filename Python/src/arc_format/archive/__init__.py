"""Open archives and data sets, and the queries of a program."""
