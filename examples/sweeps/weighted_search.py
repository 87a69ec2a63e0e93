"""stacks with other weights: answers queries line by line, for `cranfield sweep`.

    python weighted_search.py INDEX name=6 column.summary=2 …

A name is a row of the engine's table of weights (src/stacks/query/weights.py). The engine reads the
table when it is imported, so the rows are set before.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any


def _load_weights() -> Any:
    """Load the table of weights before anything of the engine reads it."""
    package = importlib.util.find_spec("stacks")
    if package is None or package.submodule_search_locations is None:
        sys.exit("stacks is not installed")
    file = Path(package.submodule_search_locations[0]) / "query" / "weights.py"
    spec = importlib.util.spec_from_file_location("stacks.query.weights", file)
    if spec is None or spec.loader is None:
        sys.exit(f"{file} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _set_weights(given: dict[str, float]) -> None:
    """Set rows of the table."""
    weights = _load_weights().WEIGHTS
    for name, value in given.items():
        if name not in weights:
            sys.exit(f"there is no weight {name!r}; there are {', '.join(weights)}")
        weights[name] = weights[name]._replace(value=value)


def main() -> None:
    """Answer each line with the hits of a query."""
    index, *pairs = sys.argv[1:]
    _set_weights({name: float(value) for name, _, value in (pair.partition("=") for pair in pairs)})
    import stacks

    opened = stacks.open(Path(index))
    for line in sys.stdin:
        asked = json.loads(line)
        filters = stacks.Filters.read(asked.get("filters") or {})
        found = opened.search(asked["query"], stacks.SearchOptions(asked["k"], filters))
        hits = [{**hit.as_dict(), "uri": hit.uri, "text": hit.summary} for hit in found]
        sys.stdout.write(json.dumps({"hits": hits, "route": found.route}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
