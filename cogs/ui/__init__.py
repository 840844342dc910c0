"""Buttons, menus, forms, embeds and the options of slash commands."""
