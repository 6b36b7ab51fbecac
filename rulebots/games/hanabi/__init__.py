"""Hanabi, by Antoine Bauza: build five fireworks together, each seeing all hands but its own.

All play together and have the same points. There are five colours, and each firework grows from 1 to 5 in one colour.
You see the cards of the others, but not your own. In your turn do one of these:

- Hint: tell another player which of its cards have one colour, or which have one number. It costs a token.
- Discard a card. It brings a token back, up to eight.
- Play a card. If it is the next one of its colour, the firework grows, and a 5 brings a token. If not, the card is
  gone, and you lose one of three lives.

After a discard or a play you draw a card. Each colour has three 1s, two 2s, 3s and 4s, and only one 5. When the deck
has run out, each player has one more turn. The points are the cards that were played, 25 at most. If the third life is
lost, all points are lost.

Below a hand stands what its owner knows of it.
"""
