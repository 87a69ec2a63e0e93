"""Names in Python answers: found, missing, of another version, or unknown."""
