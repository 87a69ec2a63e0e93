"""Receives packets from the roof and keeps them."""
