"""What changes people, classes and lessons. Each checks access first and tells others last."""
