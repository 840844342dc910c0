"""The text of files people attach: what a file is, how it is read, and where its text is kept."""
