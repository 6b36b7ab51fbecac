"""Lost Cities, by Reiner Knizia: expeditions of rising cards, each of which costs 20 points.

Two players lay cards on expeditions, one for each of five suits. A suit has cards from 2 to 10 and three investments.

- First play a card or discard one. On an expedition each number must be higher than the one before it, and investments
  come before all numbers. A discard goes on the pile of its suit.
- Then draw a card: from the deck, or the top card of a pile, but not the card that you have just discarded.
- The game ends when the last card of the deck is drawn.

An expedition that you have begun costs 20 points. Its numbers are added up, and each investment on it multiplies the
result once more: by 2, 3 or 4, even below zero. Eight cards or more bring another 20 points. An expedition that you
have not begun counts nothing.

You see the piles and all expeditions, but neither your opponent's hand nor the deck.
"""
