"""Export and import: what a space holds as JSON lines, out of one database and into another.

The format is described in docs/EXPORT.md; what was forgotten is never exported.
"""

from bot.transfer.exporting import export_to
from bot.transfer.importing import import_from

__all__ = ["export_to", "import_from"]
