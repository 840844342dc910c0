"""The subcommands of `hathi`: terminal chat, Discord service, doctor, demo, detect and evaluation."""
