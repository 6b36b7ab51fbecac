"""Hearts: take no hearts and not the queen of spades, or take them all.

Four play, each against the others, with 13 cards each. Few penalty points are good.

- First you pass three cards to another player, as the deal says: to the left, across, to the right, or not at all. You
  choose before you see what you get.
- Who has the two of clubs leads it. The others follow suit if they can, and may play any card if they cannot. The
  highest card of the suit that was led takes the trick, and its owner leads to the next one.
- In the first trick nobody plays a heart or the queen of spades. Hearts cannot be led before one of them has fallen.
  Neither holds if you have nothing else.
- Each heart that you take costs 1 point, and the queen of spades costs 13.
- Who takes all of them has shot the moon: it pays nothing, and each of the others pays 26.

A game here is one deal.
"""
