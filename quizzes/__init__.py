"""Question bank, question sets and checks."""
