"""Every periodic job on one screen."""
