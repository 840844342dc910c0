"""Layouts of components: lists, panels, buttons, menus and forms; and the options of slash commands."""
