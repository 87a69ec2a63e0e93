"""How is DocC render JSON read?"""

from stacks.sources.docc.docc_source import DocCSource, uri_of

__all__ = ["DocCSource", "uri_of"]
