"""Every periodic job: when it runs and what it does, on one screen."""
