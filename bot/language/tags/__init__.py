"""Tags a text by subject and kind of work, and recognises small talk and noise."""
