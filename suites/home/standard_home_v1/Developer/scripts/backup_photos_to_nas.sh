#!/bin/sh
# New photos only; the box under the stairs keeps them.
set -eu
find "$HOME/Pictures" -name '*.jpg' -newer "$HOME/.last_photo_copy" -print0 |
  xargs -0 -I{} cp -n {} /Volumes/nas/incoming/
touch "$HOME/.last_photo_copy"
