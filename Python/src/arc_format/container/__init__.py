"""Spec 02: header, segments, compression, trailer, index, metadata."""
