"""How is DocC render JSON read?"""

from stacks.sources.docc.docc_source import DocCSource, make_docc_uri

__all__ = ["DocCSource", "make_docc_uri"]
