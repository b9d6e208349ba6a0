"""What pages of the bank ask for. Services judge; a form only reads."""
