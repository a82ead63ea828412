"""The mapping from columns to Arrow. The README contains it as a table."""
