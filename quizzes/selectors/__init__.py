"""What is read from the bank."""
