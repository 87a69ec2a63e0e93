"""Measure where a Python program spends its CPU time and its memory.

    python performance_profiler.py --top 15 slow_script.py

Prints the functions with the most own time, then the lines that allocated the most.
"""

import argparse
import cProfile
import pstats
import runpy
import sys
import time
import tracemalloc


def profile(script, arguments):
    """Run the script under both profilers and return what they saw."""
    sys.argv = [script, *arguments]
    cpu = cProfile.Profile()
    tracemalloc.start(10)
    started = time.perf_counter()
    cpu.enable()
    try:
        runpy.run_path(script, run_name="__main__")
    finally:
        cpu.disable()
        wall = time.perf_counter() - started
        memory = tracemalloc.take_snapshot()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return cpu, memory, wall, peak


def hot_functions(cpu, top):
    pstats.Stats(cpu).sort_stats("tottime").print_stats(top)


def greedy_lines(memory, top):
    for entry in memory.statistics("lineno")[:top]:
        print(f"{entry.size / 1024:9.1f} KiB  {entry.count:7d} blocks  {entry.traceback[0]}")


def main():
    parser = argparse.ArgumentParser(description="Find the slow and the greedy parts of a script.")
    parser.add_argument("--top", type=int, default=10)
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    cpu, memory, wall, peak = profile(options.script, options.arguments)
    print(f"wall {wall:.2f} s, peak memory {peak / 2**20:.1f} MiB\n")
    hot_functions(cpu, options.top)
    greedy_lines(memory, options.top)


if __name__ == "__main__":
    main()
