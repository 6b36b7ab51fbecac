"""Playing cards of diagrams."""

from rulebots.output.diagram import Diagram

#: How high a card is beside its width, and how much of a covered one is seen below its upper edge.
RATIO = 1.4
SEEN = 0.42


def draw_card(
    diagram: Diagram, x: float, y: float, wide: float, ground: str, rank: str, symbol: str, look: str
) -> None:
    """A card by its upper left corner: rank and symbol of its suit along its upper edge, the symbol in the middle."""
    diagram.rectangle(x, y, wide, RATIO * wide, ground, wide / 10)
    diagram.text(x + wide / 12, y + SEEN / 2 * wide, rank, 0.34 * wide, look, "start")
    diagram.symbol(x + 0.82 * wide, y + SEEN / 2 * wide, 0.22 * wide, symbol, look)
    diagram.symbol(x + wide / 2, y + 0.9 * wide, wide / 2, symbol, look)


def draw_slot(diagram: Diagram, x: float, y: float, wide: float, symbol: str) -> None:
    """Where a card of a suit would lie."""
    diagram.rectangle(x, y, wide, RATIO * wide, "empty", wide / 10)
    diagram.symbol(x + wide / 2, y + RATIO / 2 * wide, wide / 3, symbol, "faint")
