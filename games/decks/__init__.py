"""Starter boards and decks that every installation comes with, one folder a game."""
