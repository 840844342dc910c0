"""Everything a person starts from a shell: the terminal, the Discord service, doctor, demo, detect and evaluation."""
