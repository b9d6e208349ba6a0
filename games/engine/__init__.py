"""What every game of the platform is made of.

Pure: no clock, no input or output, no randomness of its own, no Django. A game
is a value that turns frozen states, moves and chance into new states and events.
"""
