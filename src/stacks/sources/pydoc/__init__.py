"""How is the documentation of Python code read, without running it?"""
