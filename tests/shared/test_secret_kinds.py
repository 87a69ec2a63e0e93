"""Secrets are recognised by the marks of those who issue them, and nothing else is."""

from __future__ import annotations

import base64
import hashlib
import random
import uuid

import pytest

from cranfield_shared.secret_kinds import find_secrets, mask_secrets

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
BODY = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW"
KEY = f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}\n{BODY}\nYWJj\n-----END RSA PRIVATE KEY-----"
SECRETS = {
    "private-key": KEY,
    "aws-key-id": "AKIAIOSFODNN7EXAMPLE",
    "github-token": f"ghp_{LETTERS}",
    "gitlab-token": "glpat-abcdefghij0123456789",
    # Written in two parts, so nobody takes them for real ones.
    "stripe-key": "sk_live" + f"_{LETTERS[:24]}",
    "slack-token": "xoxb" + "-123456789012-123456789012-abcdefghijklmnopqrstuvwx",
    "google-key": f"AIza{LETTERS[:35]}",
    "google-token": f"ya29.{LETTERS}",
    "google-secret": f"GOCSPX-{LETTERS[:28]}",
    "openai-key": f"sk-proj-{LETTERS * 2}",
    "anthropic-key": f"sk-ant-api03-{LETTERS * 2}",
    "hugging-face-token": f"hf_{LETTERS[:34]}",
    "npm-token": f"npm_{LETTERS}",
    "pypi-token": f"pypi-AgEIcHlwaS5vcmc{LETTERS * 2}",
    "sendgrid-key": f"SG.{LETTERS[:22]}.{LETTERS}{LETTERS[:7]}",
    "digitalocean-token": "dop_v1_" + "0123456789abcdef" * 4,
    "stripe-secret": "whsec" + f"_{LETTERS[:32]}",
    "shopify-token": "shpat" + "_0123456789abcdef0123456789abcdef",
    "square-token": "sq0csp" + f"-{LETTERS}abcdefg",
    "docker-token": f"dckr_pat_{LETTERS[:27]}",
    "rubygems-key": "rubygems_" + "0123456789abcdef" * 3,
    "databricks-token": "dapi" + "0123456789abcdef" * 2,
    "vault-token": f"hvs.{LETTERS}",
    "terraform-token": f"abcdefghij0123.atlasv1.{LETTERS * 2}",
    "grafana-token": f"glsa_{LETTERS[:32]}_0123abcd",
    "sentry-token": f"sntrys_{LETTERS * 2}",
    "new-relic-key": "NRAK-ABCDEFGHIJKLMNOPQRSTUVWXYZ0",
    "postman-key": f"PMAK-{'0123456789abcdef' * 2}"[:29] + f"-{'0123456789abcdef' * 3}"[:35],
    "linear-key": f"lin_api_{LETTERS}abcd",
    "figma-token": f"figd_{LETTERS}-abc",
    "atlassian-token": f"ATATT3xFfGF0{LETTERS * 2}",
    "groq-key": "gsk" + f"_{(LETTERS * 2)[:52]}",
    "xai-key": f"xai-{(LETTERS * 3)[:80]}",
    "age-key": f"AGE-SECRET-KEY-1{'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L' * 2}"[:74],
    "telegram-token": f"123456789:AA{LETTERS[:33]}",
    "web-token": f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{LETTERS}",
}


@pytest.mark.parametrize("kind", SECRETS)
@pytest.mark.parametrize("around", ["{}", "a {} b", 'TOKEN="{}"', "key={}&x=1", "({})", "x\n{}\ny"])
def test_a_known_kind_is_masked_on_its_own(kind: str, around: str) -> None:
    secret = SECRETS[kind]
    text = around.format(secret)
    [found] = find_secrets(text)
    assert (found.kind, found.value) == (kind, secret)
    assert text[found.start : found.end] == secret
    assert mask_secrets(text) == around.format(f"[masked:{kind}]")


