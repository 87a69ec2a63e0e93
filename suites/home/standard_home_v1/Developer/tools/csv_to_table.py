"""Print a CSV file as a table that fits the window."""

import csv
import sys

rows = list(csv.reader(sys.stdin))
widths = [max(len(row[column]) for row in rows if column < len(row)) for column in range(len(rows[0]))]
for number, row in enumerate(rows):
    print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    if number == 0:
        print("  ".join("-" * width for width in widths))
