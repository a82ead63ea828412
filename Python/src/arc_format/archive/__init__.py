"""Archives and data sets, opened: what a program asks them."""
