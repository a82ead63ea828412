"""Spec 14: archives that belong together, their manifest, and links between them."""
