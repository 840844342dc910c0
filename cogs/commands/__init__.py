"""Commands on Discord: typed, slash, under Apps, button or menu; each carried out by `bot.commands`."""
