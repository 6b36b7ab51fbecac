"""Can't Stop: roll four dice, climb two columns, and stop before a roll fits nowhere. For one to four.

The board has a column for each sum of two dice, from 2 to 12. The first player to win three columns wins the game.

- Roll four dice and pair them. In the columns of both sums your runners climb one space; the same sum twice climbs two
  spaces.
- You have three runners. A new one enters a space above what you have climbed in that column before. If both sums need
  a new runner and only one is left, choose.
- Then decide: stop and keep what your runners have climbed, or roll again and climb on.
- If no pair of a roll can advance a runner, you are bust: you lose all that this turn has climbed, and the next player
  rolls.
- Stop on the top of a column to win it. The column is then closed: nobody climbs it any more, and what others had
  climbed there is lost.

Sums near 7 come often, but their columns are long. The sums 2 and 12 are rare, and their columns have three spaces.
Alone, finish in as few turns as you can.
"""