@pytest.mark.parametrize(
    "written",
    [
        "aws_secret_access_key = {}",
        "AWS_SECRET_ACCESS_KEY={}",
        '"SecretAccessKey": "{}"',
        "export AWS_SECRET_ACCESS_KEY='{}'",
    ],
)
def test_the_secret_key_of_aws_is_recognised_by_its_name(written: str) -> None:
    secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"  # noqa: S105 - that of the manual
    assert mask_secrets(written.format(secret)) == written.format("[masked:aws-secret-key]")


def test_a_private_key_is_masked_whole_however_it_is_written() -> None:
    assert mask_secrets(f"before {KEY} after") == "before [masked:private-key] after"
    escaped = KEY.replace("\n", "\\n")
    assert mask_secrets(f'{{"key": "{escaped}"}}') == '{"key": "[masked:private-key]"}'
    with_head = KEY.replace("-----\n", "-----\nProc-Type: 4,ENCRYPTED\n\n", 1)
    assert mask_secrets(with_head) == "[masked:private-key]"


def test_both_parts_of_a_private_key_that_was_cut_are_masked() -> None:
    first, second = KEY[: 33 + 90], KEY[33 + 90 :]
    assert BODY[:20] not in mask_secrets(f"a book says {first}")
    assert mask_secrets(f"{second} and so on") == "[masked:private-key] and so on"
    assert mask_secrets(f"words first\n{BODY}\n{second}").startswith("words first\n[masked")


def _image() -> str:
    return base64.b64encode(random.Random(5).randbytes(300_000)).decode()  # noqa: S311 - an image


@pytest.mark.parametrize(
    "text",
    [
        "task_live_migration sk_live_ risk_live_abcdefghijklmnopqrstuvwx",
        "sk-estimator-doc-link sk-toggleable__label-arrow sk-container-id-1",
        "ghp_token gho_ github_pat_ highp_precision npm_config_registry hf_hub_download",
        "xoxb-your-token-here xoxo AKIA AIza eyJhbGciOiJIUzI1NiJ9",
        "asia ASIAN MARKETS ASIAPACIFICREGIONALO ASIAPACIFICREGIONALOFFICES",
        "-----BEGIN PRIVATE KEY-----",
        "if line == '-----BEGIN OPENSSH PRIVATE KEY-----': start()",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END CERTIFICATE-----",
        hashlib.sha256(b"x").hexdigest(),
        hashlib.sha1(b"x").hexdigest(),  # noqa: S324 - an example
        str(uuid.UUID(int=12345678901234567890)),
        f"data:image/png;base64,{_image()}",
        "sha512-" + base64.b64encode(hashlib.sha512(b"x").digest()).decode(),
        "secret_access_key = os.environ['AWS_SECRET_ACCESS_KEY']",
        "SG.ui.components.Button do_v1_migration",
        "glc_ hvs.the_name_of_an_attribute_of_ours figd_ lin_api_key gsk_",
        "dapi0123 shpat_token sq0-design rubygems_url /api/webhooks/ 12:AA xai-grok sntrys_",
    ],
)
def test_what_only_looks_random_or_has_the_name_is_left(text: str) -> None:
    assert find_secrets(text) == []
    assert mask_secrets(text) is text


@pytest.mark.parametrize(
    "piece",
    [
        "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "A" * 16 + " ", "A",
        "eyJaaaaaaaa", "eyJaaaaaaaaaa.eyJ", "-eyJaaaaaaaaa", "xoxb-", "xapp-1-a-1-", "sk-proj-",
        "Abcd: x\n", "ghp_", "-----BEGIN PRIVATE KEY-----\nAbcd: x\n",
        "hooks.slack.com/services/", "SG.", "github_pat_", "glpat-", "hvs.", "a.atlasv1.", "1",
        "discord.com/api/webhooks/1", "glc_", "1:AA",
    ],
)  # fmt: skip
def test_a_hostile_text_is_read_in_proportion_to_its_length(piece: str) -> None:
    """Squared, each of these would take minutes."""
    text = f"xapp- PRIVATE KEY-----{piece * (500_000 // len(piece))}-----END PRIVATE KEY-----"
    assert len(mask_secrets(text)) <= len(text)
