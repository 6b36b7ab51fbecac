"""Play over the network: the server and client of the Lost Cities quiz, and a client of Kalah servers.

A server is called with `HostSettings`, a client with an address and `NetworkSettings`.
"""
