"""Can't Stop: roll four dice, climb two columns, and stop before a roll fits nowhere. For one to four.

The board has a column for each sum of two dice, from 2 to 12. Who first wins three columns wins the game.

- Roll four dice, and put them together in two pairs. In the columns of both sums your runners climb one space. The same
  sum twice climbs two spaces.
- You have three runners. A new one enters a space above what you have climbed in that column before. If both sums need
  a new runner and only one is left, you choose.
- Then decide. Stop, and you keep what your runners have climbed. Or roll again, and climb on.
- If no pair of a roll can advance a runner, you are bust: all that this turn has climbed is lost, and the next player
  rolls.
- Stop on the top of a column to win it. It is closed then: nobody climbs it any more, and what others had climbed there
  is gone.

Sums near 7 come often, but their columns are long. The sums 2 and 12 are rare, and their columns have three spaces.
Alone, you need as few turns as you can.
"""
