"""The command `arc-format`, with a file for each of its subcommands."""
