"""Live play: sockets, the writer of moves, the hub of a process, its clock."""
