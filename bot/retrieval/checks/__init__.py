"""What an answer is held against what was found: one module for each kind of lie, all of them pure."""
