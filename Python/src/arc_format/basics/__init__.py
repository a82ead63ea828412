"""The words that all rooms use: errors with the Spec's codes, and limits."""
