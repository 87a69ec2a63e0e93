"""Find which lines of two drawings mean the same path, by their crossings."""

from itertools import combinations


def crosses(first, second):
    """Do two straight pieces cross? Touching ends do not count."""

    def side(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    (a, b), (c, d) = first, second
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def crossing_table(paths):
    """For each name, the set of names it crosses."""
    table = {name: set() for name in paths}
    for (left, one), (right, other) in combinations(paths.items(), 2):
        if any(crosses(p, q) for p in zip(one, one[1:]) for q in zip(other, other[1:])):
            table[left].add(right)
            table[right].add(left)
    return table


def agreement(left, right):
    """Share of crossings that two drawings have in common."""
    names = set(left) & set(right)
    same = sum(len(left[name] & right[name]) for name in names)
    all_of_them = sum(len(left[name] | right[name]) for name in names)
    return same / all_of_them if all_of_them else None
