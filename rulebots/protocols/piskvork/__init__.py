"""The protocol of Piskvork and the Gomocup tournaments: gomoku engines ("brains") and the managers that run them.

https://plastovicka.github.io/protocl2en.htm. One command a line; points are `x,y` from 0, `0,0` at the upper left.
"""
