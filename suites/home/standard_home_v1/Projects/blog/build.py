"""Turn the posts into pages. Small on purpose."""

from pathlib import Path

import markdown
import yaml

TEMPLATE = Path("templates/post.html").read_text()


def read(path):
    _, head, body = path.read_text().split("---", 2)
    post = yaml.safe_load(head)
    post["slug"] = path.stem
    post["body"] = markdown.markdown(body, extensions=["fenced_code", "footnotes"])
    return post


def render(post, site):
    page = TEMPLATE
    for name, value in {**site, **{f"post.{key}": text for key, text in post.items()}}.items():
        page = page.replace("{{ " + name + " }}", str(value))
    return page


if __name__ == "__main__":
    site = yaml.safe_load(Path("config.yaml").read_text())
    for path in sorted(Path("posts").glob("*.md")):
        post = read(path)
        target = Path("out") / str(post["date"].year) / post["slug"] / "index.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(render(post, site))
