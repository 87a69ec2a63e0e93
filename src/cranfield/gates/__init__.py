"""Is it good enough to merge? Thresholds, baselines, and rules over a comparison."""
