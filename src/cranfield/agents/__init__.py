"""Agents: tasks for coding agents, and what is right and wrong in their answers."""
