"""The line protocol of Ruby Quiz 51, Lost Cities: as the quiz's server and client speak it, byte for byte."""
