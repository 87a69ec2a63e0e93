"""The known kinds of secret: keys and tokens that are recognised by how they are written.

A kind is recognised by a mark that its issuer gave it, never by looking random: identifiers,
hashes, UUIDs and images in base64 are not secrets. Both packages mask what is recognised, wherever
text of others is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Secret", "find_secrets", "mask_secrets", "name_secret"]


class Secret(NamedTuple):
    """A secret in a text: its kind, the secret itself, and where it is."""

    kind: str
    value: str
    start: int
    end: int


@dataclass(frozen=True)
class _Kind:
    """One kind: its name, the signs that every text with one contains, and its pattern.

    If the pattern has a group, that group is the secret and the rest is what it is recognised by.
    """

    name: str
    signs: tuple[str, ...]
    written: str
    is_word: bool = True

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(self.written)

    def find(self, text: str) -> Iterator[Secret]:
        if not any(sign in text for sign in self.signs):
            return
        group = 1 if self.pattern.groups else 0
        for match in self.pattern.finditer(text):
            # Inside a longer word, as in base64, the sign is there by chance. A lookbehind in
            # front of a pattern would make the search for it slow.
            if not (self.is_word and match.start() and _is_inside(text[match.start() - 1])):
                yield Secret(self.name, match[group], *match.span(group))


def _is_inside(before: str) -> bool:
    return before == "+" or (before.isascii() and before.isalnum())


_BEGIN = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_FINISH = r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_BETWEEN = r"(?:[\s>#*|\"'+,]|\\[nrt])"
"""What separates the lines of a key, quoted or as a literal of a program."""
_SIGNS_OF_A_KEY = ("PRIVATE KEY-----", "PRIVATE KEY BLOCK-----")
_WORD = re.compile(r"\S+")
_LINE = re.compile(r"[A-Za-z0-9+/=]+")
_LONG = 16
_LONGEST_KEY = 20_000
_LONG_LINE, _SHORT_LINE = r"[A-Za-z0-9+/=]{16,}+", r"[A-Za-z0-9+/=]{1,63}"
_END = r"(?![A-Za-z0-9+])"
_KINDS = (
    _Kind(
        "private-key",
        _SIGNS_OF_A_KEY,
        # A mark without a body is not a key. The end may have been cut off.
        rf"{_BEGIN}{_BETWEEN}*+(?:[A-Za-z-]{{4,40}}: [^\n\\]{{1,200}}{_BETWEEN}++)*+{_LONG_LINE}"
        rf"(?:{_BETWEEN}|{_LONG_LINE})*+(?:(?:{_SHORT_LINE}{_BETWEEN}++){{0,2}}{_FINISH})?",
        is_word=False,
    ),
    _Kind("aws-key-id", ("AKIA", "ASIA"), rf"A(?:KIA|SIA(?=[A-Z]*\d))[0-9A-Z]{{16}}{_END}"),
    _Kind(
        "aws-secret-key",
        ("SECRET_ACCESS_KEY", "secret_access_key", "ecretAccessKey"),
        r"(?i:secret_?access_?key)[\"']?\s{0,4}[:=]\s{0,4}[\"']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        is_word=False,
    ),
    _Kind("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9]{36,}"),
    _Kind("github-token", ("github_pat_",), r"github_pat_[A-Za-z0-9]{22}_?[A-Za-z0-9_]{20,}"),
    _Kind(
        "gitlab-token",
        ("glpat-", "gldt-", "glrt-", "glptt-", "glcbt-"),
        r"gl(?:pat|dt|rt|ptt|cbt)-[A-Za-z0-9_.-]{20,}",
    ),
    _Kind("stripe-key", ("k_live_", "k_test_"), rf"[sr]k_(?:live|test)_[A-Za-z0-9]{{16,}}{_END}"),
    _Kind("slack-token", ("xox",), r"xox[abceoprs]-(?=[A-Za-z0-9-]{0,80}\d)[A-Za-z0-9-]{10,}+"),
    _Kind("slack-token", ("xapp-",), r"xapp-\d-[A-Za-z0-9]+-\d+-[A-Za-z0-9]{16,}"),
    _Kind(
        "slack-webhook",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9_]+/[A-Za-z0-9_/]{20,})",
        is_word=False,
    ),
    _Kind("google-key", ("AIza",), r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_+-])"),
    _Kind("google-token", ("ya29.",), r"ya29\.[A-Za-z0-9_-]{20,}"),
    _Kind("google-secret", ("GOCSPX-",), r"GOCSPX-[A-Za-z0-9_-]{28}"),
    _Kind("openai-key", ("sk-",), rf"sk-[A-Za-z0-9]{{32,}}{_END}"),
    _Kind("openai-key", ("sk-",), r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,}"),
    _Kind("anthropic-key", ("sk-ant-",), r"sk-ant-[a-z0-9]+-[A-Za-z0-9_-]{24,}"),
    _Kind("hugging-face-token", ("hf_",), rf"hf_[A-Za-z0-9]{{34}}{_END}"),
    _Kind("npm-token", ("npm_",), rf"npm_[A-Za-z0-9]{{36}}{_END}"),
    _Kind("pypi-token", ("pypi-AgE",), r"pypi-AgE[A-Za-z0-9_-]{50,}"),
    _Kind("sendgrid-key", ("SG.",), r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    _Kind("digitalocean-token", ("_v1_",), r"do[opr]_v1_[a-f0-9]{64}"),
    _Kind("stripe-secret", ("whsec_",), rf"whsec_[A-Za-z0-9+/=]{{32,}}{_END}"),
    _Kind("shopify-token", ("shp",), rf"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{{32}}{_END}"),
    _Kind("square-token", ("sq0",), r"sq0[a-z]{3}-[A-Za-z0-9_-]{22,43}(?![A-Za-z0-9_-])"),
    _Kind("docker-token", ("dckr_",), r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"),
    _Kind("rubygems-key", ("rubygems_",), rf"rubygems_[a-f0-9]{{48}}{_END}"),
    _Kind("databricks-token", ("dapi",), rf"dapi[a-f0-9]{{32}}{_END}"),
    _Kind("vault-token", ("hvs.", "hvb."), r"hv[sb]\.(?=\w{0,99}\d)[A-Za-z0-9_-]{24,}+"),
    _Kind("terraform-token", (".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}"),
    _Kind("grafana-token", ("glsa_",), r"glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}"),
    _Kind("grafana-token", ("glc_",), r"glc_[A-Za-z0-9+/=]{40,}"),
    _Kind("sentry-token", ("sntry",), r"sntry[su]_[A-Za-z0-9_+/=]{40,}"),
    _Kind("new-relic-key", ("NRAK-",), rf"NRAK-[A-Z0-9]{{27}}{_END}"),
    _Kind("postman-key", ("PMAK-",), r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    _Kind("linear-key", ("lin_api_",), rf"lin_api_[A-Za-z0-9]{{40}}{_END}"),
    _Kind("figma-token", ("figd_",), r"figd_[A-Za-z0-9_-]{40,}"),
    _Kind("atlassian-token", ("ATATT3",), r"ATATT3[A-Za-z0-9_=-]{60,}"),
    _Kind("groq-key", ("gsk_",), rf"gsk_[A-Za-z0-9]{{52}}{_END}"),
    _Kind("xai-key", ("xai-",), rf"xai-[A-Za-z0-9]{{80}}{_END}"),
    _Kind("age-key", ("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}"),
    _Kind("telegram-token", (":AA",), r"\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    _Kind(
        "discord-webhook",
        ("/api/webhooks/",),
        r"discord(?:app)?\.com/api/webhooks/(\d{15,}/[A-Za-z0-9_-]{40,})",
        is_word=False,
    ),
    _Kind("azure-key", ("AccountKey=",), r"AccountKey=([A-Za-z0-9+/]{86}==)"),
    _Kind(
        "web-token",
        ("eyJ",),
        r"eyJ(?<![A-Za-z0-9_-]eyJ)[A-Za-z0-9_-]{8,}+\.eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{16,}+",
    ),
)  # fmt: skip


_SHORT = 200
_ANY_SIGN = re.compile(
    "|".join(re.escape(sign) for sign in (*_SIGNS_OF_A_KEY, *(s for k in _KINDS for s in k.signs)))
)
"""One search for all signs: faster than one each in a short text, slower in a long one."""


def find_secrets(text: str) -> list[Secret]:
    """Find the secrets in a text, in the order in which they stand there, none inside another."""
    if len(text) <= _SHORT and not _ANY_SIGN.search(text):
        return []
    known = (secret for kind in _KINDS for secret in kind.find(text))
    found = sorted(
        (*known, *_find_ends_of_keys(text)),
        key=lambda secret: (secret.start, -secret.end),
    )
    apart: list[Secret] = []
    for secret in found:
        if not apart or secret.start >= apart[-1].end:
            apart.append(secret)
    return apart


def _find_ends_of_keys(text: str) -> Iterator[Secret]:
    """Find the ends of private keys whose beginning was cut off, as in the second of two passages.

    From the mark backwards, so the time is proportional to the length of the text.
    """
    if not any(sign in text for sign in _SIGNS_OF_A_KEY):
        return
    earlier = 0
    for mark in re.finditer(_FINISH, text):
        since = max(earlier, mark.start() - _LONGEST_KEY)
        words = list(_WORD.finditer(text, since, mark.start()))[::-1]
        earlier = mark.end()
        lines = list(takewhile(lambda word: _LINE.fullmatch(word[0]), words))
        # The last line is shorter than the others, and so is a checksum below it.
        rest = next((place for place in range(3) if _has_length(lines, place)), len(lines))
        body = list(takewhile(lambda line: len(line[0]) >= _LONG, lines[rest:]))
        if body:
            start = body[-1].start()
            yield Secret("private-key", text[start:earlier], start, earlier)


def _has_length(lines: list[re.Match[str]], place: int) -> bool:
    return place < len(lines) and len(lines[place][0]) >= _LONG


def mask_secrets(text: str) -> str:
    """Replace each secret by the name of its kind; a text without any is returned itself."""
    found = find_secrets(text)
    if not found:
        return text
    parts: list[str] = []
    place = 0
    for secret in found:
        parts += [text[place : secret.start], name_secret(secret.kind)]
        place = secret.end
    return "".join([*parts, text[place:]])


def name_secret(kind: str) -> str:
    """Write what stands in the place of a secret: one word, harmless in every format."""
    return f"[masked:{kind}]"
