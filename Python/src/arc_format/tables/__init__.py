"""The mapping from columns to Arrow. The README has it as a table."""
