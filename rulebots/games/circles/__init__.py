"""Circle elimination: a triangle of stones, from which lines of adjacent ones are taken in turn.

Stones stand in a triangle: one in the first row, two in the second, and so on. Two players take turns.

- Take one stone, or two or three that lie side by side on a straight line: along a row, down a column, or down the
  diagonal to the right.
- A gap ends a line: you cannot take stones from both sides of it in one move.
- The player who takes the last stone wins.

Choose a stone, then the other end of the line; for a single stone, choose it twice. When the board has fallen into
parts that no line joins, look for a move that leaves the parts in pairs, then answer each move with its twin.
"""
