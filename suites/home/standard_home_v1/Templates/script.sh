#!/usr/bin/env bash
# What it does, in one line.
set -euo pipefail
