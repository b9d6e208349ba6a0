"""Reading matches and decks, and saying things in the reader's language."""
