"""Commands on Discord: typed, slash, button or menu; each carried out by `bot.commands`."""
