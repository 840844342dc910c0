"""Tags a text by subject and kind of work, and tells small talk and noise."""
