"""Hearts: take no hearts and not the queen of spades, or take them all.

Four players, each against the others, with 13 cards each. Low scores are good.

- First pass three cards to another player, as the deal says: to the left, across, to the right, or not at all. Choose
  them before you see what you receive.
- The holder of the two of clubs leads it. The others follow suit if they can, and play any card if they cannot. The
  highest card of the suit led takes the trick, and its owner leads the next one.
- No heart and no queen of spades on the first trick, and no lead of hearts before one of them has fallen, unless you
  have nothing else.
- Each heart that you take costs 1 point, and the queen of spades costs 13.
- If you take all of them, you have shot the moon: you pay nothing, and each of the others pays 26.

A game here is one deal.
"""
