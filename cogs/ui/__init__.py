"""Buttons, menus, forms, messages of components and the options of slash commands."""
