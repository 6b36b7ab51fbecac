"""Bridges to other libraries: PettingZoo and OpenSpiel."""
