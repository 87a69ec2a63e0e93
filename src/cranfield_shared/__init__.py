"""What cranfield and stacks share and neither owns: names, files, text, secrets, signals."""
