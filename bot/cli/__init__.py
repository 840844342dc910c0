"""What a person starts from a shell: terminal, Discord service, doctor, demo, detect and evaluation."""
