"""How are the pages of a documentation crawler read: JSON with fields and Markdown?"""

from stacks.sources.crawled.crawled_page import decode_page, is_crawled_page, read_crawled_page

__all__ = ["decode_page", "is_crawled_page", "read_crawled_page"]
