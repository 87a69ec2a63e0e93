"""What is to be shown of a run, a comparison, a gate …: one function each makes a report of it."""
