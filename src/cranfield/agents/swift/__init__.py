"""Names in Swift answers, as far as symbol graphs reach."""
