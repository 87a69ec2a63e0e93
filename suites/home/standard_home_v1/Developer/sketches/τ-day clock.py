"""A clock whose hand goes round once in tau hours."""

import math
import time

while True:
    turn = time.time() / 3600 % math.tau
    print(f"\r{turn:.4f} τ-hours", end="")
    time.sleep(1)
