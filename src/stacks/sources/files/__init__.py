"""How are a desktop's files read? Always by name, by content if that is text and safe."""
