"""What changes the bank."""
