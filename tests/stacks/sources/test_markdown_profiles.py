"""The header of a proposal is read in all the forms that it has had."""

from __future__ import annotations

import pytest

from stacks.sources.markdown_profiles import find_summary, read_proposal

_HEADER = """# Function Back Deployment

* Proposal: [SE-0376](0376-function-back-deployment.md)
* Authors: [Ann Archer](https://a), [Bob
  Builder](https://b)
* Review Manager: [Cy](https://c)
* Status: {status}
* Implementation: [apple/swift#1](https://x)
* Upcoming Feature Flag: `BackDeploy`

This paragraph belongs to the text.

* Note: so does this list

## Introduction

The introduction says this.
"""


def test_the_fields_of_a_header_become_facts_without_links() -> None:
    proposal = read_proposal(_HEADER.format(status="**Implemented (Swift 5.8)**"))
    assert proposal is not None
    assert proposal.number == "SE-0376"
    assert proposal.facts == {
        "authors": "Ann Archer, Bob Builder",
        "review_manager": "Cy",
        "status": "Implemented (Swift 5.8)",
        "feature_flag": "BackDeploy",
    }
    assert proposal.flags == ("BackDeploy",)
    assert [part.strip() for part in proposal.body.split("\n\n")][:3] == [
        "# Function Back Deployment",
        "This paragraph belongs to the text.",
        "* Note: so does this list",
    ]
    assert proposal.write_header().split("\n")[-2:] == [
        "* Status: Implemented (Swift 5.8)",
        "* Feature Flag: BackDeploy",
    ]


@pytest.mark.parametrize(
    ("status", "version", "is_obsolete"),
    [
        ("**Implemented (Swift 5.8)**", "5.8", False),
        ("**Implemented (Swift 5.10)** with modifications", "5.10", False),
        ("**Implemented (4.2)**", "4.2", False),
        ("Implemented (Swift Next)", "", False),
        ("**Partially implemented (Swift 4.0):** the manifest", "4.0", False),
        ("**Accepted**", "", False),
        ("**Rejected**", "", False),
        ("**Returned for revision**", "", False),
        ("**Withdrawn**", "", True),
        ("**Superseded by SE-0400**", "", True),
        ("**Active review (August 2–16, 2026)**", "", False),
    ],
)
def test_the_status_gives_the_version_and_whether_it_holds(
    status: str, version: str, is_obsolete: bool
) -> None:
    proposal = read_proposal(_HEADER.format(status=status))
    assert proposal is not None
    assert (proposal.swift_version, proposal.is_obsolete) == (version, is_obsolete)


def test_older_headers_and_those_of_other_groups_are_read() -> None:
    old = "# T\n- Proposal: SE-0001\n- Author(s): A\n- **Status**: Awaiting review\n\ntext"
    proposal = read_proposal(old)
    assert proposal is not None
    assert proposal.facts == {"authors": "A", "status": "Awaiting review"}
    testing = read_proposal("# T\n\n* Proposal: [ST-0009](x)\n* Status: **Accepted**\n")
    policy = read_proposal("# T\n\n* Policy: [SP-0001](x)\n* Status: **Accepted**\n")
    assert testing is not None
    assert policy is not None
    assert (testing.number, policy.number) == ("ST-0009", "SP-0001")


@pytest.mark.parametrize(
    "page",
    [
        "",
        "# A vision\n\nText.\n",
        "# T\n\n* Proposal: [SE-NNNN](NNNN-filename.md)\n* Status: **Awaiting**\n",
        "# T\n\n* Proposal: [SE-0001](x)\n\nNo status.",
        "* a: b\n" * 100_000,
    ],
)
def test_a_page_without_such_a_header_is_no_proposal(page: str) -> None:
    assert read_proposal(page) is None


def test_the_summary_is_of_the_introduction_or_of_what_stands_for_it() -> None:
    assert find_summary(
        "# T\n\nNot this one at all.\n\n## Introduction\n\nThis is the one here."
    ) == ("This is the one here.")
    assert find_summary("# T\n\n## Summary of changes\n\nThis is the one here.\n\n## X\n\nNo.") == (
        "This is the one here."
    )
    assert find_summary("# T\n\n## Motivation\n\nAt least there is this.") == (
        "At least there is this."
    )
