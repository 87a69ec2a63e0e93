"""How are folders of Markdown read: proposals, books, sites, handbooks?"""

from stacks.sources.markdown.markdown_source import MarkdownSource

__all__ = ["MarkdownSource"]
