"""The command `arc-format`: a file for each of its commands."""
