#!/usr/bin/env bash
# A copy nobody has read back is a rumour. Takes ten random files and compares them.
set -euo pipefail
COPY=/backup/destination/current
find "$HOME/Documents" -type f | sort -R | head -10 | while read -r file; do
  if cmp -s "$file" "$COPY/${file#"$HOME"/}"; then
    echo "same      $file"
  else
    echo "DIFFERENT $file"
  fi
done
