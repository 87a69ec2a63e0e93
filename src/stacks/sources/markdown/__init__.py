"""How are folders of Markdown read: proposals, books, sites, handbooks?"""

from stacks.sources.markdown.source import MarkdownSource

__all__ = ["MarkdownSource"]
